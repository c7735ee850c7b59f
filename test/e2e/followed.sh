# shellcheck shell=bash
# For tests of branches, in $tmp: the program `work`, and work.data with the branches that it took; `lines` prints them as
# branch_data.py reads them. Source it after lib.sh, if gcc, objdump and python3 are there.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ "$(uname -m)" = x86_64 ] || skip_all "the program is followed on x86-64"
for tool in python3 gcc objdump; do
	command -v $tool >/dev/null || skip_all "$tool is not installed"
done
# shellcheck disable=SC2154 # of lib.sh
cd "$tmp" || exit 1
gcc -O1 -g -gdwarf-4 -fcf-protection=none -fno-ipa-cp -nostdlib -static -Wl,--emit-relocs -o work \
	"$here/programs/branch_workload.c" || exit 1
gcc -O2 -o tracer "$here/programs/branch_tracer.c" || exit 1
objdump -d --no-show-raw-insn work | sed -nE 's/^ +([0-9a-f]+):.*/\1/p' >instructions
./tracer instructions 5 32 ./work >lines
[ "$(wc -l <lines)" -gt 100 ] || skip_all "programs cannot be followed here"
python3 "$here/branch_data.py" work.data work <lines || exit 1
