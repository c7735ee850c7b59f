# shellcheck shell=bash
# Summaries of a recording that make.sh writes down, and that the test asks for again.

# A table on standard input: "EVENT|SAMPLES|COMM|DSO|SYMBOL", sorted.
rows() {
	awk -F'|' -v OFS='|' '
		/^# Samples: / { event = $0; sub(/^[^\047]*\047/, "", event); sub(/\047.*/, "", event) }
		/^#/ || NF < 4 { next }
		{
			for (i = 1; i <= NF; i++)
				gsub(/^ +| +$/, "", $i)
			print event, $0
		}' | LC_ALL=C sort
}

# FILE: its stacks, with the samples of each; "f;f;f" is "f (3)".
stacks() {
	"${xprof:?}" report -i "$1" --no-inline --folded --annotate --weight samples 2>/dev/null |
		awk '{
			count = $NF
			sub(/ [0-9]+$/, "")
			frames = split($0, frame, ";")
			line = ""
			for (i = 1; i <= frames; i += run) {
				for (run = 1; frame[i + run] == frame[i] && i + run <= frames; run++)
					;
				line = line (i > 1 ? ";" : "") frame[i] (run > 1 ? " (" run ")" : "")
			}
			print line, count
		}' | LC_ALL=C sort
}
