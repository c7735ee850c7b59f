# shellcheck shell=bash
# shellcheck disable=SC2154 # pid comes from start
# Two programs in cgroups of their own, for tests that record by cgroup. Source it after test/e2e/lib.sh.

# ROOT GROUP NAME CODE: makes ROOT/GROUP/inner and ROOT/GROUP.other, each with a program that runs this Perl for ever: one
# called NAME, whose process id is then in `inner`, and one called other, whose process id is in `other`. All are removed when
# the test ends.
start_in_cgroups() {
	cgroup_folders=("$1/$2/inner" "$1/$2" "$1/$2.other")
	cgroup_name=$3
	mkdir "$1/$2" "$1/$2/inner" "$1/$2.other" 2>/dev/null || skip_all "cgroups cannot be made here"
	trap 'clean_up; wait 2>/dev/null; wait_until 10 remove_cgroups' EXIT
	start_in_cgroup "${cgroup_folders[0]}" "$3" "$4"
	inner=$pid
	start_in_cgroup "${cgroup_folders[2]}" other "$4"
	other=$pid
	wait_until 20 run_in_cgroups
}
start_in_cgroup() { # FOLDER NAME CODE
	# shellcheck disable=SC2016 # expanded by the inner shells
	start sh -c 'echo $$ >"$0/cgroup.procs" && exec perl -e "\$0 = shift; while (1) { $2 }" "$1"' "$1" "$2" "$3"
}
run_in_cgroups() {
	[ "$(cat "/proc/$inner/comm")" = "$cgroup_name" ] && [ "$(cat "/proc/$other/comm")" = other ]
}
remove_cgroups() {
	rmdir "${cgroup_folders[@]}"
}
