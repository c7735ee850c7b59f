#!/usr/bin/env bash
# Processes that end, replace their programs, map other libraries or code in the place of theirs, become other users or forbid
# others to read their memory, while they are being read: no frame is wrong, there is no error, and failed reads are counted.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "needs x86-64"
need_recording -e cpu-clock:u -g
cd "$tmp" || exit
chmod 755 .

programs=$source_root/test/e2e/programs
flags=(-O2 -fomit-frame-pointer -fno-optimize-sibling-calls)
gcc "${flags[@]}" -o traps "$programs/trap_workload.c" -pthread -ldl || skip_all "there is no compiler"
for library in first second; do
	# shellcheck disable=SC2016
	printf '#define PREFIX(name) %s_##name\n#include "deep_stack.h"\n' $library |
		gcc "${flags[@]}" -shared -fPIC -I"$programs" -o ./$library.so -x c -
done

# FILE: of the stacks of leaf0() to leaf3() "WHOLE CUT WRONG": those that lead from main() through all calls of recurse0() to
# recurse3(), those that do not reach main(), and those with another number of calls, or calls of another kind or library.
judge_stacks() {
	"$xprof" report -i "$1" --no-inline --no-join-stacks --folded --weight samples 2>/dev/null | awk '
		match($0, /;(first_|second_)?leaf[0-3](;| )/) {
			leaf = substr($0, RSTART + 1, RLENGTH - 2)
			caller = leaf; sub(/leaf/, "recurse", caller)
			wanted = 111 + 30 * substr(leaf, length(leaf))
			stack = substr($0, 1, RSTART)
			all = gsub(/;(first_|second_)?recurse/, "&", stack)
			ours = gsub(";" caller, "&", stack)
			if (ours != all || (stack ~ /;main;/ ? all != wanted : all > wanted)) wrong += $NF
			else if (stack ~ /;main;/) whole += $NF
			else cut += $NF
		}
		END { print whole + 0, cut + 0, wrong + 0 }'
}
# NAME WHAT: NAME.data and NAME.said are a recording without a wrong frame and without an error.
check() {
	local whole cut wrong continued uncontinued
	read -r whole cut wrong <<<"$(judge_stacks "$1.data")"
	diag "$1: $whole whole, $cut cut, $wrong wrong; $(grep -o 'deeper than their dump: .*' "$1.said")"
	ok "$2: its stacks were sampled" test $((whole + cut)) -gt 10
	is "$wrong" 0 "$2: no frame is wrong"
	unlike "$(grep -v 'BPF programs may not be loaded' "$1.said")" '[Ee]rror|ERROR|Sanitizer|cannot|failed|ermi[st]|No such|[1-9] lost' "$2: no error is said"
	if grep -q 'copied by BPF' "$1.said"; then
		is "$((cut * 50 > whole))" 0 "$2: all but few of its stacks are whole"
	else
		read -r continued uncontinued <<<"$(sed -nE 's/.*deeper than their dump: ([0-9]+) continued.*, ([0-9]+) not confirmed, ([0-9]+) not readable.*/\1 \2 \3/p' "$1.said" |
			awk '{ print $1, $2 + $3 }')"
		# Some stacks belong to other functions.
		ok "$2: those that were continued are counted" test "${continued:-0}" -ge "$whole"
		ok "$2: those that were not are counted" test "${uncontinued:-0}" -ge "$cut"
	fi
}
# NAME WHAT ARGUMENT...: recorded with BPF's copies and with the kernel's dumps.
record_trap() {
	local name=$1 what=$2 status
	shift 2
	for way in bpf no-bpf; do
		"$xprof" record -v --$way -g -e cpu-clock:u -F 997 -o "$name-$way.data" -- ./traps "$@" >/dev/null 2>"$name-$way.said"
		status=$?
		is $status 0 "$what ($way): is recorded"
		check "$name-$way" "$what ($way)"
	done
}
record_trap exit "children that end" exit 4
record_trap exec "a program that is replaced" exec 4
record_trap unmap "libraries that take turns" unmap 6 ./first.so ./second.so
record_trap closed "memory that may not be read at times" closed 3
if [ "$(id -u)" -eq 0 ]; then
	record_trap user "a process that becomes another user" user 4
fi

# FILE: of the stacks of leaf_of_code() "WHOLE CUT WRONG": those through one frame of code to main(), those that do not reach
# main() and have nothing above the code, and all others.
judge_code() {
	"$xprof" report -i "$1" --no-inline --no-join-stacks --folded --weight samples 2>/dev/null | awk '
		/;leaf_of_code;leaf0[; ]/ {
			if (/;main;\[\[JIT\] tid [0-9]*\];leaf_of_code;/) whole += $NF
			else if (/^[^;]*;\[\[JIT\] tid [0-9]*\];leaf_of_code;/) cut += $NF
			else wrong += $NF
		}
		END { print whole + 0, cut + 0, wrong + 0 }'
}
# WHAT NAME TURNS MOST: for a program whose code takes turns at one address, at most MOST in 1,000 stacks are wrong.
record_code() {
	local what=$1 name=$2 turns=$3 most=$4 whole cut wrong
	for way in bpf no-bpf; do
		"$xprof" record -v --$way -g -e cpu-clock:u -F 997 -o "$name-$way.data" -- ./traps "$name" "$turns" >/dev/null 2>"$name-$way.said"
		is $? 0 "$what ($way): is recorded"
		read -r whole cut wrong <<<"$(judge_code "$name-$way.data")"
		diag "$name-$way: $whole whole, $cut cut, $wrong wrong; $(grep -o '[0-9]* lead through run-time code.*' "$name-$way.said")"
		ok "$what ($way): its stacks were sampled" test $((whole + cut)) -gt 50
		is "$((wrong * 1000 > (whole + cut + wrong) * most))" 0 "$what ($way): at most $most in 1,000 stacks are wrong"
	done
}
if "$xprof" version --build-options | grep -qE 'libzydis +on'; then
	record_code "code that others take the place of" code 60 0
	record_code "code that others take the place of, made executable afterwards" protect 60 0
	# When code is seen for the first time it may have been overwritten since the sample: nothing tells.
	record_code "code that is written over" rewrite 150 40
	like "$(cat rewrite-no-bpf.said)" ' [1-9][0-9]* lead through run-time code that was replaced' "what is left out is counted"
fi

# The same for a user who may not read forbidden memory, and may not load BPF programs.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && cp "$xprof" xprof && mkdir theirs && chown 65534 theirs; then
	record_as_user() { # NAME COMMAND...
		local name=$1
		shift
		(cd theirs && exec setpriv --reuid=65534 --regid=65534 --clear-groups ../xprof record -v -g -e cpu-clock:u -F 997 -o "$name.data" -- "$@") >/dev/null 2>"$name.said"
	}
	record_as_user forbidden ../traps closed 4
	is $? 0 "memory that another user forbids to read: is recorded"
	cp theirs/forbidden.data .
	check forbidden "memory that another user forbids to read"
	like "$(cat forbidden.said)" ' [1-9][0-9]* not readable' "which is counted as such"

	# A program with another user's rights takes its events with it: the kernel ends them.
	cp traps setuid && chmod 4755 setuid
	record_as_user setuid sh -c '../traps closed 2; ../setuid closed 2; ../traps closed 2'
	is $? 0 "a program with another user's rights: is recorded"
	cp theirs/setuid.data .
	check setuid "a program with another user's rights"
fi
done_testing
