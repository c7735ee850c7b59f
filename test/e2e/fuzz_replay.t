#!/usr/bin/env bash
# Every fuzzer's function on every file of the corpus.
cd "$(dirname "$0")/../.." || exit 1
. test/lib/tap.sh

corpus=${CORPUS:-../shared/corpus}
mapfile -d '' inputs < <(find "$corpus" -type f -size -4M -print0 2>/dev/null)
[ "${#inputs[@]}" -gt 0 ] || skip_all "no corpus at $corpus: set CORPUS to where it is"

for fuzzer in "$BUILD"/replay/fuzz_*; do
	ok "$(basename "$fuzzer") survives ${#inputs[@]} files" timeout 300 "$fuzzer" "${inputs[@]}"
done
done_testing
