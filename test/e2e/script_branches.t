#!/usr/bin/env bash
# `xprof script` prints the same code between branches as perf script: for a recording that is made here, branch by branch,
# because few machines record branches, and for a program whose every address is known.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(uname -m)" = x86_64 ] || skip_all "the program's instructions are those of x86-64"
command -v python3 >/dev/null || skip_all "python3 is not installed"
command -v gcc >/dev/null || skip_all "gcc is not installed"
cd "$tmp" || exit 1

# main: 401000 push, 401001 mov, 401006 .Lagain: mov, 401008 call, 40100d add, 401010 cmp, 401016 jne, 401018 pop, 401019 ret
# leaf: 401020 lea, 401023 test, 401026 je, 401028 inc, 40102a ret
cat >walk.s <<'END'
	.globl main, leaf, _start
	.text
	.type main, @function
_start:
main:	push %rbx
	mov $0, %ebx
.Lagain:	mov %ebx, %edi
	call leaf
	add $1, %ebx
	cmp $1000000, %ebx
	jne .Lagain
	pop %rbx
	ret
	.size main, . - main
	.p2align 5
	.type leaf, @function
leaf:	lea (%rdi,%rdi,2), %eax
	test $1, %al
	jz .Leven
	inc %eax
.Leven:	ret
	.size leaf, . - leaf
END
gcc -nostdlib -static -Wl,-Ttext=0x401000 -o walk walk.s 2>err || skip_all "no static program can be linked: $(head -1 err)"

cat >make.py <<'END'
import os, struct

PRED, MISPRED, ABORT = 2, 1, 8
def cycles(n): return n << 4
JNE, CALL, JZ, RET = 0x401016, 0x401008, 0x401025, 0x40102a
AGAIN, BEHIND, LEAF, EVEN = 0x401006, 0x40100d, 0x401020, 0x40102a
loop = [(JNE, AGAIN, PRED | cycles(3)), (0x401029, BEHIND, PRED | cycles(5)), (CALL, LEAF, PRED | cycles(2)),
        (JNE, AGAIN, MISPRED | cycles(30)), (0x401029, BEHIND, PRED | cycles(1))]
samples = [
    (CALL, loop),
    (JNE, loop),                                                  # the sample is the latest branch
    (LEAF, loop),                                                 # a branch to the sample is missing
    (LEAF + 3, [(CALL, LEAF, PRED)] + loop),
    (CALL, [(JNE, AGAIN, PRED | ABORT)] + loop[1:]),
    (0x401010, [(0x401029, BEHIND + 1, PRED)] + loop),            # into the middle of an instruction
    (0x401010, [(0xffffffff81000000, BEHIND, PRED), (CALL, 0xffffffff81000010, PRED)] + loop),
    (0x401010, [(0x40100d, AGAIN, PRED)] + loop),                 # from where no branch is
    (0x409999, loop), (0x401010, []), (0x401018, [(0x500000, AGAIN, PRED)] + loop),
]

def record(type, misc, body):
    return struct.pack("<IHH", type, misc, 8 + len(body)) + body

def trailer(time):
    return struct.pack("<IIQ", 4242, 4242, time)

path = os.path.abspath("walk").encode() + b"\0"
path += b"\0" * (-len(path) % 8)
records = record(3, 0, struct.pack("<II", 4242, 4242) + b"walk\0\0\0\0" + trailer(1))
records += record(1, 2, struct.pack("<IIQQQ", 4242, 4242, 0x401000, 0x1000, 0x1000) + path + trailer(2))
for number, (ip, branches) in enumerate(samples):
    body = struct.pack("<QIIQQQ", ip, 4242, 4242, 1000 + number, 1000, len(branches))
    for branch in branches:
        body += struct.pack("<QQQ", *branch)
    records += record(9, 2, body)
# cycles: IP, TID, TIME, PERIOD, BRANCH_STACK; sample_id_all, mmap, comm; branches: any, user
attr = struct.pack("<IIQQQQ", 0, 128, 0, 1000, 0x907, 0) + struct.pack("<QIIQQQ", 1 << 18 | 1 << 9 | 1 << 8, 0, 0, 0, 0, 9)
attr = attr.ljust(128, b"\0")
data = 104 + 144
features = [text.ljust(64, b"\0") for text in (os.uname().release.encode(), b"x86_64")]
table, at = b"", data + len(records) + 3 * 16
for section in [struct.pack("<I", 64) + text for text in features] + [b""]:
    table += struct.pack("<QQ", at, len(section))
    at += len(section)
with open("branches.data", "wb") as out:
    out.write(b"PERFILE2" + struct.pack("<14Q", 104, 144, 104, 144, data, len(records), 0, 0, 1 << 4 | 1 << 6 | 1 << 15, 0, 0, 0, 0, 0)[:96])
    out.write(attr + struct.pack("<QQ", 0, 0) + records + table)
    out.write(b"".join(struct.pack("<I", 64) + text for text in features))
END
python3 make.py || exit 1

for fields in +brstackinsn +brstackinsnlen +brstackinsn,+insn,+insnlen,+brstacksym ip,brstackinsn; do
	perf_quietly script --no-inline -i branches.data -F "$fields" >perf.txt
	"$xprof" script -i branches.data -F "$fields" >xprof.txt
	ok "the_code_between_branches_is_perfs_with_$fields ($(wc -l <perf.txt) lines)" diff perf.txt xprof.txt
done
like "$(cat perf.txt)" "MISPRED 30 cycles" "branches_say_what_they_took"
like "$(cat perf.txt)" "not reaching sample" "a_missing_branch_is_said"
done_testing
