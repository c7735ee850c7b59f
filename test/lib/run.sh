#!/usr/bin/env bash
# COMMAND...: runs a test for prove's -e. cmocka up to 1.1.5 writes "not ok 2 # SKIP name" for a skipped test, which prove counts
# as a failure; TAP has "ok 2 # SKIP name". Skipped tests are appended to the file $SKIPPED, if that is set, as
# "TEST: REASON - NAME", or what the test gave of these.
set -o pipefail
test=${*: -1}
export TEST_NAME=${test#"${BUILD:-build}/"}
"$@" | perl -ne '
	BEGIN { $| = 1; $skipped = $ENV{SKIPPED} || "/dev/null" }
	s/^not (ok \d+ # SKIP)/$1/;
	print;
	my $what = /^ok \d+ - (.*) # SKIP\b ?(.*)/ ? ($2 ne "" ? "$2 - $1" : $1) : /^(?:ok \d+|1\.\.0) # SKIP ?(.*)/ ? $1 : next;
	open(my $out, ">>", $skipped) or die "$skipped: $!\n";
	print $out "$ENV{TEST_NAME}: $what\n";
	close $out'
