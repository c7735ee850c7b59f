# shellcheck shell=bash
# For test/e2e/*.t: source it first. Gives the TAP checks, $xprof, $demo, a scratch
# directory $tmp that goes away at the end, and perf as the second opinion.

# shellcheck source=test/lib/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/tap.sh"

# shellcheck disable=SC2034 # the variables are for the tests
{
	source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
	build=${BUILD:-$source_root/build}
	xprof=${XPROF:-$build/xprof}
	demo=$build/demo/workload
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/xprof-test.XXXXXX")
}
started=()

# The user's servers and cache would supply some names and not others.
unset DEBUGINFOD_URLS DEBUGINFOD_TIMEOUT DEBUGINFOD_MAXTIME DEBUGINFOD_MAXSIZE DEBUGINFOD_PROGRESS DEBUGINFOD_VERBOSE
export DEBUGINFOD_CACHE_PATH=$tmp/debuginfod_client

# Ends the background jobs that the test has started and not yet waited for.
clean_up() {
	[ ${#started[@]} -eq 0 ] || kill -9 "${started[@]}" 2>/dev/null
	rm -rf "$tmp"
}
trap clean_up EXIT

# COMMAND...: runs it in the background; its process id is in $pid.
start() {
	"$@" &
	pid=$!
	started+=("$pid")
}

# SECONDS COMMAND...: until the command succeeds, at most that long.
wait_until() {
	local deadline=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 0.05
	done
}

need_perf() {
	command -v perf >/dev/null || skip_all "perf is not installed"
}

need_node() {
	command -v node >/dev/null || skip_all "node is not installed"
}

# For tests of pages that run in a browser: sets $browser to its command.
need_browser() {
	case $build in
	*/asan | */ubsan | */tsan) skip_all "pages are the same whatever xprof was built with" ;;
	esac
	# shellcheck disable=SC2034 # for the test to run
	browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
		skip_all "chromium is not installed"
	need_node
	export NODE_PATH=$source_root/build/npm/node_modules
	[ -d "$NODE_PATH/playwright-core" ] || skip_all "playwright-core is not installed: scripts/setup.sh --for=test"
}

# [OPTION...]: skips the test where the kernel does not let this user record.
need_recording() {
	"$xprof" record -q -o "$tmp/probe.data" "$@" -- true 2>"$tmp/probe.err" ||
		skip_all "cannot record here: $(head -1 "$tmp/probe.err")"
}

# perf 6.1 aborts on the names of some BPF programs, which come and go while another recorder runs: when its record asks for the
# build-ids of the whole system, and later with every command that reads what it recorded. Then it records once more.
if command -v perf >/dev/null; then
	perf() {
		local attempt status file=perf.data option previous=
		for option; do
			[ "$previous" = -o ] && file=$option
			previous=$option
		done
		for attempt in 1 2 3 4 5 6 7 8; do
			status=0
			command perf "$@" || status=$?
			[ "$1" = record ] && [ "$attempt" -lt 8 ] || break
			[ $status -eq 134 ] || aborts perf buildid-list -i "$file" || break
			sleep 0.5
		done
		return $status
	}
	aborts() { # COMMAND...
		command "$@" >/dev/null 2>&1 </dev/null
		[ $? -eq 134 ]
	}
fi

# perf, without settings from the user's configuration.
perf_quietly() {
	PERF_CONFIG=/dev/null PAGER=cat perf "$@" 2>/dev/null
}

# Branches without the speculation field, which perf 6.1 does not print.
without_speculation() {
	sed -E 's#/(NON_SPEC_CORRECT|SPEC_CORRECT|SPEC_WRONG)_PATH##g'
}

# FILE: the number of samples in it, as perf counts them.
perf_samples() {
	perf_quietly report -i "$1" --stats | awk '$1 == "SAMPLE" { print $3; exit }'
}

# TOOL...: the first that is there, in $tool.
find_tool() {
	local name
	for name; do
		# shellcheck disable=SC2034 # for the caller
		tool=$(command -v "$name") && return
	done
	return 1
}

# FILE: "SAMPLES FUNCTION" for every function of the demo, as perf attributes them.
perf_demo_samples() {
	perf_quietly report -i "$1" --stdio -g none --no-children --no-inline --comms workload \
		-F sample,symbol -t '|' | sed -nE 's/^ *([0-9]+) *\|\[\.\] (.*[^ ]) *$/\1 \2/p'
}

# TRUTH_FILE: reads "SAMPLES FUNCTION" lines and prints how far the share of each of the demo's
# functions is from the truth, in standard deviations of a binomial distribution; the
# largest one first.
deviations() {
	awk -v truth="$1" '
		BEGIN {
			while ((getline line <truth) > 0)
				if (split(line, field, "\t") > 3 && field[1] == "truth")
					share[field[2]] = field[3]
		}
		{ count = $1; sub(/^[0-9]+ /, ""); if ($0 in share) { samples[$0] += count; total += count } }
		END {
			if (total < 500)
				printf "999 only %d samples in the functions of the demo\n", total
			for (name in share) {
				expected = total * share[name]
				deviation = (samples[name] - expected) / sqrt(expected * (1 - share[name]) + 1e-9)
				printf "%.2f %s: %d of %d samples, expected %.1f\n", deviation < 0 ? -deviation : deviation,
					name, samples[name], total, expected
			}
		}' | sort -rn
}

# NAME TRUTH_FILE: the "SAMPLES FUNCTION" lines on standard input agree with the truth.
# Four standard deviations: one run in some thousand fails by chance.
shares_are_true() {
	local worst
	worst=$(deviations "$2")
	awk -v worst="${worst%% *}" 'BEGIN { exit !(worst != "" && worst <= 4) }'
	tap_result $? "$1" "$worst"
}
