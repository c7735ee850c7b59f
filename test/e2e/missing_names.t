#!/usr/bin/env bash
# Functions without names, DSO by DSO: the reason, and the command that would bring the names.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording
command -v gcc >/dev/null || skip_all "there is no gcc"

cat >"$tmp/spin.c" <<'C'
static volatile unsigned long sink;

static __attribute__((noinline, noclone)) void spin(void)
{
	for (unsigned long i = 0; i < 300000000; i++)
		sink = sink * 3 + i;
}

int main(void)
{
	spin();
	return VALUE;
}
C
# x86-64 or arm64: counts down in memory of its own, like code of a run-time compiler.
cat >"$tmp/jit.c" <<'C'
#include <string.h>
#include <sys/mman.h>

int main(void)
{
#if defined(__x86_64__)
	static const unsigned char code[] = { 0xb9, 0, 0, 0, 0x20, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
#else
	static const unsigned code[] = { 0x52a40000, 0x71000400, 0x54ffffe1, 0xd65f03c0 };
#endif
	void *made = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(made, code, sizeof(code));
	__builtin___clear_cache(made, (char *)made + sizeof(code));
	((void (*)(void))made)();
	return 0;
}
C

# NAME OPTION...: a program without symbols
build_stripped() {
	(cd "$tmp" && gcc -O1 -Wl,--build-id -s -o "$1" "${@:2}")
}
build_stripped stripped spin.c -DVALUE=0 || skip_all "gcc does not work"
build_stripped gone spin.c -DVALUE=1
build_stripped replaced spin.c -DVALUE=2
build_stripped node jit.c
for program in stripped gone replaced node; do
	"$xprof" record -q -g -e cpu-clock:u -F 1000 -o "$tmp/$program.data" "$tmp/$program" 2>"$tmp/err"
done
[ -s "$tmp/node.data" ] || skip_all "cannot record: $(cat "$tmp/err")"
rm "$tmp/gone"
build_stripped replaced spin.c -DVALUE=3

# PROGRAM [OPTION...]: the line that the program has in the full list
finding() {
	"$xprof" report --no-pager --names -i "$tmp/$1.data" "${@:2}" 2>&1 | grep -F " in $tmp/$1: "
}
# PROGRAM [OPTION...]: the header of its table
header() {
	"$xprof" report --no-pager -i "$tmp/$1.data" "${@:2}" 2>&1 | grep '^#'
}

like "$(finding stripped)" '^[0-9.]+%.* in .*/stripped: stripped: not owned by any known package' "a_program_of_ones_own_is_of_no_package"
like "$(header stripped)" '# names: [0-9.]+% of the samples are in functions without a name; (the largest part|all) in [^:]*/stripped: stripped' "the_header_has_it_too"
like "$(header stripped --header)" $'# names: [0-9.]+% of the samples are in functions without a name\n#   [0-9.]+% [^\n]*/stripped: stripped' "and_the_full_one_file_by_file"
is "$("$xprof" report --no-pager --names -i "$tmp/stripped.data" | grep -c -F "/stripped: ")" 1 "a_file_has_one_finding"
like "$(finding gone)" 'the file is not here; .*--symfs' "a_program_that_is_gone_is_said_to_be"
like "$(finding replaced)" 'the file here is another build; it was updated or belongs to a container: record again' "a_program_that_was_replaced_is_said_to_be"
like "$(DEBUGINFOD_URLS=http://127.0.0.1:1 finding gone)" ', or --debuginfod=on$' "servers_are_a_remedy"
like "$("$xprof" report --no-pager --names -i "$tmp/gone.data")" '--debuginfod needs servers in the environment variable DEBUGINFOD_URLS' "which_servers_is_the_users_business"
unlike "$(DEBUGINFOD_URLS=http://127.0.0.1:1 finding gone --debuginfod=on)" 'debuginfod' "servers_that_were_asked_are_no_remedy"
like "$("$xprof" report --no-pager --names -i "$tmp/node.data")" " in \[JIT\] tid [0-9]+: " "code_made_at_run_time_is_called_as_in_the_table"
like "$("$xprof" report --no-pager --names -i "$tmp/node.data")" "perf-[0-9]+.map.*: run 'node --perf-basic-prof'" "a_missing_perf_map_names_the_option_of_the_runtime"

# HOST: the advice for a recording of that machine (-: it does not say which), with a build of this program that is not here
of_host() {
	{
		[ "$1" = - ] || echo "host $1"
		printf 'build-id user abababababababababababababababababababab %s/stripped\n' "$tmp"
		printf 'comm 7 stripped\nmap 7 10000000 10000 0 %s/stripped\nsample 7 10000100\n' "$tmp"
	} | "$source_root/test/lib/perf_data.pl" "$tmp/host.data"
	"$xprof" report --no-pager --names -i "$tmp/host.data"
}
like "$(of_host elsewhere)" "/stripped: a file of elsewhere: --symfs DIRECTORY with its files, or run 'xprof archive' there" \
	"a_file_of_another_host_is_of_that_host"
unlike "$(of_host elsewhere)" 'record again' "recording_again_here_does_not_help_then"
like "$(of_host "$(uname -n)")" '/stripped: the file here is another build; it was updated or belongs to a container: record again' \
	"on_the_machine_that_was_recorded_it_was_updated"
like "$(of_host -)" 'updated or belongs to a container or another machine: record again' "without_a_host_name_it_may_be_any"

# --- recordings of another machine without build-ids ------------------------------------------------------------------

# HOST: a recording of that machine of a program with symbols that lies here, whose build-id was not recorded
without_build_id() {
	printf 'host %s\nrelease 6.1.0\ncomm 7 named\nmap 7 10000000 10000 0 %s\nsample 7 %x\n' "$1" "$tmp/named" \
		$((16#10000000 + 16#$(nm "$tmp/named" | sed -n 's/ T work$//p'))) |
		"$source_root/test/lib/perf_data.pl" "$tmp/host.data"
}
echo 'int work(int x) { return x * 7; }' >"$tmp/named.c"
gcc -O1 -fPIC -shared -o "$tmp/named" "$tmp/named.c"
without_build_id "$(uname -n)"
like "$("$xprof" report --no-pager -i "$tmp/host.data" 2>&1)" '\[\.\] work' "a_file_without_build_id_is_believed_on_its_own_machine"
without_build_id elsewhere
unlike "$("$xprof" report --no-pager -i "$tmp/host.data" 2>&1)" '\[\.\] work' "but_names_of_another_machine_are_not_taken_from_files_of_this_one"
unlike "$("$xprof" script -i "$tmp/host.data" 2>&1)" ' work' "nor_by_script"
like "$("$xprof" report --no-pager -i "$tmp/host.data" 2>&1)" "# names: 100.0% [^#]*/named: recorded on elsewhere without a build-id, so the file with this path here may be a different one: --symfs / takes" \
	"which_is_said_with_what_to_do"
like "$("$xprof" report --no-pager --symfs / -i "$tmp/host.data" 2>&1)" '\[\.\] work' "with_symfs_they_are"
# A map of a process of this machine that has the number of the recorded one, older than the recording.
map_pid=4194299 # as high as numbers get, so that no process has it
printf '10000000 1000 of_this_machine\n' >"/tmp/perf-$map_pid.map"
touch -d '2 hours ago' "/tmp/perf-$map_pid.map"
of_jit() {
	printf 'host %s\nrelease 6.1.0\ncomm %d jit\nmap %d 10000000 1000 0 //anon\nsample %d 10000010\n' "$1" $map_pid $map_pid $map_pid |
		"$source_root/test/lib/perf_data.pl" "$tmp/jit.data"
	"$xprof" report --no-pager -i "$tmp/jit.data" "${@:2}" 2>&1
}
like "$(of_jit "$(uname -n)")" 'of_this_machine' "a_perf_map_is_believed_on_its_own_machine"
unlike "$(of_jit elsewhere)" 'of_this_machine' "a_perf_map_of_this_machine_names_no_code_of_another"
like "$(of_jit elsewhere --names)" "the recording was made on another machine, so /tmp/perf-$map_pid.map here belongs to another process .*--symfs /" "which_is_said_too"
like "$(of_jit elsewhere --symfs /)" 'of_this_machine' "unless_the_user_says_that_it_is_the_one"
rm -f "/tmp/perf-$map_pid.map"

if "$xprof" archive -i "$tmp/host.data" -o "$tmp/host.tar" >/dev/null 2>"$tmp/err"; then
	unlike "$("$xprof" report --no-pager -i "$tmp/host.tar" 2>&1)" '\[\.\] work' "an_archive_of_it_has_none_either"
	like "$("$xprof" report --no-pager --names -i "$tmp/host.tar" 2>&1)" '/named: recorded on elsewhere without a build-id' "and_knows_why"
else
	skip "$(cat "$tmp/err")" "an_archive_of_it_has_none_either"
fi

# The advice for a stripped program of the user's own brings the names: the unstripped file, or its debug file.
gcc -O1 -Wl,--build-id -o "$tmp/unstripped" "$tmp/spin.c" -DVALUE=0
mkdir -p "$tmp/debug"
cp "$tmp/unstripped" "$tmp/mended"
strip -o "$tmp/mended.stripped" "$tmp/mended"
mv "$tmp/mended.stripped" "$tmp/mended"
"$xprof" record -q -e cpu-clock:u -F 1000 -o "$tmp/mended.data" "$tmp/mended" 2>"$tmp/err"
like "$(finding mended)" '/mended: stripped: not owned by any known package: put the unstripped file in its place, or its debug file below a --debug-dir' \
	"a_stripped_program_of_ones_own_says_what_brings_names"
id=$(readelf -n "$tmp/unstripped" | sed -n 's/.*Build ID: //p')
mkdir -p "$tmp/debug/.build-id/${id:0:2}"
objcopy --only-keep-debug "$tmp/unstripped" "$tmp/debug/.build-id/${id:0:2}/${id:2}.debug"
like "$("$xprof" report --no-pager --debug-dir "$tmp/debug" -i "$tmp/mended.data" 2>&1)" '\[\.\] (spin|main)' "its_debug_file_does"
cp "$tmp/unstripped" "$tmp/mended"
like "$("$xprof" report --no-pager -i "$tmp/mended.data" 2>&1)" '\[\.\] (spin|main)' "and_the_unstripped_file_does"

# --- mappings of no file -----------------------------------------------------------------------------------------------

# PATH COMM: the advice for code that is mapped under that name
mapped_as() {
	printf 'host %s\nrelease %s\ncomm 7 %s\nmap 7 10000000 10000 0 %s\nsample 7 10000100\n' "$(uname -n)" "$(uname -r)" "$2" "$1" |
		"$source_root/test/lib/perf_data.pl" "$tmp/odd.data"
	"$xprof" report --no-pager --names -i "$tmp/odd.data" 2>&1
}
like "$(mapped_as '[uprobes]' worker)" ' in \[uprobes\]: instructions that uprobes moved into a page of the kernel' "displaced_instructions_are_said_to_be"
like "$(mapped_as '[vsyscall]' worker)" " in \[vsyscall\]: the kernel's old way to gettimeofday" "the_old_page_of_system_calls_is_known"
like "$(mapped_as 'anon_inode:[perf_event]' worker)" ' in anon_inode:\[perf_event\]: memory that the kernel or a driver has mapped' \
	"memory_of_a_driver_is_no_file"
like "$(mapped_as /memfd:payload worker)" ' in /memfd:payload: .*if this is a program that was run from memory \(memfd\), record it from a file; if it is code of a run-time compiler, its compiler must be told' \
	"a_memfd_may_be_a_program"
like "$(mapped_as /memfd:doublemapper beam.smp)" " in /memfd:doublemapper: [^ ]* does not exist: run 'erl" "or_code_of_a_runtime_that_is_known"
if command -v python3 >/dev/null; then
	cat >"$tmp/memfd.py" <<'PYTHON'
import os, sys
fd = os.memfd_create("payload")
os.write(fd, open(sys.argv[1], "rb").read())
os.execve("/proc/self/fd/%d" % fd, ["payload"], dict(os.environ))
PYTHON
	"$xprof" record -q -F 999 -o "$tmp/memfd.data" python3 "$tmp/memfd.py" "$tmp/stripped" 2>"$tmp/err"
	like "$("$xprof" report --no-pager --names -i "$tmp/memfd.data" 2>&1 | grep ' in /memfd:')" 'if this is a program that was run from memory' \
		"what_a_process_ran_before_exec_is_not_what_made_its_code"
else
	skip "there is no python3" "what_a_process_ran_before_exec_is_not_what_made_its_code"
fi

if "$xprof" archive -i "$tmp/gone.data" -o "$tmp/gone.tar" >/dev/null 2>"$tmp/err"; then
	like "$("$xprof" report --no-pager --names -i "$tmp/gone.tar")" "in $tmp/gone: the file is not here" "an_archive_has_the_reason_that_there_was"
else
	skip "$(cat "$tmp/err")" "an_archive_has_the_reason_that_there_was"
fi

# The distribution is that of the files: here one of a directory.
root=$tmp/root
mkdir -p "$root$tmp" "$root/etc" "$root/var/lib/dpkg/info" "$tmp/bin"
cp "$tmp/stripped" "$root$tmp/"
printf 'ID=debian\nVERSION_CODENAME=bookworm\n' >"$root/etc/os-release"
printf '/.\n%s\n' "$tmp/stripped" >"$root/var/lib/dpkg/info/spinner:amd64.list"
like "$(finding stripped --symfs "$root")" "stripped: 'apt-get install spinner-dbgsym'" "apt_installs_the_debug_symbols_of_a_package"
like "$("$xprof" report --no-pager --names -i "$tmp/stripped.data" --symfs "$root")" 'suite bookworm-debug' "where_the_package_is_to_be_found_is_said"
printf 'ID=fedora\n' >"$root/etc/os-release"
printf '#!/bin/sh\necho spinner\n' >"$tmp/bin/rpm" && chmod +x "$tmp/bin/rpm"
like "$(PATH=$tmp/bin:$PATH finding stripped --symfs "$root")" "stripped: 'dnf debuginfo-install spinner'" "dnf_installs_those_of_fedora"

# This machine's own: dpkg is the second opinion.
if command -v dpkg-query >/dev/null && command -v xz >/dev/null; then
	"$xprof" record -q -g -e cpu-clock:u -F 1000 -o "$tmp/xz.data" -- xz -T1 -6 -c "$(command -v gcc)" >/dev/null
	names=$("$xprof" report --no-pager --names -i "$tmp/xz.data")
	if [[ $names =~ in\ (/[^ ]*liblzma[^ ]*):\ stripped ]]; then
		path=${BASH_REMATCH[1]}
		package=$(dpkg-query -S "$path" "${path#/usr}" 2>/dev/null | sed 's/:.*//;q')
		like "$names" "'apt-get install $package-dbgsym'" "the_package_is_the_one_that_dpkg_knows"
	else
		skip "liblzma is not stripped here" "the_package_is_the_one_that_dpkg_knows"
	fi
else
	skip "no dpkg or no xz" "the_package_is_the_one_that_dpkg_knows"
fi
status_is 2 "views_exclude_each_other" "$xprof" report --names --folded -i "$tmp/gone.data"
done_testing
