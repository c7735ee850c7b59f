#!/usr/bin/env bash
# `xprof script` unwinds stack dumps, and each call chain begins with the frames that `perf script` prints.
#
# perf 6.1 often stops early: after 127 frames of a dump, two frames above `main` (where __libc_start_main has no frame of its
# own), or if its libunwind takes the value of rbp for a frame pointer: that frame is then its last, and either wrong or the
# caller's caller; and it prints the 0 above a thread's first frame as a caller. So for the demo, where libunwind has nothing to
# guess (except in the _fini of a library), everything that perf prints has to be the same; for other programs everything except
# perf's last frame, and names of PLT entries, which perf 6.1 does not know or calls "@plt". If the chains differ otherwise, the
# one that arrives at the thread's first frame is right, and the longer one if both do and it has all the other's frames.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock --call-graph dwarf

record() { # NAME OPTION... -- COMMAND...
	local name=$1
	shift
	# Without build-ids: perf 6.1 may abort while it collects them.
	perf_quietly record -q -N -B -e cpu-clock -F 499 -o "$tmp/$name" --call-graph "$@" >/dev/null ||
		rm -f "$tmp/$name"
}

# UNPROVED: how many of perf's last frames in a chain prove nothing. Prints the chains that begin differently from perf's, then
# "FRAMES COMPLETE LOST": how many frames of perf's were found, how many of its chains arrive at the first frame, and how many
# lose their way.
compare() {
	awk -v other="$tmp/xprof.txt" -v unproved="$1" '
		function is_same(ours, perfs,  our_fields, perf_fields) {
			return ours == perfs || ours ~ /plt/ && split(ours, our_fields) == split(perfs, perf_fields) &&
				our_fields[1] == perf_fields[1] && our_fields[3] == perf_fields[3]
		}
		# Stripped programs have a _start without a name.
		function is_first(frame, callee) {
			return frame ~ / (_start|__clone3|clone3)(\+0x[0-9a-f]+)? / || callee ~ / __libc_start_main/
		}
		# glibc describes clone3 only up to the system call, so perf ends there, too, while the kernel works for the thread that
		# creates another.
		function is_creating(frame) { return frame ~ / (__clone3|clone3)(\+0x[0-9a-f]+)? / }
		function has_all(ours, count, perfs, perf_count,  i, k) {
			for (i = k = 1; i <= count && k <= perf_count; i++)
				k += is_same(ours[i], perfs[k])
			return k > perf_count
		}
		# _init and _fini of a stripped library, which have no call frame information.
		function is_undescribed(frame) { return frame ~ / (\[unknown\]|_init|_fini)(\+0x[0-9a-f]+)? \(\// }
		BEGIN { RS = "" }
		{
			if ((getline line <other) <= 0)
				line = ""
			perf_count = split($0, perf, "\n")
			if (perf[perf_count] ~ /^[ \t]*ffffffffffffffff /) # the last word of a dump, which perf does not read
				perf_count--
			count = split(line, ours, "\n")
			complete = is_first(perf[perf_count], perf[perf_count - 1])
			proved = complete || perf_count == 1 ? perf_count : perf_count - unproved
			for (i = 1; i <= proved && is_same(ours[i], perf[i]); i++)
				;
			frames += i - 1
			# In a dump that is too short, or with few frames, _start may be out of reach.
			arrives = is_first(ours[count], ours[count - 1]) || ours[count] ~ / __libc_start_(call_)?main/
			lost = i <= proved && i > 1 && (unproved || is_undescribed(ours[i - 1])) && arrives &&
				(!complete || has_all(ours, count, perf, perf_count))
			if (i <= proved && !lost)
				print "line " i " of " $0 "\nis not that of\n" line "\n"
			else if (complete && !lost && count != perf_count && !is_creating(perf[perf_count]))
				print "perf is through after\n" $0 "\nand this is not:\n" line "\n"
			complete_count += complete
			lost_count += lost
		}
		END { print frames + 0, complete_count + 0, lost_count + 0 }' "$tmp/perf.txt"
}

same() { # NAME FILE UNPROVED OPTION...
	local name=$1 file=$tmp/$2 unproved=$3 rest
	shift 3
	if [ ! -e "$file" ]; then
		skip "perf cannot record that here" "$name"
		return
	fi
	if ! perf_quietly script --no-inline -i "$file" "$@" >"$tmp/perf.txt"; then
		skip "perf crashes on what it recorded" "$name"
		return
	fi
	"$xprof" script --no-inline -i "$file" "$@" >"$tmp/xprof.txt" 2>"$tmp/xprof.err"
	rest=$(compare "$unproved")
	[[ $rest =~ ^[1-9][0-9]*\ [0-9]+\ [0-9]+$ ]]
	tap_result $? "$name ($rest)" "$(head -n 60 <<<"$rest")"$'\n'"$(cat "$tmp/xprof.err")"
}

record demo dwarf,32768 -- "$demo" 1
record others dwarf,16384 -- sh -c 'ls -lR /usr/include | xz -1 | wc -c; find /usr/include | sort | tail -n 1; awk "BEGIN { while (i < 500000) s = s + i++ }"'
record short dwarf,512 -- "$demo" 1

same "the_demos_call_chains_are_perfs" demo 0
same "its_few_frames_are_perfs" demo 0 --max-stack 5
same "its_other_columns_are_perfs" demo 0 -F comm,tid,time,event,ip,sym,symoff,dso
same "without_call_chains_nothing_is_unwound" demo 0 -G
same "call_chains_of_dumps_that_are_too_short_begin_with_perfs" short 1
same "other_programs_call_chains_begin_with_perfs" others 1

# The demo's recursion is 200 deep, which perf cuts.
is "$("$xprof" script -i "$tmp/demo" -F comm,ip,sym 2>/dev/null |
	awk '/^\t/ { deep += $2 == "deep_c" } /^$/ { if (deep > most) most = deep; deep = 0 } END { print most }')" \
	200 "a_stack_is_shown_whole"
unlike "$("$xprof" script -i "$tmp/demo" --unwind=fp 2>/dev/null | grep -c deep_c)" \
	"$("$xprof" script -i "$tmp/demo" 2>/dev/null | grep -c deep_c)" "by_frame_pointers_alone_it_is_another"
status_is 2 "a_way_to_unwind_that_does_not_exist_is_wrong_usage" "$xprof" script -i "$tmp/demo" --unwind=nosuch
done_testing
