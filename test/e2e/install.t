#!/usr/bin/env bash
# `make install` puts the program, a manual page per command and the completions where they belong.
set -u
cd "$(dirname "$0")/../.." || exit
. test/lib/tap.sh

: "${BUILD:=build}"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# This make may run below another one, whose settings it inherits: they say which build to install.
ok "install_succeeds" make -s install BUILD="$BUILD" DESTDIR="$root" PREFIX=/usr
is "$("$root/usr/bin/xprof" version)" "xprof $(cat VERSION)" "the_installed_program_runs"
ok "pprof_finds_what_converts_recordings_for_it" test "$(readlink "$root/usr/bin/perf_to_profile")" = xprof

commands=$("$BUILD/xprof" help --commands)
pages="perf_to_profile.1"$'\n'xprof.1
for command in $commands; do
	pages+=$'\n'xprof-$command.1
done
is "$(ls "$root/usr/share/man/man1")" "$(sort <<<"$pages")" "every_command_has_a_manual_page"
is "$(find "$root/usr/share/man" -type f -size 0)" "" "no_manual_page_is_empty"

ok "the_bash_completion_is_valid_bash" bash -n "$root/usr/share/bash-completion/completions/xprof"
like "$(head -1 "$root/usr/share/zsh/site-functions/_xprof")" "^#compdef xprof" "the_zsh_completion_names_its_command"
like "$(cat "$root/usr/share/fish/vendor_completions.d/xprof.fish")" "complete .*-c xprof" \
	"the_fish_completion_names_its_command"

done_testing
