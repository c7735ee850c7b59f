/* A jitdump file of arbitrary bytes: reads and searches it, and compiles its unwind information. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/jitdump.h"
#include "unwind/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_code(const struct jitdump *dump, const struct jit_code *code)
{
	const struct module_frames frames = { .code = code->instructions,
					      .code_size = code->size,
					      .eh_frame = code->eh_frame.at,
					      .eh_frame_size = code->eh_frame.size,
					      .eh_frame_vaddr = code->size,
					      .hdr = code->eh_frame_hdr.at,
					      .hdr_size = code->eh_frame_hdr.size,
					      .hdr_vaddr = code->size + code->eh_frame.size,
					      .swap = jitdump_swap(dump) };
	const struct unwind_arch *arch = unwind_arch_find(jitdump_elf_machine(dump));
	struct module *module = arch ? module_create_jit(0, arch, &frames) : NULL;
	struct jit_line line;

	if (jitdump_line(dump, code, code->size - 1, &line))
		(void)strlen(line.file);
	if (module) {
		(void)module_rule(module, 0, false);
		(void)module_rule(module, code->size - 1, true);
	}
	module_destroy(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jitdump *dump = jitdump_from_bytes(data, size, "fuzz", NULL);

	for (size_t i = 0; dump && i < jitdump_code_count(dump); i++) {
		const struct jit_code *code = jitdump_code(dump, i);

		if (jitdump_find(dump, code->file_offset) != code ||
		    jitdump_find(dump, code->file_offset + code->size - 1) != code)
			abort();
		if (i < 100)
			use_code(dump, code);
	}
	for (size_t i = 0; dump && i < jitdump_placement_count(dump); i++)
		if (jitdump_placement(dump, i)->code >= jitdump_code_count(dump))
			abort();
	jitdump_close(dump);
	return 0;
}
