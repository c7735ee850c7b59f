#!/usr/bin/env bash
# The architecture, executable: which folder under src/ may include which. Names
# file, line and include of every violation, and every folder without a README.
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
	[process]="base elf format"
	[unwind]="base elf"
	[symbol]="base archive elf"
	[profile]="base"
	[record]="base cli elf format process unwind"
	[text]="base"
	[report/load]="base archive elf format process profile symbol unwind"
	[report/rows]="base text profile"
	[report/remedy]="base text cli elf process symbol report/load"
	[report/view]="base text cli format profile symbol report/load report/rows report/remedy"
	[report/dump]="base text cli elf format profile report/load"
	[report/convert]="base cli elf format process report/load report/dump"
	[report/table]="base text cli format process profile symbol report/load report/rows report/remedy report/view report/dump"
	[report/flame]="base text cli profile report/load report/rows report/view"
	[report/diff]="base text cli format process profile symbol unwind report/load report/rows report/view"
	[report/script]="base text cli elf format process profile symbol report/load report/view report/dump"
	[report/pack]="base archive cli elf format profile symbol unwind report/load report/remedy report/view report/convert report/script"
	[main.c]="base cli"
)
WINGS="report" # folders of rooms, with no file of their own but a README
GENERATED="build_options.h" # by scripts/probe.sh, for the rooms that speak to the user
SPEAKS_TO_USER="cli record report/* main.c"

wrong=0
complain() {
	echo "$1"
	wrong=1
}

# PATH below src/: the room that it is in.
room_of() {
	local wing=${1%%/*} rest
	case " $WINGS " in
	*" $wing "*) rest=${1#*/} && echo "$wing/${rest%%/*}" ;;
	*) echo "$wing" ;;
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
	elif [ "$room" = main.c ] && [[ "$include" =~ ^[a-z/]+/cmd_[a-z_]+\.h$ ]]; then
		return # the commands' prototypes
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

for folder in src/*/ $(for wing in $WINGS; do [ ! -d "src/$wing" ] || printf '%s\n' "src/$wing"/*/; done); do
	[ -f "${folder}README.md" ] || complain "${folder}README.md: missing"
done
exit $wrong
