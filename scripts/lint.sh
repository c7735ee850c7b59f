#!/usr/bin/env bash
# Runs clang-format, clang-tidy, shellcheck, eslint, the include table and plain English over everything that is tracked. With
# file names: over these C files only (nothing else).
# --format lays the C files out instead of complaining.
set -u
cd "$(dirname "$0")/.." || exit

# Versions disagree about layout, so the one that Debian 12 has is the one that counts.
CLANG_FORMAT=${CLANG_FORMAT:-$(command -v clang-format-14 || command -v clang-format)}
CLANG_TIDY=${CLANG_TIDY:-$(command -v clang-tidy-14 || command -v clang-tidy)}
BUILD=${BUILD:-build}
# How far clang's analyzer follows the paths through one function. Nearly all of the time goes there, most of it for the last
# few paths through the largest functions: a twentieth of src/ took 15.5 s at 100000, 7.4 s at 30000, 1 s without the analyzer.
# clang's own limit is 225000, and so is that of lint in check-long.
ANALYZER_NODES=${ANALYZER_NODES:-30000}
# The analyzer checks these files; check-long's lint has it check tests, too.
ANALYZED=${ANALYZED:-^src/}
failed=()

step() {
	local name=$1
	shift
	if "$@"; then
		echo "lint: $name: ok"
	else
		echo "lint: $name: FAILED"
		failed+=("$name")
	fi
}

tracked() {
	git ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
		[ ! -f "$file" ] || printf '%s\n' "$file"
	done
}

tidy() {
	${MAKE:-make} -s BUILD="$BUILD" bpf-skeletons || return
	# The compiler's flags. xargs removes the quotes as the shell would for make's recipes.
	TIDY_FLAGS="-std=c17 -D_GNU_SOURCE -Isrc -Itest -I$BUILD $(sed -n 's/^OPTION_CPPFLAGS :=//p' \
		"$BUILD/config.mk" | xargs)"
	TIDY_FLAGS+=" -Xclang -analyzer-config -Xclang max-nodes=$ANALYZER_NODES"
	export TIDY_FLAGS
	printf '%s\n' "${c_sources[@]}" | grep -E "$ANALYZED" | tidy_each &&
		printf '%s\n' "${c_sources[@]}" | grep -vE "$ANALYZED" | tidy_each --checks=-clang-analyzer-*
}

# OPTION...: the files on standard input.
tidy_each() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	OPTIONS=$* xargs -r -n 6 -P "$(nproc)" \
		sh -c '"$0" --quiet $OPTIONS "$@" -- $TIDY_FLAGS' "$CLANG_TIDY" 2> >(grep -vE 'warnings? generated\.$' >&2)
}

check_scripts() {
	printf '%s\0' "${scripts[@]}" | xargs -0 -n 8 -P "$(nproc)" shellcheck -x -S warning
}

format_only=0
if [ "${1-}" = --format ]; then
	format_only=1
	shift
fi

VERSION=$(cat VERSION) scripts/probe.sh "$BUILD"

if [ $# -gt 0 ]; then
	c_files=("$@")
else
	mapfile -t c_files < <(tracked '*.c' '*.h' '*.cc')
fi
mapfile -t c_sources < <(printf '%s\n' "${c_files[@]}" | grep '\.c$' | grep -v '\.bpf\.c$') # those are compiled for BPF

if [ $format_only -eq 1 ]; then
	exec "$CLANG_FORMAT" -i "${c_files[@]}"
fi
step clang-format "$CLANG_FORMAT" --dry-run -Werror "${c_files[@]}"
step clang-tidy tidy
if [ $# -eq 0 ]; then
	mapfile -t scripts < <(tracked '*.sh' '*.t' '.ci/*')
	step shellcheck check_scripts
	step "include table" scripts/include_table.sh
	step "plain English" scripts/plain_english.sh
	if [ -d build/npm/node_modules/eslint ] && command -v node >/dev/null; then
		step eslint node build/npm/node_modules/eslint/bin/eslint.js -c test/web/eslint.config.js src/report/flame/web test/web
	else
		echo "lint: eslint: skipped, it is not installed: scripts/setup.sh --for=test"
	fi
fi

[ ${#failed[@]} -eq 0 ] || exit 1
