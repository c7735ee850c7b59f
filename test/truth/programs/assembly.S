/*
 * Hand-written functions as libraries have them: with CFI of unusual kinds. Each calls `callee`,
 * so that it is seen as a caller too, between instructions of every stage.
 */
	.text
	.globl	main, callee

	.type callee, @function
callee:
	.cfi_startproc
	nop
	lea	1(%rdi), %eax
	ret
	.cfi_endproc

/* Pushes, and tells of each. */
	.type pushes, @function
pushes:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	push	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	sub	$24, %rsp
	.cfi_adjust_cfa_offset 24
	mov	$5, %ebx
	mov	%ebx, %edi
	call	callee
	.cfi_remember_state
	add	$24, %rsp
	.cfi_adjust_cfa_offset -24
	pop	%r12
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r12
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_restore_state
	.cfi_endproc

/* The frame is found by a register that is no frame pointer. */
	.type by_rbx, @function
by_rbx:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	mov	%rsp, %rbx
	.cfi_def_cfa_register %rbx
	and	$-64, %rsp
	sub	$64, %rsp
	mov	$3, %edi
	call	callee
	call	pushes
	mov	%rbx, %rsp
	.cfi_def_cfa_register %rsp
	pop	%rbx
	.cfi_restore %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc

/* The same by a register that calls do not keep: the CFA lies in memory, as libcrypto has it. */
	.type by_memory, @function
by_memory:
	.cfi_startproc
	mov	%rsp, %rax
	.cfi_def_cfa_register %rax
	push	%r12
	.cfi_offset %r12, -16
	push	%rbp
	.cfi_offset %rbp, -24
	sub	$136, %rsp
	and	$-64, %rsp
	mov	%rax, 56(%rsp)
	/* DW_CFA_def_cfa_expression: DW_OP_breg7 56, DW_OP_deref, DW_OP_plus_uconst 8 */
	.cfi_escape 0x0f, 5, 0x77, 56, 0x06, 0x23, 8
	call	callee
	call	by_rbx
	mov	56(%rsp), %rsi
	.cfi_def_cfa %rsi, 8
	mov	-16(%rsi), %rbp
	.cfi_restore %rbp
	mov	-8(%rsi), %r12
	.cfi_restore %r12
	lea	(%rsi), %rsp
	.cfi_def_cfa_register %rsp
	ret
	.cfi_endproc

/* Keeps the return address in a register while it calls nothing. */
	.type in_register, @function
in_register:
	.cfi_startproc
	pop	%rdx
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rdx
	lea	2(%rdi), %eax
	push	%rdx
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rip, -8
	ret
	.cfi_endproc

/* A frame with %rbp, as compilers make it. */
	.type with_rbp, @function
with_rbp:
	.cfi_startproc
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	call	by_memory
	call	in_register
	call	without_cfi
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc

/* Says nothing about itself, but keeps a frame pointer. */
	.type without_cfi, @function
without_cfi:
	push	%rbp
	mov	%rsp, %rbp
	sub	$32, %rsp
	call	callee
	call	with_cfi_again
	add	$32, %rsp
	pop	%rbp
	ret

	.type with_cfi_again, @function
with_cfi_again:
	.cfi_startproc
	sub	$8, %rsp
	.cfi_def_cfa_offset 16
	call	callee
	add	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc

	.type main, @function
main:
	.cfi_startproc
	push	%r15
	.cfi_def_cfa_offset 16
	.cfi_offset %r15, -16
	mov	$3, %r15d
1:
	call	with_rbp
	call	by_memory
	call	pushes
	dec	%r15d
	jnz	1b
	xor	%eax, %eax
	pop	%r15
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.section .note.GNU-stack, "", @progbits
