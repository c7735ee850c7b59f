# shellcheck shell=bash
# For tests that record on played machines (test/kernel): source it after e2e/lib.sh.

# shellcheck disable=SC2154 # of e2e/lib.sh
player=$build/test/kernel/kernel_player

need_player() {
	[ -x "$player" ] || skip_all "test/kernel/kernel_player was not built"
	[ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] || skip_all "the scripts have two CPUs, and this machine has one"
	echo "machine none" >"$tmp/none.play"
	"$player" "$tmp/none.play" true 2>"$tmp/player.err" ||
		skip_all "no kernel can be played here: $(head -1 "$tmp/player.err")"
}

# SCRIPT COMMAND...: lists the opened events in $tmp/opened.
play() {
	timeout 120 "$player" -l "$tmp/opened" "$@"
}

# A program whose every address is known, as ./walk:
# main: 401000 push, 401001 mov, 401006 mov, 401008 call, 40100d add, 401010 cmp, 401016 jne, 401018 pop, 401019 ret
# leaf: 401020 lea, 401023 test, 401025 je, 401027 inc, 401029 ret
# outer: 401040 sub, 401044 call main, 401049 add, 40104d ret
# top: 401060 sub, 401064 call outer, 401069 add, 40106d ret
# Their frames, without the return address: main 8 bytes, leaf none, outer 24, top 8.
make_walk() {
	cat >walk.s <<'END'
	.globl main, leaf, _start
	.text
	.type main, @function
_start:
main:	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	mov $0, %ebx
.Lagain:	mov %ebx, %edi
	call leaf
	add $1, %ebx
	cmp $1000000, %ebx
	jne .Lagain
	pop %rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size main, . - main
	.p2align 5
	.type leaf, @function
leaf:	.cfi_startproc
	lea (%rdi,%rdi,2), %eax
	test $1, %al
	jz .Leven
	inc %eax
.Leven:	ret
	.cfi_endproc
	.size leaf, . - leaf
	.p2align 5
	.globl outer
	.type outer, @function
outer:	.cfi_startproc
	sub $24, %rsp
	.cfi_adjust_cfa_offset 24
	call main
	add $24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_endproc
	.size outer, . - outer
	.p2align 5
	.globl top
	.type top, @function
top:	.cfi_startproc
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call outer
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size top, . - top
	.section .note.GNU-stack,"",@progbits
END
	gcc -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--eh-frame-hdr -o walk walk.s 2>err ||
		skip_all "no static program can be linked: $(head -1 err)"
}

# The records that make process 4242 run ./walk.
walk_records() {
	echo "comm pid=4242 tid=4242 time=1 name=walk"
	# perf reads the rules of unwinding through the mapping of the program's first bytes and of .eh_frame.
	echo "mmap pid=4242 tid=4242 time=2 start=0x400000 size=0x1000 offset=0 name=$PWD/walk"
	echo "mmap pid=4242 tid=4242 time=3 start=0x401000 size=0x1000 offset=0x1000 name=$PWD/walk"
	echo "mmap pid=4242 tid=4242 time=4 start=0x402000 size=0x1000 offset=0x2000 name=$PWD/walk"
}

# FIELDS NAME: perf and xprof read ./perf.data.p, which perf recorded, and ./xprof.data, all four alike.
read_alike() {
	local reader
	for reader in perf xprof; do
		perf_quietly script --no-inline -i $reader.played -F "$1" >$reader.perf
		"$xprof" script --no-inline -i $reader.played -F "$1" 2>>err | without_speculation >$reader.xprof
	done
	ok "$2 (perf's file, $(wc -l <perf.perf) lines)" diff perf.perf perf.xprof
	ok "$2 (xprof's file)" diff xprof.perf xprof.xprof
	ok "$2 (both files)" diff perf.perf xprof.perf
}
