#include "unwind/code/code_starts.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"

enum { CODE = 0x1000 };

static const uint8_t code[] = {
	0x48, 0x8d, 0x3d, 0x19, 0,    0,    0, /* 0x00 start: lea taken(%rip),%rdi */
	0xe8, 0x03, 0,    0,    0,             /* 0x07 call called */
	0xeb, 0x1b,                            /* 0x0c jmp jumped */
	0x90,                                  /* 0x0e inside: nop */
	0x53, 0x74, 0xfc, 0x5b, 0xc3,          /* 0x0f called: push %rbx; je inside; pop %rbx; ret */
	0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0,    0,    0,    0,    0,
	0x90, 0x48, 0x83, 0xec, 0x08, 0x48, 0x83, 0xc4, 0x08, 0xc3, /* 0x20 taken: sub $8,%rsp; add $8,%rsp; ret */
	0x55, 0x5d, 0xc3, /* 0x29 jumped: push %rbp; pop %rbp; ret */
	0x50, 0x58, 0xc3, /* 0x2c by_data: push %rax; pop %rax; ret */
};

static struct elf_file *file_of(const void *bytes, size_t size, const Elf64_Rela *relocation)
{
	struct elf_builder elf;

	elf_builder_init(&elf, true, false, ET_DYN, EM_X86_64);
	elf_builder_code_segment(&elf, elf_builder_section(&elf, ".text", SHT_PROGBITS,
							   SHF_ALLOC | SHF_EXECINSTR, CODE, bytes, size));
	if (relocation)
		elf_builder_section(&elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, 0x8000, relocation,
				    sizeof(*relocation));
	return elf_builder_open(&elf, "starts");
}

/* `context` is the end of the described code, which begins at CODE; NULL: nothing is described. */
static bool covers(void *context, uint64_t vaddr)
{
	const uint64_t *end = context;

	return end && vaddr >= CODE && vaddr < *end;
}

static size_t list(void *context, struct code_range **ranges)
{
	const uint64_t *end = context;

	*ranges = end ? malloc(sizeof(**ranges)) : NULL;
	if (*ranges)
		**ranges = (struct code_range){ CODE, *end };
	return *ranges ? 1 : 0;
}

static const struct code_descriptions none = { covers, list, NULL };

static bool has_decoder(void)
{
	struct code_instruction instruction;

	return code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction);
}

static void assert_starts_beside(const struct code_descriptions *described, const Elf64_Rela *relocation,
				 const uint64_t *expected, size_t count)
{
	/* `start` has a symbol and ends behind its jump. */
	static const uint64_t bounds[] = { CODE + 0x0e, CODE };
	struct elf_file *file = file_of(code, sizeof(code), relocation);
	uint64_t *starts;

	assert_int_equal(code_starts_find(file, &unwind_arch_x86_64, described, bounds, 2, &starts), count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(starts[i], expected[i]);
	free(starts);
	elf_file_close(file);
}

static void assert_starts(const Elf64_Rela *relocation, const uint64_t *expected, size_t count)
{
	assert_starts_beside(&none, relocation, expected, count);
}

static void functions_begin_where_somebody_calls_points_or_jumps_from_another(void **state)
{
	static const uint64_t expected[] = { CODE + 0x0f, CODE + 0x20, CODE + 0x29 };

	(void)state;
	if (!has_decoder())
		skip();
	assert_starts(NULL, expected, 3);
}

static void pointers_of_data_count_where_nothing_runs_into_them(void **state)
{
	static const uint64_t expected[] = { CODE + 0x0f, CODE + 0x20, CODE + 0x29, CODE + 0x2c };
	Elf64_Rela relocation = { .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE), .r_addend = CODE + 0x2c };

	(void)state;
	if (!has_decoder())
		skip();
	assert_starts(&relocation, expected, 4);
	relocation.r_addend = CODE + 0x2d; /* pop %rax: behind push */
	assert_starts(&relocation, expected, 3);
	relocation.r_addend = 0x4000; /* no code */
	assert_starts(&relocation, expected, 3);
}

/* As on 32-bit x86: the relocation gives the pointer's place, and the pointer is already there. */
static void pointers_of_data_are_found_by_relocations_without_addends(void **state)
{
	/* ret; nop; nop; nop; at 0x1004: push %eax; pop %eax; ret */
	static const uint8_t bytes[] = { 0xc3, 0x90, 0x90, 0x90, 0x50, 0x58, 0xc3 };
	static const uint32_t data[] = { 7, CODE + 4, CODE };
	static const Elf32_Rel relocations[] = { { 0x8004, ELF32_R_INFO(0, R_386_RELATIVE) },
						 { 0x8008, ELF32_R_INFO(0, R_386_32) },
						 { 0x9000, ELF32_R_INFO(0, R_386_RELATIVE) } };
	struct elf_builder elf;
	struct elf_file *file;
	uint64_t *starts;
	uint32_t section;

	(void)state;
	if (!has_decoder())
		skip();
	elf_builder_init(&elf, false, false, ET_DYN, EM_386);
	elf_builder_code_segment(&elf,
				 elf_builder_section(&elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
						     CODE, bytes, sizeof(bytes)));
	section = elf_builder_section(&elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x8000, data,
				      sizeof(data));
	elf_builder_segment(&elf, PT_LOAD, PF_R | PF_W, elf.sections[section].file_offset, 0x8000,
			    sizeof(data), 4);
	elf_builder_section(&elf, ".rel.dyn", SHT_REL, SHF_ALLOC, 0xa000, relocations, sizeof(relocations));
	file = elf_builder_open(&elf, "starts");
	assert_int_equal(code_starts_find(file, &unwind_arch_i386, &none, NULL, 0, &starts), 1);
	assert_int_equal(starts[0], CODE + 4);
	free(starts);
	elf_file_close(file);
}

/* Searches a program or library with this code, and with these pointers in writable data. */
static size_t count_starts(uint16_t type, const uint8_t *bytes, size_t size, const uint64_t pointers[3],
			   const struct code_descriptions *described, uint64_t **starts)
{
	struct elf_builder elf;
	struct elf_file *file;
	uint32_t data;
	size_t count;

	elf_builder_init(&elf, true, false, type, EM_X86_64);
	elf_builder_code_segment(&elf, elf_builder_section(&elf, ".text", SHT_PROGBITS,
							   SHF_ALLOC | SHF_EXECINSTR, CODE, bytes, size));
	data = elf_builder_section(&elf, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x8000, pointers,
				   3 * sizeof(*pointers));
	elf_builder_segment(&elf, PT_LOAD, PF_R | PF_W, elf.sections[data].file_offset, 0x8000,
			    3 * sizeof(*pointers), 8);
	file = elf_builder_open(&elf, "fixed");
	count = code_starts_find(file, &unwind_arch_x86_64, described, NULL, 0, starts);
	elf_file_close(file);
	return count;
}

static void described_code_is_looked_through_for_what_leads_out_of_it(void **state)
{
	static const uint64_t expected[] = { CODE + 0x0f, CODE + 0x20 };
	uint64_t end = CODE + 0x0e;

	(void)state;
	if (!has_decoder())
		skip();
	/* Only a two-byte jump reaches `jumped`, and such jumps do not lead far. */
	assert_starts_beside(&(struct code_descriptions){ covers, list, &end }, NULL, expected, 2);
}

static void constants_and_data_are_pointers_in_programs_at_fixed_addresses(void **state)
{
	/* mov $0x1010,%edi; ret; nops; at 0x1010: push %rax; pop %rax; ret; at 0x1013 the same, pointed to by data. */
	static const uint8_t bytes[] = { 0xbf, 0x10, 0x10, 0,    0,    0xc3, 0x90, 0x90, 0x90, 0x90, 0x90,
					 0x90, 0x90, 0x90, 0x90, 0x90, 0x50, 0x58, 0xc3, 0x50, 0x58, 0xc3 };
	static const uint64_t pointers[] = { 7, CODE + 0x13, CODE + 0x14 };
	uint64_t *starts;

	(void)state;
	if (!has_decoder())
		skip();
	assert_int_equal(count_starts(ET_EXEC, bytes, sizeof(bytes), pointers, &none, &starts), 2);
	assert_int_equal(starts[0], CODE + 0x10);
	assert_int_equal(starts[1], CODE + 0x13);
	free(starts);
	assert_int_equal(count_starts(ET_DYN, bytes, sizeof(bytes), pointers, &none, &starts), 0);
	free(starts);
}

/* The last call of a cold part does not return, and main follows at once, as in static programs of glibc and GCC. */
static void what_is_described_does_not_run_into_what_is_not(void **state)
{
	/* call; at 0x1005: push %rax; pop %rax; ret */
	static const uint8_t bytes[] = { 0xe8, 0x10, 0, 0, 0, 0x50, 0x58, 0xc3 };
	static const uint64_t pointers[] = { 0, CODE + 5, 0 };
	uint64_t end = CODE + 5;
	uint64_t *starts;

	(void)state;
	if (!has_decoder())
		skip();
	assert_int_equal(count_starts(ET_EXEC, bytes, sizeof(bytes), pointers,
				      &(struct code_descriptions){ covers, list, &end }, &starts),
			 1);
	assert_int_equal(starts[0], CODE + 5);
	free(starts);
	assert_int_equal(count_starts(ET_EXEC, bytes, sizeof(bytes), pointers, &none, &starts), 0);
	free(starts);
}

/* Free Pascal pads with zeros; an odd number of zeros is no whole number of instructions. */
static void zeros_between_functions_are_no_instructions(void **state)
{
	/* ret; 7 zeros; at 0x1008: xor %eax,%eax; ret; then call; 3 zeros; at 0x1014: the same */
	static const uint8_t bytes[] = { 0xc3, 0, 0, 0, 0, 0, 0, 0, 0x31, 0xc0, 0xc3, 0xe8,
					 0x10, 0, 0, 0, 0, 0, 0, 0, 0x31, 0xc0, 0xc3 };
	static const uint64_t pointers[] = { CODE + 8, CODE + 0x14, CODE + 9 };
	uint64_t *starts;

	(void)state;
	if (!has_decoder())
		skip();
	assert_int_equal(count_starts(ET_EXEC, bytes, sizeof(bytes), pointers, &none, &starts), 2);
	assert_int_equal(starts[0], CODE + 8);
	assert_int_equal(starts[1], CODE + 0x14);
	free(starts);
}

static void large_files_are_not_searched(void **state)
{
	uint8_t *bytes = calloc(CODE_STARTS_MAX_BYTES + 1, 1);
	struct elf_file *file;
	uint64_t *starts;

	(void)state;
	memcpy(bytes, code, sizeof(code));
	file = file_of(bytes, CODE_STARTS_MAX_BYTES + 1, NULL);
	assert_int_equal(code_starts_find(file, &unwind_arch_x86_64, &none, NULL, 0, &starts), 0);
	assert_null(starts);
	elf_file_close(file);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_begin_where_somebody_calls_points_or_jumps_from_another),
		cmocka_unit_test(pointers_of_data_count_where_nothing_runs_into_them),
		cmocka_unit_test(pointers_of_data_are_found_by_relocations_without_addends),
		cmocka_unit_test(described_code_is_looked_through_for_what_leads_out_of_it),
		cmocka_unit_test(constants_and_data_are_pointers_in_programs_at_fixed_addresses),
		cmocka_unit_test(what_is_described_does_not_run_into_what_is_not),
		cmocka_unit_test(zeros_between_functions_are_no_instructions),
		cmocka_unit_test(large_files_are_not_searched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
