#!/usr/bin/env bash
# Every row of every FDE of large libraries equals libdw's.
cd "$(dirname "$0")/../.." || exit 1
. test/lib/tap.sh

# The C compiler knows where its own parts are; libraries lie where the loader finds them, beside the 32-bit ones.
library() {
	ldconfig -p 2>/dev/null | awk -v name="$1" 'index($1, name) == 1 && /x86-64|AArch64/ { print $NF; exit }'
}

files=("$(library libc.so.6)" "$(library libcrypto.so)" "$(library libstdc++.so.6)"
	"$(gcc -print-prog-name=cc1plus)" "$(gcc -print-prog-name=cc1)" "$(library libLLVM)"
	/usr/aarch64-linux-gnu/lib/libc.so.6 /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1
	/usr/aarch64-linux-gnu/lib/libstdc++.so.6)
for file in "${files[@]}"; do
	[ -f "$file" ] || continue
	ok "all rows of $file" \
		env UNWIND_ROWS_FILES="$file" UNWIND_ROWS_STRIDE=1 "$BUILD/test/unwind/cfi_program_rows_test"
done
done_testing
