#!/usr/bin/env bash
# Lists files whose functions call each other in a circle, from the objects of a build. Includes cannot show all circles: files
# that share the header of one noun need not include each other.
#
# usage: call_circles.sh OBJECTS     a folder, such as build/obj/src; exit status 1 when there is a circle
set -eu
objects=${1:?usage: call_circles.sh OBJECTS}

# "FILE FILE" for each symbol that the first takes from the second. tsort names every circle.
circles=$(find "$objects" -name '*.o' -print0 | sort -z | xargs -0r nm -A -P | awk -v prefix="$objects/" '
	{
		file = $1
		sub(/\.o:$/, "", file)
		file = substr(file, length(prefix) + 1)
		if ($3 == "U" || $3 == "w") uses[file, $2] = 1
		else if ($3 ~ /^[A-Z]$/) defined_in[$2] = file
	}
	END {
		for (use in uses) {
			split(use, part, SUBSEP)
			if (part[2] in defined_in && defined_in[part[2]] != part[1]) print part[1], defined_in[part[2]]
		}
	}' | sort -u | tsort 2>&1 >/dev/null |
	sed -E 's/^tsort: //; s/^-: input contains a loop:$/|/' | tr '\n' ' ' | tr '|' '\n' | sed -E 's/^ +//; s/ +$//' | sort -u)
wrong=0
while read -r circle; do
	[ -z "$circle" ] || { echo "src/: these call each other in a circle: $circle"; wrong=1; }
done <<<"$circles"
exit $wrong
