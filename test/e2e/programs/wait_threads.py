"""Compares the samples of offcpu-time in the text of `xprof script` with what the threads of a program say of themselves.

usage: wait_threads.py SCRIPT WAITS

WAITS: a line of each thread that waited, "NAME SECONDS WAKER": how long it was off the CPU while it had that name, by its own
clocks, and the name of the thread that woke it, or "-" for a timer. Prints for each NAME measured=SECONDS off=SECONDS whole=PERCENT
waker=PERCENT stacks=NAMES, shares by weight; the stacks are the outermost functions of those that are not whole.
"""

import collections
import sys

from wait_samples import OUTERMOST, STATES, WAKERS, samples

# Go's goroutines and threads, and the loaders of C libraries
WHOLE = OUTERMOST + ("runtime.goexit", "runtime.goexit.abi0", "runtime.mstart", "runtime.mstart.abi0")


def main():
    script, waits = sys.argv[1:]
    off, whole, asleep, right = (collections.Counter() for _ in range(4))
    ends, wakers = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    with open(waits) as lines:
        measured = {name: (float(seconds), waker) for name, seconds, waker in (line.split() for line in lines)}
    with open(script, errors="replace") as lines:
        for period, comm, frames, raw in samples(line.rstrip("\n") for line in lines):
            if comm not in measured:
                continue
            off[comm] += period
            is_whole = bool(frames) and frames[-1] in WHOLE
            whole[comm] += period * is_whole
            if not is_whole:
                ends[comm][frames[-1] if frames else "none"] += period
            if STATES[raw[4]] not in ("sleeping", "disk"):
                continue
            waker = raw[20:36].split(b"\0")[0].decode() or WAKERS[raw[6]]
            wakers[comm][waker] += period
            asleep[comm] += period
            expected = measured[comm][1]
            right[comm] += period * (waker == (expected if expected != "-" else "timer"))
    for name, (seconds, _) in sorted(measured.items()):
        share = lambda part, all_of: 100 * part[name] / all_of[name] if all_of[name] else 0
        print(f"{name} measured={seconds:.6f} off={off[name] / 1e9:.6f} whole={share(whole, off):.2f} "
              f"waker={share(right, asleep):.2f} wakers={','.join(w for w, _ in wakers[name].most_common(3))} "
              f"stacks={','.join(end for end, _ in ends[name].most_common(2))}")


main()
