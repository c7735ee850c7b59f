/* A program whose table of Go functions is arbitrary bytes: searches it and reads sizes of frames. */

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "elf/go_functions.h"
#include "support/elf_builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct go_functions *functions)
{
	enum { MOST = 64 };

	for (size_t i = 0; i < go_functions_count(functions) && i < MOST; i++) {
		struct go_function function, found;
		int32_t frame_size;

		if (!go_functions_at(functions, i, &function))
			continue;
		(void)strlen(function.name);
		(void)go_functions_find(functions, function.start, &found);
		(void)go_functions_frame_size(functions, &function, function.end - 1, &frame_size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct go_functions *functions;
	struct elf_builder builder;
	struct elf_file *file;

	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, NULL, 0);
	elf_builder_section(&builder, ".gopclntab", SHT_PROGBITS, SHF_ALLOC, 0x8000, data, size);
	file = elf_builder_open(&builder, "go");
	functions = go_functions_open(file);
	if (functions)
		use(functions);
	go_functions_close(functions);
	elf_file_close(file);
	return 0;
}
