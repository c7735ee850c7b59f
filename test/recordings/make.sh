#!/usr/bin/env bash
# Makes the recordings of this folder anew: each a NAME.tar.zst with everything needed to read it anywhere, the rows that perf
# prints for it, which are the second opinion (NAME.perf), and the stacks that xprof prints (NAME.folded). Look at the changes
# in these files before committing them. Needs root, perf, gcc for 32 bits, zstd.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ "${1-}" != inside ]; then
	# The host's name is in the recordings, and the environment is in the dumps of stacks.
	exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp XPROF="$(realpath "${XPROF:-$here/../../build/xprof}")" \
		unshare --uts --propagation unchanged bash "$0" inside
fi
hostname acts
xprof=$XPROF
unset XPROF
work=/tmp/acts
rm -rf "$work" && mkdir "$work" && cd "$work" && unset OLDPWD
cp "$xprof" "$here/acts.c" . # the command line and the name of the source are in the recordings, too
xprof=./xprof
gcc -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o acts acts.c
gcc -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o framed acts.c
gcc -m32 -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o narrow acts.c
# shellcheck source=test/recordings/lib.sh
. "$here/lib.sh"

# NAME: packs NAME.data, and writes down the output of perf and xprof for it while the program is here.
keep() {
	local name=$1
	"$xprof" archive -f -i "$name.data" -o "$here/$name.tar.zst"
	PERF_CONFIG=/dev/null perf report -i "$name.data" --stdio -g none --no-inline --no-children -F sample,comm,dso,symbol -t '|' 2>/dev/null |
		rows >"$here/$name.perf"
	stacks "$here/$name.tar.zst" >"$here/$name.folded"
}

record() { # NAME OPTION... -- COMMAND...
	local name=$1
	shift
	"$xprof" record -q -e cpu-clock -F 297 -o "$name.data" "$@"
	keep "$name"
}

perf_record() {
	local name=$1
	shift
	PERF_CONFIG=/dev/null perf record -q --no-bpf-event -e cpu-clock -F 297 -o "$name.data" "$@"
	keep "$name"
}

record copied -g -- ./acts threads 20000000
record dumped -g --evidence=all --no-bpf -- ./acts sort 20000000
record compressed -g --evidence=all -z -- ./acts signals 20000000
record deep -g -F 29 -z -- ./acts deep 40000000
record narrow -g --evidence=all -- ./narrow calls 20000000
record generated -g -- ./acts generated 20000000
record tracepoint -g -e sched:sched_process_exec,sched:sched_process_exit -- ./acts family 20000000
"$xprof" record -q -e cpu-clock -F 297 -g -o - -- ./acts files 20000000 >piped.data
keep piped
perf_record perf_framed --call-graph fp -- ./framed threads 20000000
perf_record perf_dumped --call-graph dwarf,2048 -z -- ./acts family 20000000
rm -rf "$work"
chmod 644 "$here"/*.tar.zst
