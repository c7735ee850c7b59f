#include "support/nameless_profile.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"

enum { MAPPING_BYTES = 0x10000, CODE_BYTES = 0x1000 };

static void map(struct nameless_profile *nameless, enum nameless_file at, const char *path, uint8_t id)
{
	const uint8_t build_id[] = { 0xab, id };

	perf_data_builder_mmap2(nameless->builder, &(struct built_mmap){ .pid = 7,
									 .tid = 7,
									 .start = at,
									 .length = MAPPING_BYTES,
									 .prot = PROT_EXEC | PROT_READ,
									 .build_id = id ? build_id : NULL,
									 .build_id_size = id ? 2 : 0,
									 .misc = PERF_RECORD_MISC_USER,
									 .path = path,
									 .time_ns = 1 });
}

void nameless_profile_init(struct nameless_profile *nameless)
{
	*nameless = (struct nameless_profile){ .builder = perf_data_builder_create(BUILD_NATIVE),
					       .time_ns = 1000 };
	temp_tree_create(&nameless->tree);
	nameless->symfs = nameless->tree.root;
	assert_int_equal(setenv("HOME", nameless->tree.root, 1), 0);
	perf_data_builder_add_clock(nameless->builder);
	perf_data_builder_comm(nameless->builder, 7, 7, "nameless", 1);
	map(nameless, NAMELESS_HOT, "/bin/hot", 1);
	map(nameless, NAMELESS_WARM, "/bin/warm", 2);
	map(nameless, NAMELESS_UNKNOWN, "/bin/unknown", 0);
}

void nameless_profile_fini(struct nameless_profile *nameless)
{
	loaded_profile_fini(&nameless->loaded);
	perf_file_close(nameless->file);
	perf_data_builder_destroy(nameless->builder);
	temp_tree_remove(&nameless->tree);
}

void nameless_profile_add(struct nameless_profile *nameless, uint64_t address, uint64_t caller,
			  unsigned count)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, address, caller };

	for (unsigned i = 0; i < count; i++)
		perf_data_builder_sample(nameless->builder,
					 &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
								 .ip = address,
								 .pid = 7,
								 .tid = 7,
								 .time_ns = nameless->time_ns++,
								 .period = 1000,
								 .callchain = chain,
								 .callchain_count = caller ? 3 : 2 });
}

void nameless_profile_elf(struct nameless_profile *nameless, const char *path, uint8_t id, bool symtab)
{
	static const uint8_t code[CODE_BYTES];
	struct elf_builder_symbol named = {
		"named", 0, CODE_BYTES, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1
	};
	struct elf_builder builder;
	uint32_t text;
	uint8_t *bytes;
	size_t size;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	text = elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0, code,
				   sizeof(code));
	builder.sections[text].vaddr = named.value = builder.sections[text].file_offset;
	elf_builder_code_segment(&builder, text);
	if (symtab)
		elf_builder_symbols(&builder, SHT_SYMTAB, &named, 1);
	elf_builder_build_id(&builder, (const uint8_t[]){ 0xab, id }, 2);
	bytes = elf_builder_finish(&builder, &size);
	elf_builder_fini(&builder);
	temp_tree_bytes(&nameless->tree, path, bytes, size);
	free(bytes);
}

void nameless_profile_load(struct nameless_profile *nameless, const char *cache)
{
	static const char *const no_dirs[] = { NULL };
	const struct load_options options = { .symbols = { .symfs = nameless->symfs,
							   .debug_dirs = no_dirs,
							   .debuginfod_cache = cache,
							   .kallsyms_path = "/proc/nonexistent" } };
	struct error err;

	perf_data_builder_finish_file(nameless->builder);
	nameless->file = perf_data_builder_open(nameless->builder);
	assert_int_equal(profile_load(nameless->file, &options, &nameless->loaded, &err), 0);
}
