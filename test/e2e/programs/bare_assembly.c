/*
 * Assembly as in video and image libraries: no unwind information, no symbols, called by a pointer that does not tell where a
 * function begins. While the frame is aligned, the stack pointer is saved in memory, or in a register across a call.
 */
#include <time.h>

typedef void function(void);

/* The pointers point to the bytes before the functions. */
__asm__(".text\n"
	"	int3\n"
	".Lkept_in_memory:\n"
	"	push %rbp\n"
	"	mov %rsp, %rax\n"
	"	sub $96, %rsp\n"
	"	and $-32, %rsp\n"
	"	mov %rax, 80(%rsp)\n"
	"	xor %ebp, %ebp\n"
	"	mov $4000000, %ecx\n"
	"1:	dec %ecx\n"
	"	jnz 1b\n"
	"	mov 80(%rsp), %rsp\n"
	"	pop %rbp\n"
	"	ret\n"
	"	int3\n"
	".Lkept_in_register:\n"
	"	mov %rsp, %rdx\n"
	"	and $-32, %rsp\n"
	"	sub $64, %rsp\n"
	"	mov $4000000, %ecx\n"
	"	lea .Lkept_in_register-1(%rip), %rax\n"
	"	add $(.Lhelper - .Lkept_in_register + 1), %rax\n"
	"	call *%rax\n"
	"	mov %rdx, %rsp\n"
	"	ret\n"
	"	int3\n"
	".Lhelper:\n"
	"	dec %ecx\n"
	"	jnz .Lhelper\n"
	"	ret\n"
	"	.section .data.rel, \"aw\"\n"
	"	.globl in_front\n"
	"in_front:\n"
	"	.quad .Lkept_in_memory - 1, .Lkept_in_register - 1\n"
	"	.text\n");

extern const char *const volatile in_front[2];

__attribute__((noinline, noclone)) static void call(int number)
{
	union {
		const char *address;
		function *function;
	} pointer = { .address = in_front[number] + 1 };

	pointer.function();
	__asm__ volatile("");
}

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2) {
		call(0);
		call(1);
	}
	return 0;
}
