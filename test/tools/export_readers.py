#!/usr/bin/env python3
"""Reads profiles in the formats that xprof exports to, each by that format's own rules.

usage: export_readers.py FORMAT FILE
       export_readers.py compare REPORT FORMAT=FILE...    prints each format's first differences from the report

Prints "FUNCTION<tab>SELF<tab>TOTAL" for every function, sorted, and the sum of all samples as the last line. A function counts
once in the total of a stack, however often it is in it. FORMAT "report" reads 'xprof report --json': what all others are
compared with. A function without a name is called [unknown] in all of them.
"""
import collections
import csv
import gzip
import json
import os
import re
import subprocess
import sys

UNKNOWN = "[unknown]"


class Sums:
    def __init__(self):
        self.self = collections.Counter()
        self.total = collections.Counter()
        self.sum = 0

    def add(self, names, weight):
        """names: outermost caller first"""
        self.sum += weight
        for name in set(names):
            self.total[name] += weight
        if names:
            self.self[names[-1]] += weight

    def lines(self):
        return sorted(f"{n}\t{self.self[n]}\t{t}" for n, t in self.total.items() if t) + [f"sum {self.sum}"]

    def print(self):
        sys.stdout.write("\n".join(self.lines()) + "\n")


# Formats have a question mark for characters that break or reorder lines, and for invalid UTF-8.
HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd-\uffff]")


def shown(name):
    return HARMFUL.sub("?", name) if name else UNKNOWN


def read_report(path):
    sums = Sums()
    report = json.load(open(path, encoding="utf-8", errors="replace"))
    events = [e for e in report["events"] if e["total"]["samples"]]
    if not events:
        return sums
    event = max(events, key=lambda e: e["total"]["samples"])
    frames = [shown(f.get("symbol")) for f in report["frames"]]
    for stack in event["stacks"]:
        sums.add([frames[f] for f in stack["frames"]], stack["period"])
    return sums


# --- protocol buffers, without a schema ------------------------------------------------------------------


def fields(data):
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        elif kind == 1:
            yield key >> 3, int.from_bytes(data[at:at + 8], "little")
            at += 8
        else:
            assert kind == 2, f"wire type {kind}"
            size = varint()
            assert at + size <= len(data), "a field ends behind its message"
            yield key >> 3, data[at:at + size]
            at += size


def packed(data):
    at, numbers, value, shift = 0, [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    return numbers


class Message:
    def __init__(self, data):
        self.fields = collections.defaultdict(list)
        for number, value in fields(data):
            self.fields[number].append(value)

    def one(self, number, default=0):
        return self.fields[number][-1] if self.fields[number] else default

    def all(self, number):
        return [Message(data) for data in self.fields[number]]

    def numbers(self, number):
        return [n for data in self.fields[number] for n in (packed(data) if isinstance(data, bytes) else [data])]


def read_pprof(path, places_as=lambda names: names or [UNKNOWN]):
    """Also checks what pprof's own reader forgives. places_as: the functions of a place, innermost first, as a viewer has them"""
    data = open(path, "rb").read()
    profile = Message(gzip.decompress(data))
    strings = [s.decode("utf-8") for s in profile.fields[6]]
    assert strings[0] == "", "string 0 is not empty"
    assert len(set(strings)) == len(strings), "a string is there twice"
    functions, places = {}, {}
    for number, message in enumerate(profile.all(5), 1):
        assert message.one(1) == number, "ids of functions are not dense from 1"
        functions[number] = strings[message.one(2)]
    mappings = profile.all(3)
    for number, message in enumerate(mappings, 1):
        assert message.one(1) == number, "ids of mappings are not dense from 1"
    for number, message in enumerate(profile.all(4), 1):
        assert message.one(1) == number, "ids of locations are not dense from 1"
        assert message.one(2) <= len(mappings)
        places[number] = places_as([functions[line.one(1)] for line in message.all(4)])
    sums = Sums()
    for sample in profile.all(2):
        names = [name for place in sample.numbers(1) for name in places[place]]
        labels = {strings[label.one(1)] for label in sample.all(3)}
        assert {"pid", "tid"} <= labels, "a sample without pid or tid"
        sums.add(names[::-1], sample.numbers(2)[1])
    return sums


def read_go(path):
    """go tool pprof -raw"""
    text = subprocess.run(["go", "tool", "pprof", "-raw", path], capture_output=True, check=True).stdout
    section, samples, places, place = "", [], {}, None
    for line in text.decode("utf-8").split("\n"):
        if line in ("Samples:", "Locations", "Mappings"):
            section = line
        elif section == "Samples:" and (match := re.match(r"^ +(-?\d+) +(-?\d+): ([\d ]*)$", line)):
            samples.append((int(match[2]), [int(n) for n in match[3].split()]))
        elif section == "Locations" and (match := re.match(r"^ *(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(.*)$", line)):
            place = places.setdefault(int(match[1]), [])
            line = match[2]
            if line:
                place.append(re.sub(r" \S*:\d+(:\d+)? s=\d+(\(\))?$", "", line))
        elif section == "Locations" and line.startswith("   "):
            place.append(re.sub(r" \S*:\d+(:\d+)? s=\d+(\(\))?$", "", line.strip()))
    sums = Sums()
    for weight, numbers in samples:
        sums.add([name for n in numbers for name in places[n] or [UNKNOWN]][::-1], weight)
    return sums


def read_csv(path):
    sums = Sums()
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            names = [plain(n) for n in row["stack"].split(";")] if row["stack"] else []
            sums.add(names, int(row["period"]))
    return sums


def read_collapsed(path, first=1):
    """Lines begin with the command, those of stacks that came without one (read_bare) with the outermost function."""
    sums = Sums()
    for line in open(path, encoding="utf-8"):
        stack, weight = line.rstrip("\n").rsplit(" ", 1)
        sums.add([plain(n) for n in stack.split(";")[first:]], int(weight))
    return sums


def read_bare(path):
    return read_collapsed(path, first=0)


def plain(name):
    """A frame without a function is in brackets."""
    return UNKNOWN if re.fullmatch(r"\[.*\]", name) and not name.startswith("[...") else name


def read_speedscope(path):
    """The profile of all samples; those of the threads must add up to the same, and be well-formed."""
    scope = json.load(open(path, encoding="utf-8"))
    names = [plain(f["name"]) for f in scope["shared"]["frames"]]
    sums, tracks = Sums(), Sums()
    for profile in scope["profiles"]:
        if profile["type"] == "sampled":
            assert len(profile["samples"]) == len(profile["weights"])
            assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
            for stack, weight in zip(profile["samples"], profile["weights"]):
                sums.add([names[f] for f in stack], weight)
            continue
        stack, last = [], 0
        for event in profile["events"]:
            assert event["at"] >= last, "time goes back"
            if stack:
                tracks.add([names[f] for f in stack], event["at"] - last)
            last = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                assert stack.pop() == event["frame"], "a function closes that is not innermost"
        assert not stack and last <= profile["endValue"]
    assert +sums.total == +tracks.total and +sums.self == +tracks.self, "threads add up to something else"
    return sums


def read_chrome(path, durations=None):
    """By the weights that ends have; on clocks the durations must be the same, which are added to those that are given."""
    sums, open_spans = Sums(), collections.defaultdict(list)
    trace = json.load(open(path, encoding="utf-8"))
    clock = trace["otherData"]["event"] == "cpu"
    last = collections.defaultdict(int)
    for event in trace["traceEvents"]:
        track = (event["pid"], event["tid"])
        if event["ph"] == "M":
            continue
        at = round(event["ts"] * 1000)
        assert at >= last[track], "time goes back"
        if durations is not None and open_spans[track]:
            durations.add([n for n, _ in open_spans[track]], (at - last[track]) / 1000)
        last[track] = at
        if event["ph"] == "B":
            open_spans[track].append((plain(event["name"]), at))
            continue
        name, begin = open_spans[track].pop()
        assert name == plain(event["name"]), "a span ends that is not innermost"
        weight, own = event["args"]["weight"], event["args"]["self"]
        assert not clock or at - begin == weight, "a span is not as long as its weight"
        if name not in [n for n, _ in open_spans[track]]:
            sums.total[name] += weight
        sums.self[name] += own
        sums.sum += own
    assert not any(open_spans.values()), "a span does not end"
    return sums


def read_otlp(path):
    """ProfilesData of OpenTelemetry's profiles, alpha: the profile of weights."""
    data = Message(open(path, "rb").read())
    (dictionary,) = data.all(2)
    mappings, places, functions, links, attributes, stacks = (dictionary.fields[n] for n in (1, 2, 3, 4, 6, 7))
    strings = [s.decode("utf-8") for s in dictionary.fields[5]]
    for table in (mappings, places, functions, links, attributes, stacks, dictionary.fields[5]):
        assert table and table[0] == b"", "entry 0 of a table is not zero"
    assert len(set(strings)) == len(strings) and len(set(attributes)) == len(attributes), "an entry is there twice"
    names = [strings[Message(f).one(1)] for f in functions]
    lines = [[names[line.one(1)] for line in Message(place).all(3)] or [UNKNOWN] for place in places]
    keys = {strings[Message(a).one(1)] for a in attributes[1:]}
    sums, counted = Sums(), 0
    (scope,) = [s for r in data.all(1) for s in r.all(2)]
    weights, counts = scope.all(2)
    assert not weights.fields[2] or {"process.pid", "thread.id"} <= keys
    for sample in weights.all(2):
        assert all(0 < n < len(attributes) for n in sample.numbers(2))
        numbers = Message(stacks[sample.one(1)]).numbers(1)
        sums.add([name for n in numbers for name in lines[n]][::-1], sample.numbers(4)[0])
    counted = sum(sample.numbers(4)[0] for sample in counts.all(2))
    assert counted >= len(weights.fields[2])
    return sums


def read_firefox(path):
    """The processed profile format, version 60: tables are shared, columns are as long as their tables say."""
    profile = json.loads(gzip.open(path).read())
    assert profile["meta"]["preprocessedProfileVersion"] == 60 and profile["meta"]["symbolicated"]
    shared = profile["shared"]

    def check(table):
        for name, column in table.items():
            assert not isinstance(column, list) or len(column) == table["length"], f"a column: {name}"

    for table in shared.values():
        check(table) if isinstance(table, dict) else None
    frames, stacks, functions = shared["frameTable"], shared["stackTable"], shared["funcTable"]
    names = [plain(shared["stringArray"][functions["name"][f]]) for f in frames["func"]]
    assert all(-1 <= r < shared["resourceTable"]["length"] for r in functions["resource"])
    assert all(s is None or s < shared["sources"]["length"] for s in functions["source"])
    assert all(lib < len(profile["libs"]) for lib in shared["resourceTable"]["lib"])
    chains = []
    for frame, prefix in zip(stacks["frame"], stacks["prefix"]):
        chains.append((chains[prefix] if prefix is not None else []) + [names[frame]])
    sums = Sums()
    for thread in profile["threads"]:
        samples = thread["samples"]
        check(samples)
        assert samples["time"] == sorted(samples["time"]), "time goes back"
        scale = 1000000 if samples["weightType"] == "tracing-ms" else 1
        for stack, weight in zip(samples["stack"], samples["weight"]):
            sums.add(chains[stack] if stack is not None else [], round(weight * scale))
    return sums


def grind_name(name):
    """(function, whether it was called by itself before); ("", False) of a thread"""
    if re.fullmatch(r"\[thread .*\]", name):
        return "", False
    return plain(re.sub(r"'\d+$", "", name)), bool(re.search(r"'\d+$", name))


def grind_sums(own, whole, total):
    """Recursive calls are within the first; but what was sampled in them is the function's own."""
    sums = Sums()
    sums.sum = total
    for name, weight in own.items():
        sums.self[grind_name(name)[0]] += weight
    for name, weight in whole.items():
        function, recursive = grind_name(name)
        if function and not recursive:
            sums.total[function] += weight
    return sums


def read_callgrind(path):
    """With all its calls a function costs its own cost and that of its calls."""
    own, whole, names = collections.Counter(), collections.Counter(), {}
    function, calls, total = None, False, 0
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        match = re.match(r"^(c?fn)=\((\d+)\)(?: (.*))?$", line)
        if match:
            if match[3] is not None:
                assert match[2] not in names, "a name is defined twice"
                names[match[2]] = match[3]
            function = names[match[2]] if match[1] == "fn" else function
        elif line.startswith("calls="):
            calls = True
        elif match := re.match(r"^(\d+) (\d+)$", line):
            whole[function] += int(match[2])
            own[function] += 0 if calls else int(match[2])
            calls = False
        elif line.startswith("totals: "):
            total = int(line[8:])
    return grind_sums(own, whole, total)


def read_annotate(path):
    """callgrind_annotate, which takes the cost of a function with all its calls from its callers"""
    own, whole, total = collections.Counter(), collections.Counter(), 0
    for option, counter in (("no", own), ("yes", whole)):
        text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", f"--inclusive={option}", path],
                              capture_output=True, check=True).stdout.decode("utf-8")
        for line in text.split("\n"):
            match = re.match(r"^ *([\d,]+) \([ \d.]+%\)  (.*)$", line)
            if match and match[2] == "PROGRAM TOTALS":
                total = int(match[1].replace(",", ""))
            elif match:
                counter[re.sub(r" \[\[?[^\[]*\]$", "", match[2].split(":", 1)[1])] += int(match[1].replace(",", ""))
    return grind_sums(own, whole, total)


def read_perf_script(path):
    sums, weight, names = Sums(), None, []
    for line in open(path, encoding="utf-8"):
        if line == "\n":
            sums.add(names[::-1], weight)
            names = []
        elif line.startswith("\t"):
            name = re.match(r"^\t *[0-9a-f]+ (.*) \(.*\)$", line)[1]
            names.append(plain(re.sub(r"\+0x[0-9a-f]+$", "", name)))
        else:
            match = re.match(r"^.* +-?\d+/-?\d+ +(?:\[\d+\] )?(?: *[\d.]+: )? *(\d+) [^ ].*: $", line)
            weight = int(match[1])
    return sums


READERS = {name[5:]: function for name, function in list(globals().items()) if name.startswith("read_")}

# --- the viewers' own readers ---------------------------------------------------------------------------


def viewed(reader, path, name_of):
    """What export_viewers.js prints, which has a line for each of several functions of one name."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "export_viewers.js")
    run = subprocess.run(["node", script, reader, path], capture_output=True)
    assert run.returncode == 0, run.stderr.decode("utf-8", "replace")
    sums = Sums()
    for line in filter(None, run.stdout.decode("utf-8").split("\n")):
        name, *numbers = line.rsplit("\t", 2)
        own, whole = (int(n) if n.isdigit() else float(n) for n in numbers)
        name = name_of(name)
        sums.self[name] += own
        sums.total[name] += whole
    return sums


def outermost_pprof(path):
    """Of functions inlined into each other speedscope has the outermost one, and it leaves out places without a function."""
    return read_pprof(path, lambda names: names[-1:])


def chrome_durations(path):
    """speedscope has no weights of spans, but their lengths, in microseconds. They differ for other events than clocks."""
    durations = Sums()
    read_chrome(path, durations)
    return durations


def shared_names(report):
    """Names that several functions have."""
    frames = json.load(open(report, encoding="utf-8", errors="replace"))["frames"]
    counts = collections.Counter(shown(frame.get("symbol")) for frame in frames)
    return {UNKNOWN} | {name for name, count in counts.items() if count > 1}


# By name: the reader of export_viewers.js, what it must find if that is not what the report has, and how it shows a name.
# speedscope reads neither processed profiles of the Firefox Profiler nor OpenTelemetry's. Two formats it reads have other sums in
# it: it draws callgrind's graph as a tree, divides calls in proportion, and leaves out those below a ten thousandth; and samples
# of perf script's text last until the middle between them and the next one, whatever their weight.
VIEWERS = {
    "pprof_format": ("pprof", None, str),
    "profiler_cli": ("firefox", None, plain),
    "scope": ("speedscope", None, plain),
    "scope_pprof": ("speedscope", outermost_pprof, str),
    "scope_collapsed": ("speedscope", read_bare, plain),
    "scope_chrome": ("speedscope", chrome_durations, plain),
}
# These keep functions of one name, or of none, apart by file and address: each has a total of its own.
KEEP_APART = {"callgrind", "annotate"} | VIEWERS.keys() - {"pprof_format"}


def sums_of(name, path, report):
    """(what must be there, what is there)"""
    if name not in VIEWERS:
        return read_report(report), READERS[name](path)
    reader, wanted, name_of = VIEWERS[name]
    wanted, read = wanted(path) if wanted else read_report(report), viewed(reader, path, name_of)
    wanted.sum = sum(wanted.self.values()) # viewers do not show samples without a stack
    read.sum = sum(read.self.values())
    return wanted, read


def differences(name, path, report):
    wanted, read = sums_of(name, path, report)
    # Viewers add up fractions.
    slack = wanted.sum * 1e-9 if name in VIEWERS else 0
    apart = shared_names(report) if name in KEEP_APART else ()
    for function in sorted(wanted.total.keys() | read.total.keys()):
        for word, a, b in (("self", wanted.self, read.self), ("total", wanted.total, read.total)):
            if abs(a[function] - b[function]) > slack and not (word == "total" and function in apart):
                yield f"{word} of {function!r} is {b[function]}, not {a[function]}"
    if abs(wanted.sum - read.sum) > slack:
        yield f"the sum is {read.sum}, not {wanted.sum}"


def compare(report, files):
    for argument in files:
        name, path = argument.split("=", 1)
        try:
            found = list(differences(name, path, report))
        except Exception as error:  # reports everything that is wrong with the file
            found = [f"{type(error).__name__}: {error}"]
        for line in found[:4]:
            print(f"{name}: {line}")


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        compare(sys.argv[2], sys.argv[3:])
    else:
        READERS[sys.argv[1]](sys.argv[2]).print()
