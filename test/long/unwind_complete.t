#!/usr/bin/env bash
# How many stacks of stock programs are complete: recorded by perf and by xprof, unwound by xprof, and by perf if the file is
# its own. Stacks deeper than their dump are not counted. perf's chains are complete if they end in _start, clone, above
# __libc_start_main (stripped programs have no name for _start) or in the dynamic linker.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "the programs' roots are known for x86-64"
command -v python3 >/dev/null || skip_all "python3 is not installed"
need_perf
need_recording -e cpu-clock --call-graph dwarf,16384

# FILE OF PERF'S STACKS [FILE]: a table by program (only those that the file names) from xprof's JSON on standard input. Fails
# below 99.5%.
table() {
	python3 -c '
import collections, json, sys

known = open(sys.argv[2]).read().split("\n") if len(sys.argv) > 2 else None
total, cut, root, perf = (collections.Counter() for _ in range(4))
for event in json.load(sys.stdin)["events"]:
    for stack in event["stacks"]:
        if stack["end"] == "no_chain":  # the kernel alone
            continue
        if known and stack["comm"] not in known:
            continue
        total[stack["comm"]] += stack["samples"]
        cut[stack["comm"]] += stack["samples"] * (stack["end"] in ("dump", "joined", "depth"))
        root[stack["comm"]] += stack["samples"] * (stack["end"] == "root")
comm, names = None, []

def is_root():
    last = names[-1]
    below = names[-2] if len(names) > 1 else ""
    return (last.split(" ")[0].split("+")[0] in ("_start", "clone3", "__clone3", "clone", "__clone", "thread_start")
            or "__libc_start_main" in below or "/ld-" in last)

for line in open(sys.argv[1], errors="replace"):
    if line.startswith("\t"):
        names.append(line.split(None, 1)[1].strip())
    elif line.strip():
        comm = line.strip()
    else:
        perf[comm] += bool(names) and is_root()
        names = []

def share(part, comms):
    whole = sum(total[c] - cut[c] for c in comms)
    return 100 * sum(part[c] for c in comms) / whole if whole else 100

print("%-16s %8s %8s %9s %9s" % ("program", "stacks", "cut", "xprof", "perf"))
for name, comms in [(c, [c]) for c, _ in total.most_common()] + [("all", list(total))]:
    print("%-16s %8d %8d %8.2f%% %9s" % (name, sum(total[c] for c in comms), sum(cut[c] for c in comms),
          share(root, comms), "%8.2f%%" % share(perf, comms) if perf else "-"))
sys.exit(share(root, list(total)) < 99.5)' "$@"
}

# NAME FILE OF PERF'S STACKS [FILE]: of the recording mixed.data.
complete() {
	local status=0 output
	output=$("$xprof" report -i "$tmp/mixed.data" --json --no-pager | table "${@:2}") || status=$?
	diag "$output"
	figure "$1: $(tail -1 <<<"$output" | xargs)"
	is "$status" 0 "$1: at least 99.5% of the stacks that are not cut end at the root"
}

perf_quietly record -q -N -e cpu-clock -F 499 --call-graph dwarf,16384 -o "$tmp/mixed.data" -- "$source_root/demo/mixed.sh"
perf_quietly script --no-inline -i "$tmp/mixed.data" -F comm,ip,sym,dso >"$tmp/perf.stacks"
complete "recorded by perf" "$tmp/perf.stacks"
"$xprof" record -q -e cpu-clock -F 499 --call-graph dwarf,16384 -o "$tmp/mixed.data" -- "$source_root/demo/mixed.sh"
complete "recorded by xprof" /dev/null
# Ignores other programs that run on this machine.
"$xprof" report -i "$tmp/mixed.data" --no-pager -s comm -F comm 2>/dev/null | sed -nE 's/^ +([^ #].*[^ ]) *$/\1/p' >"$tmp/comms"
# The recorder wrote stacks that it could follow as chains and cut dumps: nothing may be missing.
"$xprof" record -q -a -e cpu-clock -F 499 -g -o "$tmp/mixed.data" -- "$source_root/demo/mixed.sh"
complete "the whole system, by -g" /dev/null "$tmp/comms"
done_testing
