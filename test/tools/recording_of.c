/*
 * recording_of hybrid|hostile FILE: a recording of something that this machine may not have, for end-to-end tests.
 *
 *	hybrid   a machine with two kinds of cores: 3 samples of cpu_atom/cycles/P, 20 of cpu_core/cycles/P, 5 page faults
 *	hostile  names that want to drive a terminal, reorder text and forge lines, wherever a recording has names; the
 *	         program with functions of such names is written beside FILE
 */

#include <elf.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#include "format/perf_abi.h"
#include "support/elf_builder.h"
#include "support/perf_data_builder.h"

#define HOSTILE "evil\n1 [000] forged\r\033[31m\302\233\233\342\200\256\342\201\246\330\234"

enum { PID = 100, CODE = 0x400000, SIZE = 0x1000 };

static size_t add_event(struct perf_data_builder *b, const char *name, uint64_t period)
{
	struct built_event event = {
		.attr = { .type = PERF_TYPE_SOFTWARE,
			  .size = PERF_ATTR_SIZE_VER5,
			  .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
					 PERF_SAMPLE_CALLCHAIN,
			  .sample_period = period,
			  .sample_id_all = 1 },
		.name = name,
		.ids = { b->event_count + 1 },
		.id_count = 1,
	};

	return perf_data_builder_add_event(b, &event);
}

static void add_samples(struct perf_data_builder *b, size_t event, uint32_t cpu, unsigned count,
			uint64_t period)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, CODE + 0x20 + event, CODE + 0x10 };

	for (unsigned i = 0; i < count; i++)
		perf_data_builder_sample(b, &(struct built_sample){ .event = event,
								    .misc = PERF_RECORD_MISC_USER,
								    .ip = chain[1],
								    .pid = PID,
								    .tid = PID,
								    .time_ns = 1000000000 + i * 1000000,
								    .cpu = cpu,
								    .period = period,
								    .callchain = chain,
								    .callchain_count = 3 });
}

static void add_program(struct perf_data_builder *b, const char *comm, const char *path, uint64_t file_offset)
{
	perf_data_builder_comm(b, PID, PID, comm, 1);
	perf_data_builder_mmap2(b, &(struct built_mmap){ .pid = PID,
							 .tid = PID,
							 .start = CODE,
							 .length = SIZE,
							 .file_offset = file_offset,
							 .prot = 5,
							 .path = path,
							 .misc = PERF_RECORD_MISC_USER,
							 .time_ns = 2 });
}

static void build_hybrid(struct perf_data_builder *b)
{
	const size_t atom = add_event(b, "cpu_atom/cycles/P", 100),
		     core = add_event(b, "cpu_core/cycles/P", 100);
	const size_t faults = add_event(b, "page-faults", 1);

	add_program(b, "worker", "/nonexistent/worker", 0);
	add_samples(b, atom, 1, 3, 100);
	add_samples(b, core, 0, 20, 100);
	add_samples(b, faults, 0, 5, 1);
}

/* Returns the offset of its code in the file. */
static uint64_t write_program(const char *path)
{
	static const uint8_t code[SIZE] = { 0 };
	const struct elf_builder_symbol symbols[] = {
		{ HOSTILE "_caller", CODE, 0x20, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1 },
		{ HOSTILE "_leaf", CODE + 0x20, 0x20, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1 },
	};
	struct elf_builder elf;
	uint64_t file_offset;
	size_t size;
	uint8_t *bytes;
	FILE *out = fopen(path, "we");

	elf_builder_init(&elf, true, false, ET_EXEC, EM_X86_64);
	elf_builder_section(&elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CODE, code, sizeof(code));
	file_offset = elf.sections[1].file_offset;
	elf_builder_segment(&elf, PT_LOAD, PF_R | PF_X, file_offset, CODE, sizeof(code), 1);
	elf_builder_symbols(&elf, SHT_SYMTAB, symbols, 2);
	bytes = elf_builder_finish(&elf, &size);
	if (!out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0) {
		perror("recording_of");
		exit(1);
	}
	free(bytes);
	elf_builder_fini(&elf);
	return file_offset;
}

static void build_hostile(struct perf_data_builder *b, const char *file)
{
	char *copy = xstrdup(file), *path = xasprintf("%s/" HOSTILE ".so", dirname(copy));
	const size_t event = add_event(b, HOSTILE, 100);

	add_program(b, HOSTILE, path, write_program(path));
	perf_data_builder_ksymbol(b, 0xffffffff81000000, 0x10, 1, 0, HOSTILE, 3);
	free(path);
	free(copy);
	add_samples(b, event, 0, 10, 100);
	perf_data_builder_feature_string(b, HEADER_HOSTNAME, HOSTILE);
	perf_data_builder_feature_string(b, HEADER_OSRELEASE, HOSTILE);
	perf_data_builder_feature_string(b, HEADER_VERSION, HOSTILE);
}

int main(int argc, char **argv)
{
	struct perf_data_builder *b;

	if (argc != 3 || (strcmp(argv[1], "hybrid") != 0 && strcmp(argv[1], "hostile") != 0)) {
		fprintf(stderr, "usage: recording_of hybrid|hostile FILE\n");
		return 2;
	}
	b = perf_data_builder_create(BUILD_NATIVE);
	if (argv[1][1] == 'y')
		build_hybrid(b);
	else
		build_hostile(b, argv[2]);
	perf_data_builder_finish_file(b);
	perf_data_builder_save(b, argv[2]);
	perf_data_builder_destroy(b);
	return 0;
}
