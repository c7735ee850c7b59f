#!/usr/bin/env bash
# Sums up failures in few lines: for each failed test its name, the checks that failed, and its last diagnostics.
#
# usage: failed_tests.sh [--step=NAME=LOG]... BUILD[=LOG]...
#
# --step: another step has failed, too, and LOG is its output; the end of that is printed.
# A build's tests leave BUILD/tests.state and BUILD/logs (make check); make check-again leaves BUILD/failed and BUILD/unstable,
# which then count. The last line is "failed: STEP... TEST...", and the script fails; or, if nothing failed in the end, prove's
# closing lines from the first LOG, the output of that build's tests.
set -u
cd "$(dirname "$0")/.." || exit
CHECKS=5       # named for each test
DIAGNOSTICS=10 # the last lines that are not results
LINES_OF_STEP=15
[ $# -gt 0 ] || { echo "usage: failed_tests.sh [--step=NAME=LOG]... BUILD[=LOG]..." >&2; exit 2; }

failed_of() { # BUILD
	if [ -f "$1/failed" ] && ! [ "$1/tests.state" -nt "$1/failed" ]; then
		cat "$1/failed"
	else
		prove --state=failed --statefile="$1/tests.state" --dry 2>/dev/null | sort
	fi
}

# LOG of a test
summary() {
	CHECKS=$CHECKS DIAGNOSTICS=$DIAGNOSTICS perl -e '
		my (@failed, @others, $checks, $plan);
		while (<>) {
			s/\s+$//;
			if (/^ok \d+/) { $checks++ }
			elsif (s/^not ok \d+ - //) { $checks++; push @failed, $_ }
			elsif (/^1\.\.(\d+)/) { $plan = $1 }
			elsif ($_ ne "") { push @others, length > 200 ? substr($_, 0, 197) . "..." : $_ }
		}
		my $named = @failed > $ENV{CHECKS} ? $ENV{CHECKS} : @failed;
		print "    not ok: $_\n" for @failed[0 .. $named - 1];
		printf "    not ok: %d more\n", @failed - $named if @failed > $named;
		print "    ended after $checks checks, without a plan\n" if !defined $plan;
		print "    ran $checks of $plan checks\n" if defined $plan && $plan != $checks;
		shift @others while @others > $ENV{DIAGNOSTICS};
		print "    | $_\n" for @others' "$1"
}

names='' closing=''
for argument in "$@"; do
	if [[ $argument == --step=* ]]; then
		argument=${argument#*=}
		names+=" ${argument%%=*}"
		echo "${argument%%=*} (${argument#*=})"
		grep -vE '^(ok |lint: .*: ok$)' "${argument#*=}" | tail -$LINES_OF_STEP | cut -c1-200 | sed 's/^/    | /'
		continue
	fi
	build=${argument%%=*}
	if ! [ -s "$build/tests.state" ]; then
		echo "$build: its tests have not run"
		names+=" $build"
		continue
	fi
	while IFS= read -r test; do
		log=$build/logs/${test#"$build/"}.log
		names+=" $test"
		echo "$test ($build)"
		if [ -f "$log" ]; then summary "$log"; else echo "    there is no $log"; fi
	done < <(failed_of "$build")
	[ ! -s "$build/unstable" ] || [ "$build/tests.state" -nt "$build/unstable" ] ||
		echo "unstable (failed beside other tests, passed alone; $build/logs/TEST.first.log): $(paste -sd' ' "$build/unstable")"
	case $argument in
	*=*) closing=${closing:-$(grep '^Files=[0-9]*, Tests=' "${argument#*=}" | tail -1)} ;;
	esac
done
if [ -n "$names" ]; then
	echo "failed:$names"
	exit 1
fi
printf '%s\n' ${closing:+"$closing"} "Result: PASS"
