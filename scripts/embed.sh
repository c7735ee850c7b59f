#!/usr/bin/env bash
# Writes C that holds text files, one array of characters for each, named after the file: flame.css becomes `const char
# web_flame_css[]`. Needs only a shell.
#
# usage: embed.sh FILE... >OUT.c
set -eu

echo '/* Made by scripts/embed.sh. */'
echo '#include "report/flame/web_assets.h"'
for file in "$@"; do
	name=$(basename "$file")
	printf '\nconst char web_%s[] =\n' "${name//[^a-zA-Z0-9]/_}"
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/?/\\?/g' -e 's/^/\t"/' -e 's/$/\\n"/' "$file"
	echo ';'
done
