/*
 * Builds a file around call frame information of arbitrary bytes, and walks stacks of arbitrary bytes with it. The first
 * byte chooses the machine, the section, whether there is a table, and whether the code, which is read where no CFI
 * describes it, is arbitrary bytes, too. The length of the CFI in two bytes, the CFI, and the stack follow.
 */

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/elf_builder.h"
#include "unwind/unwinder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	CODE = 0x1000,
	CODE_BYTES = 0x1000,
	FRAME = 0x4000,
	STACK = 0x7000,
	MAX_FRAMES = 64,
	PREFIX_BYTES = 3
};

enum { IS_AARCH64 = 1, IS_DEBUG_FRAME = 2, HAS_TABLE = 4, IS_SWAPPED = 8, GUESS = 16, HAS_CODE = 32 };

/* Above LOST there is code of a file that cannot be read. */
static bool find(void *context, uint64_t address, struct unwind_mapping *mapping)
{
	enum { LOST = 0x8000, END = 0x10000 };
	const bool is_lost = address >= LOST;

	*mapping = (struct unwind_mapping){
		.start = is_lost ? LOST : 0,
		.end = is_lost ? END : LOST,
		.module = is_lost ? NULL : context,
		.executable = true,
	};
	return address < END;
}

static struct module *build(uint8_t flags, const uint8_t *cfi, size_t cfi_size)
{
	uint8_t code[CODE_BYTES] = { 0 };
	bool is_eh_frame = !(flags & IS_DEBUG_FRAME);
	/* The table is the end of the CFI, and thus as arbitrary. */
	size_t table = flags & HAS_TABLE && is_eh_frame ? cfi_size / 2 : 0;
	struct elf_builder elf;
	struct elf_file *file;
	struct error err;
	uint8_t *bytes;
	size_t size;

	for (size_t i = 0; flags & HAS_CODE && i < sizeof(code) && cfi_size > 0; i++)
		code[i] = cfi[i % cfi_size];
	elf_builder_init(&elf, true, flags & IS_SWAPPED, ET_DYN, flags & IS_AARCH64 ? EM_AARCH64 : EM_X86_64);
	elf_builder_code_segment(&elf,
				 elf_builder_section(&elf, flags & HAS_CODE ? ".init" : ".text", SHT_PROGBITS,
						     SHF_ALLOC | SHF_EXECINSTR, CODE, code, sizeof(code)));
	elf_builder_section(&elf, is_eh_frame ? ".eh_frame" : ".debug_frame", SHT_PROGBITS, 0, FRAME, cfi,
			    cfi_size - table);
	if (table)
		elf_builder_section(&elf, ".eh_frame_hdr", SHT_PROGBITS, 0, FRAME + cfi_size - table,
				    cfi + cfi_size - table, table);
	bytes = elf_builder_finish(&elf, &size);
	elf_builder_fini(&elf);
	file = elf_file_open_memory(bytes, size, "fuzz", &err);
	return file ? module_create(0, file, NULL, &err) : NULL;
}

static void walk(struct unwinder *unwinder, struct module *module, uint8_t flags, uint64_t pc,
		 const uint8_t *stack_bytes, size_t stack_size)
{
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack = { .frames = frames, .capacity = MAX_FRAMES };
	struct unwind_input input = {
		.arch = module_arch(module),
		.pc = pc,
		.stack = { stack_bytes, stack_size, STACK, flags & IS_SWAPPED },
		.find_mapping = find,
		.context = module,
		.space = 1,
		.guess = flags & GUESS,
	};

	input.registers.known = UINT32_MAX;
	for (size_t i = 0; i < 32; i++)
		input.registers.value[i] = STACK + 8 * i;
	input.registers.value[input.arch->sp] = STACK;
	unwinder_walk(unwinder, &input, &stack);
	if (stack.count > MAX_FRAMES || stack.stack_bytes_used > stack_size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwinder *unwinder;
	struct module *module;
	size_t cfi_size;

	if (size < PREFIX_BYTES)
		return 0;
	cfi_size = (size_t)data[1] << 8 | data[2];
	if (cfi_size > size - PREFIX_BYTES)
		cfi_size = size - PREFIX_BYTES;
	module = build(data[0], data + PREFIX_BYTES, cfi_size);
	if (!module)
		return 0;
	unwinder = unwinder_create();
	for (uint64_t pc = CODE; pc < CODE + CODE_BYTES; pc += 0xab)
		walk(unwinder, module, data[0], pc, data + PREFIX_BYTES + cfi_size,
		     size - PREFIX_BYTES - cfi_size);
	walk(unwinder, module, data[0], CODE + 0x10, data, size);
	unwinder_destroy(unwinder);
	module_destroy(module);
	return 0;
}
