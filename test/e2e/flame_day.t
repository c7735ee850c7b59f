#!/usr/bin/env bash
# The map over time of a day, in slots of 20 ms, can be viewed at several scales: test/web/day_page_test.js reads it in a
# browser.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_browser
cd "$tmp" || exit

# SECONDS: a sample of work every four seconds, and, after 20 hours, for ten seconds 50 samples of burst each second.
recording() {
	awk -v seconds="$1" '
		function sample(time, name) {
			printf "prog 100 [000] %.6f: 1000000 cpu-clock: \n\t  1000 %s+0x0 (/bin/prog)\n\t  2000 main+0x0 (/bin/prog)\n\n", time, name
		}
		BEGIN {
			for (time = 1000; time < 1000 + seconds; time += 4) {
				sample(time, "work")
				for (i = 0; i < 200 && time >= 73000 && time < 73010; i++)
					if (time + i / 50 < 73010) sample(time + i / 50 + 0.01, "burst")
			}
		}'
}
# 1,300,000 samples of 13 functions in turn, evenly over a day: more than have their times in a page.
busy_day() {
	awk 'BEGIN {
		for (i = 0; i < 1300000; i++)
			printf "prog 100 [000] %.6f: 1000000 cpu-clock: \n\t  1000 f%d+0x0 (/bin/prog)\n\t  2000 main+0x0 (/bin/prog)\n\n", 1000 + i * 86400 / 1300000, i * 7919 % 13
	}'
}
recording 86400 >day.txt
recording 600 >short.txt
busy_day >busy.txt
for name in day short busy; do
	"$xprof" flamegraph -q -i $name.txt -o $name.html || exit 1
done
timeout 300 node "$source_root/test/web/day_page_test.js" "$browser" "$tmp"
