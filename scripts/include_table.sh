#!/usr/bin/env bash
# The architecture, executable: which folder under src/ may include which. Names file, line and include of every violation,
# calls of functions of other folders, files that include each other in a circle, every room that is too large, and every room
# without a README.
#
# usage: include_table.sh [ROOT]     exit status 1 when something is wrong
set -eu
cd "${1:-$(dirname "$0")/..}"

# A room may include itself and these. Includes are written from src/ on.
declare -A MAY_INCLUDE=(
	[base]=""
	[cli]="base"
	[archive]="base"
	[elf]="base"
	[format]="base"
	[format/write]="base format"
	[format/tracepoint]="base"
	[process]="base elf format"
	[unwind/arch]="base"
	[unwind/cfi]="base elf unwind/arch"
	[unwind/code]="base elf unwind/arch unwind/cfi"
	[unwind]="base elf unwind/arch unwind/cfi unwind/code"
	[unwind/process]="base elf format process unwind/arch unwind"
	[symbol/dwarf]="base elf"
	[symbol]="base archive elf symbol/dwarf"
	[profile]="base"
	[record/machine]="base format format/write"
	[record/event]="base cli format format/write record/machine"
	[record/process]="base elf format format/write process record/machine"
	[record/bpf]="base"
	[record/stack]="base elf format format/write process unwind/arch unwind/code unwind unwind/process record/event record/process record/bpf"
	[record/switch]="base cli format"
	[record/wait]="base format format/write record/machine record/event record/process record/bpf record/stack"
	[record]="base cli elf format format/write record/machine record/event record/process record/bpf record/stack record/wait record/switch"
	[report/names]="base elf format process profile symbol unwind/cfi"
	[text]="base"
	[report/import]="base cli text format process profile symbol report/load"
	[report/waits]="base text format process profile"
	[report/load]="base archive elf format format/tracepoint process profile symbol unwind/arch unwind/cfi unwind unwind/process report/waits report/names"
	[report/rows]="base text profile"
	[report/remedy]="base text cli elf process profile symbol symbol/dwarf report/names report/load"
	[report/view]="base text cli profile symbol report/names report/load report/import report/rows report/remedy report/waits"
	[report/dump]="base text cli elf format process profile report/load"
	[report/convert]="base cli elf format format/write process report/load report/dump"
	[report/table]="base text cli elf format process symbol profile report/code report/names report/load report/rows report/remedy report/view report/dump report/waits"
	[report/flame]="base text cli profile report/code report/names report/load report/rows report/remedy report/view report/waits"
	[report/export]="base text cli profile report/names report/load report/rows report/remedy report/view"
	[report/code]="base text cli elf format process symbol report/names report/load report/view"
	[report/export_code]="base cli elf format process symbol symbol/dwarf report/names report/load report/view report/code report/export"
	[report/diff]="base text cli format process profile symbol unwind report/names report/load report/rows report/remedy report/view"
	[report/script]="base text cli elf format format/tracepoint process symbol report/names report/load report/remedy report/view report/code report/dump report/waits"
	[report/pack]="base archive cli elf format symbol symbol/dwarf unwind/cfi unwind/code report/names report/load report/remedy report/view report/convert report/script"
	[main.c]="base cli"
)
WINGS="report" # folders of rooms that have a README and no source file of their own
LINES_OF_A_ROOM=9000 # a larger one should be two rooms
GENERATED="build_options.h" # by scripts/probe.sh, for the rooms that print messages
SPEAKS_TO_USER="cli record report/* main.c"

wrong=0
complain() {
	echo "$1"
	wrong=1
}

# PATH below src/: the room of the file, which is its folder.
room_of() {
	case $1 in
	*/*) echo "${1%/*}" ;;
	*) echo "$1" ;;
	esac
}

# ROOM FILE LINE INCLUDE
check_include() {
	local room=$1 where=$2:$3 include=$4 target
	if [ "$include" = "$GENERATED" ]; then
		[[ " $SPEAKS_TO_USER " == *" $room "* || " $SPEAKS_TO_USER " == *" ${room%%/*}/* "* ]] ||
			complain "$where: $room/ may not include $include (only: $SPEAKS_TO_USER)"
		return
	fi
	target=$(room_of "$include")
	if [ "$target" = "$include" ] || [[ "$include" == *..* ]]; then
		complain "$where: \"$include\" is not written from src/ on (room/file.h)"
	elif [ ! -f "src/$include" ]; then
		complain "$where: \"$include\" does not exist under src/"
	elif [ "$target" != "$room" ] && [[ " ${MAY_INCLUDE[$room]} " != *" $target "* ]]; then
		complain "$where: $room/ may not include \"$include\" (only: ${MAY_INCLUDE[$room]:-nothing})"
	fi
}

while IFS=: read -r file line include; do
	room=$(room_of "${file#src/}")
	if [ -z "${MAY_INCLUDE[$room]+known}" ]; then
		complain "$file: $room/ is not in the table of scripts/include_table.sh"
		continue
	fi
	check_include "$room" "$file" "$line" "$include"
done < <(find src -name '*.[ch]' -print0 | sort -z |
	xargs -0r grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' |
	sed -E 's/^([^:]*:[0-9]+:).*"([^"]*)".*/\1\2/')

# A call is a dependency, too, even if a header in between has brought the prototype: "FILE.c FUNCTION HEADER.h ROOM" for each
# call that the table does not allow.
calls_against_table() {
	find src -name '*.[ch]' ! -name '*.bpf.[ch]' | sort | xargs -r awk -v table="$(
		for room in "${!MAY_INCLUDE[@]}"; do echo "$room $room ${MAY_INCLUDE[$room]}"; done
	)" '
		BEGIN {
			rooms = split(table, lines, "\n")
			for (i = 1; i <= rooms; i++) {
				count = split(lines[i], word, " ")
				for (j = 2; j <= count; j++) allowed[word[1], word[j]] = 1
			}
		}
		function room_of(path) {
			sub("/[^/]*$", "", path)
			return path
		}
		# Blanks comments and strings out, line by line.
		function code(line,    out, at) {
			gsub(/"([^"\\\\]|\\\\.)*"/, "", line)
			while (1) {
				if (in_comment) {
					if (!(at = index(line, "*/"))) return out
					line = substr(line, at + 2); in_comment = 0
				}
				if (!(at = index(line, "/*"))) { sub("//.*", "", line); return out line }
				out = out substr(line, 1, at - 1); line = substr(line, at + 2); in_comment = 1
			}
		}
		FNR == 1 { in_comment = 0; is_header = FILENAME ~ /\.h$/; file = substr(FILENAME, 5) }
		{
			line = code($0)
			defines = line ~ /^[a-z]/ && line !~ /^(typedef|return|else)/
			while (match(line, /[a-z_][a-z0-9_]*\(/)) {
				name = substr(line, RSTART, RLENGTH - 1)
				line = substr(line, RSTART + RLENGTH)
				if (defines && is_header) { if (!(name in header)) header[name] = file }
				else if (defines && $1 == "static") own[file, name] = 1
				else if (!is_header) calls[file, name] = 1
				defines = 0
			}
		}
		END {
			for (call in calls) {
				split(call, part, SUBSEP)
				if (!(part[2] in header) || (call in own) || part[1] == "main.c") continue
				if (!((room_of(part[1]), room_of(header[part[2]])) in allowed))
					print part[1], part[2], header[part[2]], room_of(part[1])
			}
		}' | sort
}

while read -r file function header room; do
	[ -z "${MAY_INCLUDE[$room]+known}" ] ||
		complain "src/$file: $room/ may not call $function() of $header (only: ${MAY_INCLUDE[$room]:-nothing})"
done < <(calls_against_table)

# No circles: a noun is its .c and .h, with NOUN_state.h if several files implement it. tsort names every circle.
circles=$(find src -name '*.[ch]' -print0 | sort -z |
	xargs -0r grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[a-z_/]*/' |
	sed -E 's/^src\/([^:]*)\.[ch]:.*"([^"]*)\.h".*/\1 \2/; s/_state( |$)/\1/g' |
	awk '$1 != $2' | sort -u | tsort 2>&1 >/dev/null |
	sed -E 's/^tsort: //; s/^-: input contains a loop:$/|/' | tr '\n' ' ' | tr '|' '\n' | sed -E 's/^ +//; s/ +$//' | sort -u)
while read -r circle; do
	[ -z "$circle" ] || complain "src/: these include each other in a circle: $circle"
done <<<"$circles"

# Rooms must not form circles either.
circles=$(for room in "${!MAY_INCLUDE[@]}"; do
	for below in ${MAY_INCLUDE[$room]}; do echo "$room $below"; done
done | tsort 2>&1 >/dev/null | sed -E 's/^tsort: //' | tr '\n' ' ')
[ -z "$circles" ] || complain "scripts/include_table.sh: rooms include each other in a circle: $circles"

for room in $WINGS "${!MAY_INCLUDE[@]}"; do
	[ -d "src/$room" ] || continue
	[ -f "src/$room/README.md" ] || complain "src/$room/README.md: missing"
	lines=$(find "src/$room" -maxdepth 1 -name '*.[ch]' -exec cat {} + | wc -l)
	[ "$lines" -le "$LINES_OF_A_ROOM" ] || complain "src/$room/: $lines lines, and a room has at most $LINES_OF_A_ROOM"
done
exit $wrong
