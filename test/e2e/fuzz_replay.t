#!/usr/bin/env bash
# Every fuzzer's function on every file of the corpus, and on recordings that have a record of every type.
cd "$(dirname "$0")/../.." || exit 1
. test/lib/tap.sh

corpus=${CORPUS:-../shared/corpus}
mapfile -d '' inputs < <(find "$corpus" "$BUILD/seeds" -type f -size -4M -print0 2>/dev/null)
[ -d "$corpus" ] || diag "no corpus at $corpus: set CORPUS to where it is"
like "$(find "$BUILD/seeds" -type f -name '*.records' | wc -l)" '^[1-9]' "there are recordings to begin with"
for format in pprof otlp speedscope firefox callgrind perf-script collapsed; do
	like "$("$BUILD/xprof" import "$BUILD/seeds/import.$format" 2>&1)" 'event .* weight 3750000' "there is a profile of $format"
done

replayed=0
for fuzzer in "$BUILD"/replay/fuzz_*; do
	ok "$(basename "$fuzzer") survives ${#inputs[@]} files" timeout 300 "$fuzzer" "${inputs[@]}"
	replayed=$((replayed + 1))
done
is "$replayed" "$(find test/fuzz -name 'fuzz_*.c' | wc -l)" "every fuzzer has run"
done_testing
