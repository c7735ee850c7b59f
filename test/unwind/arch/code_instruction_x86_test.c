#include "unwind/arch/code_instruction.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/code_text.h"

/* Registers have DWARF numbers: 0 rax, 1 rdx, 2 rcx, 3 rbx, 6 rbp, 7 rsp, 10 r10, 12 r12. */
struct form {
	const char *what;
	const char *bytes;
	uint8_t size;
	const char *expected;
};

static const struct form forms[] = {
	{ "push %rbp", "\x55", 1, "next r7=r7-8 *(r7+0)=r6" },
	{ "push %r12", "\x41\x54", 2, "next r7=r7-8 *(r7+0)=r12" },
	{ "push %rsp", "\x54", 1, "next r7=r7-8 *(r7+0)=8 bytes" },
	{ "push $1", "\x6a\x01", 2, "next r7=r7-8 *(r7+0)=8 bytes" },
	{ "push 8(%rax)", "\xff\x70\x08", 3, "next r7=r7-8 *(r7+0)=8 bytes" },
	{ "pushfq", "\x9c", 1, "next r7=r7-8 *(r7+0)=8 bytes" },
	{ "push %ax: of two bytes", "\x66\x50", 2, "next r7 lost *(r7+0)=2 bytes" },
	{ "pop %rbp", "\x5d", 1, "next r6=*(r7+0) r7=r7+8" },
	{ "pop %r12", "\x41\x5c", 2, "next r12=*(r7+0) r7=r7+8" },
	{ "pop 64(%rdi)", "\x8f\x47\x40", 3, "next r7=r7+8" },
	{ "pop %rsp", "\x5c", 1, "next r7=*(r7+0)" },
	{ "popfq", "\x9d", 1, "next r7=r7+8" },
	{ "sub $0x18,%rsp", "\x48\x83\xec\x18", 4, "next r7=r7-24" },
	{ "sub $0x1000,%rsp", "\x48\x81\xec\x00\x10\x00\x00", 7, "next r7=r7-4096" },
	{ "sub %rax,%rsp", "\x48\x29\xc4", 3, "next r7 lost" },
	{ "sub $0x18,%esp", "\x83\xec\x18", 3, "next r7 lost" },
	{ "add $0x18,%rsp", "\x48\x83\xc4\x18", 4, "next r7=r7+24" },
	{ "add $-128,%rsp", "\x48\x83\xc4\x80", 4, "next r7=r7-128" },
	{ "and $-16,%rsp", "\x48\x83\xe4\xf0", 4, "next r7 lost" },
	{ "lea 8(%rsp),%r10", "\x4c\x8d\x54\x24\x08", 5, "next r10=r7+8" },
	{ "lea -8(%r10),%rsp", "\x49\x8d\x62\xf8", 4, "next r7=r10-8" },
	{ "lea -40(%rbp),%rsp", "\x48\x8d\x65\xd8", 4, "next r7=r6-40" },
	{ "lea (%rsp,%rax,8),%rsp", "\x48\x8d\x24\xc4", 4, "next r7 lost" },
	{ "lea 8(%esp),%r10", "\x67\x4c\x8d\x54\x24\x08", 6, "next r10 lost" },
	{ "lea 16(%rip),%rdi", "\x48\x8d\x3d\x10\x00\x00\x00", 7, "next names +23 r5 lost" },
	{ "mov %rsp,%rbp", "\x48\x89\xe5", 3, "next r6=r7+0" },
	{ "mov %rsp,%rbp, the other way", "\x48\x8b\xec", 3, "next r6=r7+0" },
	{ "mov %esp,%ebp", "\x89\xe5", 2, "next r6 lost" },
	{ "mov %rbp,%rsp", "\x48\x89\xec", 3, "next r7=r6+0" },
	{ "mov %rbx,-16(%rsp)", "\x48\x89\x5c\x24\xf0", 5, "next *(r7-16)=r3" },
	{ "mov %ebx,-16(%rsp)", "\x89\x5c\x24\xf0", 4, "next *(r7-16)=4 bytes" },
	{ "mov %rbx,%fs:8(%rax)", "\x64\x48\x89\x58\x08", 5, "next" },
	{ "movl $0,8(%rsp)", "\xc7\x44\x24\x08\x00\x00\x00\x00", 8, "next *(r7+8)=4 bytes" },
	{ "movups %xmm0,16(%rsp)", "\x0f\x11\x44\x24\x10", 5, "next *(r7+16)=16 bytes" },
	{ "mov 8(%rsp),%rbx", "\x48\x8b\x5c\x24\x08", 5, "next r3=*(r7+8)" },
	{ "mov 8(%rsp,%rax),%rbx", "\x48\x8b\x5c\x04\x08", 5, "next r3 lost" },
	{ "mov 48(%rdi),%rsp", "\x48\x8b\x67\x30", 4, "next r7=*(r5+48)" },
	{ "mov $1,%ebp", "\xbd\x01\x00\x00\x00", 5, "next r6 lost" },
	{ "mov $1,%bpl", "\x40\xb5\x01", 3, "next r6 lost" },
	{ "xchg %rax,%rsp", "\x48\x94", 2, "next r7 lost r0 lost" },
	{ "leave", "\xc9", 1, "next r7=r6+0 r6=*(r7+0) r7=r7+8" },
	{ "enter $16,$0", "\xc8\x10\x00\x00", 4, "next r6 lost r7 lost *(r7+0)=8 bytes" },
	{ "ret", "\xc3", 1, "end" },
	{ "ret $8", "\xc2\x08\x00", 3, "end" },
	{ "ud2", "\x0f\x0b", 2, "end" },
	{ "hlt", "\xf4", 1, "end" },
	{ "int3", "\xcc", 1, "end padding" },
	{ "nop", "\x90", 1, "next padding" },
	{ "xchg %ax,%ax", "\x66\x90", 2, "next padding" },
	{ "xchg %ebx,%ebx", "\x87\xdb", 2, "next r3 lost r3 lost" },
	{ "nopw 0(%rax,%rax)", "\x66\x0f\x1f\x44\x00\x00", 6, "next padding" },
	{ "endbr64", "\xf3\x0f\x1e\xfa", 4, "next" },
	{ "call +0x20", "\xe8\x1b\x00\x00\x00", 5, "call +32" },
	{ "call of the next instruction", "\xe8\x00\x00\x00\x00", 5, "next r7=r7-8 *(r7+0)=8 bytes" },
	{ "call *%rax", "\xff\xd0", 2, "call" },
	{ "call *8(%rip)", "\xff\x15\x08\x00\x00\x00", 6, "call" },
	{ "jmp +2", "\xeb\x00", 2, "jump +2" },
	{ "jmp -3", "\xe9\xf8\xff\xff\xff", 5, "jump -3" },
	{ "jmp *%rax", "\xff\xe0", 2, "jump somewhere" },
	{ "notrack jmp *%rax", "\x3e\xff\xe0", 3, "jump somewhere" },
	{ "je +4", "\x74\x02", 2, "branch +4" },
	{ "jne +0x106", "\x0f\x85\x00\x01\x00\x00", 6, "branch +262" },
	{ "loop -2", "\xe2\xfc", 2, "branch -2 r2 lost" },
	{ "syscall", "\x0f\x05", 2, "next r2 lost r11 lost" },
	{ "cpuid", "\x0f\xa2", 2, "next r0 lost r3 lost r2 lost r1 lost" },
};

/* 32-bit registers have other numbers: 0 eax, 1 ecx, 2 edx, 3 ebx, 4 esp, 5 ebp, 6 esi, 7 edi. */
static const struct form forms_of_32_bits[] = {
	{ "push %ebp", "\x55", 1, "next r4=r4-4 *(r4+0)=r5" },
	{ "push %es", "\x06", 1, "next r4=r4-4 *(r4+0)=4 bytes" },
	{ "pushf", "\x9c", 1, "next r4=r4-4 *(r4+0)=4 bytes" },
	{ "pop %esi", "\x5e", 1, "next r6=*(r4+0) r4=r4+4" },
	{ "inc %eax", "\x40", 1, "next r0 lost" },
	{ "sub $28,%esp", "\x83\xec\x1c", 3, "next r4=r4-28" },
	{ "sub $28,%sp", "\x66\x83\xec\x1c", 4, "next r4 lost" },
	{ "mov %esp,%ebp", "\x89\xe5", 2, "next r5=r4+0" },
	{ "lea -12(%ebp),%esp", "\x8d\x65\xf4", 3, "next r4=r5-12" },
	{ "mov %ebx,8(%esp)", "\x89\x5c\x24\x08", 4, "next *(r4+8)=r3" },
	{ "mov 8(%esp),%edi", "\x8b\x7c\x24\x08", 4, "next r7=*(r4+8)" },
	{ "mov %gs:0,%eax", "\x65\xa1\x00\x00\x00\x00", 6, "next r0 lost" },
	{ "leave", "\xc9", 1, "next r4=r5+0 r5=*(r4+0) r4=r4+4" },
	{ "xchg %ebx,%ebx", "\x87\xdb", 2, "next padding" },
	{ "call of the next instruction", "\xe8\x00\x00\x00\x00", 5, "next r4=r4-4 *(r4+0)=4 bytes" },
	{ "call *%gs:0x10", "\x65\xff\x15\x10\x00\x00\x00", 7, "call" },
	{ "jmp *12(%ebx)", "\xff\xa3\x0c\x00\x00\x00", 6, "jump somewhere" },
	{ "ret", "\xc3", 1, "end" },
};

typedef bool read_function(const uint8_t *bytes, size_t size, struct code_instruction *instruction);

static void assert_effects(read_function *read, const struct form *wanted, size_t count)
{
	struct code_instruction instruction;

	if (!read((const uint8_t *)"\xc3", 1, &instruction))
		skip(); /* built without the instruction decoder */
	for (size_t i = 0; i < count; i++) {
		char text[CODE_TEXT_BYTES];

		assert_true(read((const uint8_t *)wanted[i].bytes, wanted[i].size, &instruction));
		assert_int_equal(instruction.size_bytes, wanted[i].size);
		code_text(text, &instruction);
		if (strcmp(text, wanted[i].expected) != 0)
			fail_msg("%s: %s, not %s", wanted[i].what, text, wanted[i].expected);
	}
}

static void each_form_has_its_effects(void **state)
{
	(void)state;
	assert_effects(code_instruction_x86_64, forms, sizeof(forms) / sizeof(*forms));
}

static void each_form_of_32_bits_has_its_effects(void **state)
{
	(void)state;
	assert_effects(code_instruction_i386, forms_of_32_bits,
		       sizeof(forms_of_32_bits) / sizeof(*forms_of_32_bits));
}

static void half_an_instruction_is_none(void **state)
{
	struct code_instruction instruction;

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		for (uint8_t size = 0; size < forms[i].size; size++)
			if (code_instruction_x86_64((const uint8_t *)forms[i].bytes, size, &instruction))
				assert_in_range(instruction.size_bytes, 1, size);
}

static void bytes_that_are_no_instruction_are_refused(void **state)
{
	struct code_instruction instruction;

	(void)state;
	assert_false(
		code_instruction_x86_64((const uint8_t *)"\x06", 1, &instruction)); /* push %es is 32-bit */
	assert_false(code_instruction_x86_64((const uint8_t *)"\xff\xff", 2, &instruction));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_has_its_effects),
		cmocka_unit_test(each_form_of_32_bits_has_its_effects),
		cmocka_unit_test(half_an_instruction_is_none),
		cmocka_unit_test(bytes_that_are_no_instruction_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
