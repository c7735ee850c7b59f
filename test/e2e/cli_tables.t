#!/usr/bin/env bash
# Help, manual pages and the completion of every shell describe every command alike.
set -u
cd "$(dirname "$0")/../.." || exit
. test/lib/tap.sh

: "${BUILD:=build}"
xprof=${XPROF:-$BUILD/xprof}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The names in the short help: "-F", "--freq"; both names of --[no-]children.
options_of_help() {
	"$xprof" "$1" -h | sed -nE 's/^ {2,6}(-[A-Za-z])?(, )?(--(\[no-\])?[a-z0-9-]+)?.*/\1\n\3/p' |
		sed -E 's/^--\[no-\](.*)/--\1\n--no-\1/' | grep -- - | sort -u
}

# The tags of the manual page.
options_of_man() {
	"$xprof" help --man "$1" | grep -A 1 '^\.TP$' | grep -E '^\\fB\\-' |
		sed -E 's/\\f[BIR]//g; s/\\-/-/g; s/\[?=.*//; s/, /\n/g' |
		sed -E 's/ .*//; s/^(-[A-Za-z])\[.*/\1/; s/^--\[no-\](.*)/--\1\n--no-\1/' | sort -u
}

options_of_bash() {
	bash --norc -c "source '$scratch/xprof.bash'; _xprof_table $1; printf '%s\n' \$offered" | tr -d = | sort -u
}

options_of_zsh() {
	awk -v command="$1" '$0 == "\t" command ")" { on = 1; next } $0 == "\t\t;;" { on = 0 } on' "$scratch/xprof.zsh" |
		sed -nE "s/^\t\t\t'\*(--?[^]=+[-][^]=+[]*).*/\1/p" | sed 's/-$//' | sort -u
}

options_of_fish() {
	grep -E "^complete -c xprof -n '__fish_xprof_(in|is) $1[ ']" "$scratch/xprof.fish" |
		sed -E "s/^complete -c xprof -n '[^']*'//; s/ -d .*//" | grep -oE '(^| )-[sl] [^ ]+' |
		sed -E 's/^ *-s /-/; s/^ *-l /--/' | sort -u
}

for shell in bash zsh fish; do
	"$xprof" help --completion=$shell >"$scratch/xprof.$shell"
	if command -v $shell >/dev/null; then
		ok "the_${shell}_script_is_valid_$shell" $shell -n "$scratch/xprof.$shell"
	else
		skip "no $shell here" "the_${shell}_script_is_valid_$shell"
	fi
done
if command -v shellcheck >/dev/null; then
	ok "shellcheck_likes_the_bash_script" shellcheck "$scratch/xprof.bash"
else
	skip "no shellcheck here" "shellcheck_likes_the_bash_script"
fi

lint_page() {
	if command -v mandoc >/dev/null; then
		is "$("$xprof" help --man "$@" | mandoc -T lint 2>&1)" "" "mandoc_likes_the_page_of_${1:-xprof}"
	else
		skip "no mandoc here" "mandoc_likes_the_page_of_${1:-xprof}"
	fi
}

lint_page
for command in $("$xprof" help --commands); do
	expected=$(options_of_help "$command")
	like "$expected" "--help" "help_of_${command}_lists_options"
	is "$(options_of_man "$command")" "$expected" "the_page_of_${command}_has_the_options_of_its_help"
	is "$(options_of_bash "$command")" "$expected" "bash_completes_the_options_of_${command}"
	is "$(options_of_zsh "$command")" "$expected" "zsh_completes_the_options_of_${command}"
	is "$(options_of_fish "$command")" "$expected" "fish_completes_the_options_of_${command}"
	lint_page "$command"
	is "$("$xprof" help "$command" | awk 'length > 80' | grep -v '^  ')" "" "help_of_${command}_fits_80_columns"
	is "$("$xprof" "$command" --help)" "$("$xprof" help "$command")" "--help_of_${command}_is_what_help_prints"
	is "$("$xprof" help --man "$command" | grep -c '^\.SH EXAMPLES')" 1 "the_page_of_${command}_has_examples"
done

done_testing
