#!/usr/bin/env bash
# Programs in containers, and xprof in one: namespaces of mounts and processes, a root without capabilities, another root directory.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock -g
"${CC:-cc}" -O1 -fno-omit-frame-pointer -o "$tmp/spin" -x c - <<'C' || skip_all "there is no compiler"
static volatile unsigned long sum;
__attribute__((noinline)) void inside_the_container(void)
{
	for (int i = 0; i < 100000; i++)
		sum++;
}
int main(void)
{
	for (;;)
		inside_the_container();
}
C
# FILE FIELD: its values over all samples
values() { "$xprof" script -i "$1" -F "$2" 2>/dev/null | tr -d ' []' | grep . | sort -u | paste -sd,; }
functions() { "$xprof" report -i "$1" --stdio -g none --no-children -F comm,symbol 2>/dev/null | grep -o 'inside_the_container' | sort -u; }

# --- attached from outside

# A /tmp of its own, which contains the program; the program is process 1 there.
# shellcheck disable=SC2016 # for the inner shell
inside='mount -t tmpfs none /mnt && cp "$0" /mnt/work && mount --move /mnt /tmp && exec /tmp/work'
if unshare -m -p --fork sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
	start unshare -m -p --fork --kill-child sh -c "$inside" "$tmp/spin"
	unshared=$pid
	# shellcheck disable=SC2317 # called by wait_until
	is_there() { contained=$(pgrep -P "$unshared" -x work); }
	wait_until 20 is_there
	for mode in fp dwarf auto; do
		status_is 0 "a_contained_process_is_recorded_by_its_number_outside_$mode" "$xprof" record -q --call-graph "$mode" -e cpu-clock \
			-F 499 -p "$contained" -o "$tmp/$mode.data" --duration 0.4
		is "$(values "$tmp/$mode.data" pid)" "$contained" "samples_have_the_number_of_outside_$mode"
		is "$(functions "$tmp/$mode.data")" inside_the_container "functions_have_names_$mode"
	done
	like "$("$xprof" dump --type MMAP2 -i "$tmp/fp.data" | grep -A12 '/tmp/work' | head -40)" "build.id" \
		"its_program_has_a_build_id"
	status_is 0 "and_by_its_name" "$xprof" record -q -e cpu-clock -F 499 -p work -o "$tmp/name.data" --duration 0.3
	like ",$(values "$tmp/name.data" pid)," ",$contained," "the_name_is_that_of_inside"
	if command -v perf >/dev/null; then
		is "$(perf_quietly script -i "$tmp/fp.data" -F pid | tr -d ' ' | sort -u)" "$contained" "perf_reads_the_same"
	fi
	kill -9 "$unshared" "$contained"
	wait "$unshared" 2>/dev/null

	# --- from within

	# shellcheck disable=SC2016 # for the inner shell
	within='"$1" 2>/dev/null & "$0" record -q -g -e cpu-clock -F 499 -p $! -o "$2" --duration 0.4; status=$?; echo $!; kill -9 $!; exit $status'
	numbered=$(unshare -p --fork --mount-proc sh -c "$within" "$xprof" "$tmp/spin" "$tmp/within.data")
	is $? 0 "a_process_is_recorded_from_within"
	is "$(values "$tmp/within.data" pid)" "$numbered" "samples_have_the_number_of_inside"
	ok "which_is_another_than_outside" test "$numbered" -lt 20
	is "$(functions "$tmp/within.data")" inside_the_container "and_names"
	status_is 0 "a_command_is_recorded_within" unshare -p --fork --mount-proc "$xprof" record -q -g -e cpu-clock -F 499 \
		-o "$tmp/command.data" --duration 0.4 -- "$tmp/spin"
	is "$(functions "$tmp/command.data")" inside_the_container "with_its_names"
else
	skip "no namespaces may be made here" "a_process_in_namespaces_of_its_own"
fi

# --- another root directory

mkdir -p "$tmp/root/bin"
rooted=
# shellcheck disable=SC2317 # called by wait_until
is_rooted() { [ "$(cat "/proc/$rooted/comm")" = spin ]; }
if "${CC:-cc}" -O1 -static -o "$tmp/root/bin/spin" -x c - <<<'static volatile unsigned long sum; int main(void) { for (;;) sum++; }' 2>/dev/null; then
	start chroot "$tmp/root" /bin/spin 2>/dev/null
	rooted=$pid
fi
if [ -n "$rooted" ] && wait_until 5 is_rooted; then
	"$xprof" record -q -e cpu-clock -F 499 -p "$rooted" -o "$tmp/root.data" --duration 0.4
	like "$("$xprof" report -i "$tmp/root.data" --stdio -g none -F comm,symbol 2>/dev/null)" "spin +\[\.\] main" \
		"a_program_in_another_root_has_its_names"
	kill -9 "$rooted"
	wait "$rooted" 2>/dev/null
else
	skip "no static program, or no chroot" "a_program_in_another_root"
fi

# --- a root without capabilities, as in most containers

without_capabilities() { setpriv --bounding-set=-all --inh-caps=-all "$@"; }
if [ "$(id -u)" -eq 0 ] && without_capabilities true 2>/dev/null && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2 ]; then
	status_is 0 "a_command_is_recorded_without_capabilities" without_capabilities "$xprof" record -g -e cpu-clock -F 499 \
		-o "$tmp/none.data" --duration 0.4 -- "$tmp/spin"
	like "$output" "user space only, since kernel.perf_event_paranoid is 2" "the_kernel_is_left_out"
	is "$(functions "$tmp/none.data")" inside_the_container "names_are_there"
	status_is 1 "the_whole_system_is_not" without_capabilities "$xprof" record -a -e cpu-clock -o "$tmp/none.data"
	like "$output" "this root has no CAP_PERFMON, as in containers: 'docker run --cap-add PERFMON'" "what_root_lacks_is_said"
	start sleep 60
	status_is 1 "a_process_with_capabilities_is_refused" without_capabilities "$xprof" record -e cpu-clock -p "$pid" -o "$tmp/none.data"
	like "$output" "process $pid has more rights than xprof" "why_it_is_refused_is_said"
	kill "$pid"
	wait "$pid" 2>/dev/null
	# 64 KiB of locked memory for everything, as little as containers have.
	status_is 0 "little_locked_memory_is_enough" bash -c 'ulimit -l 64; exec setpriv --bounding-set=-all --inh-caps=-all "$@"' bash \
		"$xprof" record -g -m 1M -e cpu-clock -F 499 -o "$tmp/none.data" --duration 0.4 -- "$tmp/spin"
	like "$output" "rings of [0-9]+ KiB per CPU instead of 1024: locked memory is limited" "the_smaller_rings_are_said"
	is "$(functions "$tmp/none.data")" inside_the_container "stacks_fit_into_smaller_rings"
else
	skip "not root, or capabilities cannot be given up" "a_root_without_capabilities"
fi
done_testing
