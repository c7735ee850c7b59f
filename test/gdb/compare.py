#!/usr/bin/env python3
"""compare.py GDB XPROF: the stacks of a recording, as backtraces.py printed them and as 'xprof script -F tid,time,ip,dso --ns'
did, step by step from the leaf on. A step goes from a frame that both have to its caller; it agrees if both find the
same one, or both none. A caller of gdb's where no code is mapped is none: such are what gdb shows above the start of a
thread where nothing tells it that there it ends (counted as past_end). Behind a step that does not agree nothing is compared.

Prints numbers, "NAME NUMBER" a line, then how the steps that do not agree differ: "- KIND CLASS PLACE-OF-THE-FRAME NUMBER".

compare.py --explain: what the classes of differences come of.
"""

import collections
import re
import sys

FRAME = re.compile(r"^\s+([0-9a-f]+) (?:\[unknown\] )?\((.*)\)((?: \[\w+\])*)$")
END = "nothing"


def read_gdb(path):
    stacks = {}
    with open(path, errors="surrogateescape") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("="):
                stack = stacks[tuple(int(word) for word in line[1:].split())] = {"frames": [], "missing": "", "why": ""}
            elif line.startswith("!"):
                stack["missing"], stack["why"] = line[1:].split(" ", 1)
            elif stacks:
                stack["frames"].append(tuple(line.rsplit(" ", 1)))
    return stacks


def read_xprof(path):
    stacks = {}
    with open(path, errors="surrogateescape") as lines:
        for line in lines:
            head = re.match(r"^\s*(\d+)\s+(\d+)\.(\d{9}):", line)
            frame = FRAME.match(line)
            if head:
                stack = stacks[int(head[1]), int(head[2]) * 10**9 + int(head[3])] = []
            elif frame and not frame[1].startswith("ffffffff"):
                dso = frame[2]
                is_file = dso == "[vdso]" or dso.startswith("/") and not re.search(r"^//anon|/perf-\d+\.map$", dso)
                stack.append("%s+%s" % (dso, frame[1]) if is_file else frame[1])
    return stacks


def address(place):
    return int(place.rsplit("+", 1)[-1], 16)


def classify(stack, kind, mine, theirs, their_kind):
    """The name of a difference, one of EXPLAINED where it is known what it comes of."""
    if theirs == END:
        return "gdb-stops-" + stack["missing"] if stack["missing"] != "nothing" else "gdb-stops"
    if their_kind == "nowhere":
        return "gdb-leaves-code"
    if mine != END and address(mine) == address(theirs) + 1:
        return "gdb-misses-a-signal"
    if kind == "bare":
        return "gdb-guesses"
    return "xprof-stops" if mine == END else "another-caller"


EXPLAINED = {
    "gdb-stops-below-the-stack-pointer": "between pop and ret compilers go on naming the word that a register was popped"
    " from, and that is not in the recording; xprof knows that the register has its value already",
    "gdb-stops-behind-the-dump": "the recorded bytes end, at a page that was never touched or at 64 KiB; xprof goes on by"
    " the kernel's chain of frame pointers",
    "gdb-leaves-code": "gdb takes a word for a return address where no code is mapped; xprof finds a caller that is one",
    "gdb-guesses": "without call frame information gdb looks at the beginning of the function, or takes the word at the stack"
    " pointer; xprof follows the instructions, or knows that a thread begins there",
    "gdb-misses-a-signal": "gdb does not know the signal trampoline of Go, which is not the C library's, and looks up the byte"
    " before it as that of a call",
    "xprof-stops": "of Go's programs: on the scheduler's stack, which systemstack() and mcall() use from its beginning again"
    " and again, what lies above is left of earlier calls; anywhere else it is to be looked into, as is another-caller",
    "gdb-stops": "without call frame information gdb found nothing to go on by",
}


def compare(gdb, xprof):
    counts, classes = collections.Counter(), collections.Counter()
    for key, stack in gdb.items():
        theirs, mine = stack["frames"], xprof.get(key)
        counts["samples"] += 1
        if not mine or not theirs or mine[0] != theirs[0][0]:
            counts["unpaired"] += 1
            continue
        for i, (place, kind) in enumerate(theirs):
            their_next, their_kind = theirs[i + 1] if i + 1 < len(theirs) else (END, "")
            my_next = mine[i + 1] if i + 1 < len(mine) else END
            kind = "cfi" if kind == "cfi" else "bare"
            counts[kind] += 1
            if my_next == END and their_kind == "nowhere":
                counts["past_end"] += 1
            elif my_next != their_next:
                classes[kind, classify(stack, kind, my_next, their_next, their_kind), place] += 1
                break
            counts[kind + "_agree"] += 1
            if my_next == END:
                counts["whole_agree"] += 1
                break
    return counts, classes


def main():
    if sys.argv[1] == "--explain":
        for name, reason in EXPLAINED.items():
            print(name + ": " + reason)
        return
    counts, classes = compare(read_gdb(sys.argv[1]), read_xprof(sys.argv[2]))
    for name in ("samples", "unpaired", "whole_agree", "cfi", "cfi_agree", "bare", "bare_agree", "past_end"):
        print(name, counts[name])
    for (kind, name, place), number in classes.most_common():
        print("-", kind, name, place.replace(" ", "?"), number)


if __name__ == "__main__":
    main()
