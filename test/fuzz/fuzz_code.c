/*
 * Branches of any kind in an ELF file of any bytes: blocks, loops, indirect branches and cycles as report prints them, and
 * the profile for a compiler. Checks that blocks are in order and do not overlap.
 *
 * Input: { u8 format (3 bits) and branches per sample, less one (5 bits); u8 branches;
 *          { u16 from, u16 to, u8 flags, u8 cycles and type } each; the file }
 */

#include <stdlib.h>

#include "base/byte_reader.h"
#include "report/code/code_text.h"
#include "report/export/export_format.h"
#include "support/memory_file.h"
#include "support/perf_data_builder.h"

enum { PID = 7, BRANCHES_MAX = 255, BASE = 0x400000, PER_SAMPLE_MAX = 32, FORMATS = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t read_branches(struct byte_reader *input, uint64_t *words)
{
	const size_t count = byte_reader_u8(input);

	for (size_t i = 0; i < count; i++) {
		words[3 * i] = BASE + byte_reader_u16(input);
		words[3 * i + 1] = BASE + byte_reader_u16(input);
		words[3 * i + 2] = byte_reader_u8(input) % 16;
		words[3 * i + 2] |= (uint64_t)byte_reader_u8(input)
				    << 16; /* cycles begin at bit 4, the type at bit 20 */
	}
	return byte_reader_ok(input) ? count : 0;
}

static struct perf_data_builder *build(struct byte_reader *input, const char *path)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	const size_t per_sample = (size_t)byte_reader_u8(input) % PER_SAMPLE_MAX + 1;
	uint64_t words[3 * BRANCHES_MAX], time_ns = 10;
	const size_t count = read_branches(input, words);

	perf_data_builder_add_event(
		b,
		&(struct built_event){ .attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK,
						 .branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
						 .sample_id_all = 1 },
				       .name = "cycles" });
	perf_data_builder_mmap2(b, &(struct built_mmap){ .pid = PID,
							 .tid = PID,
							 .start = BASE,
							 .length = 0x10000,
							 .prot = 5,
							 .misc = PERF_RECORD_MISC_USER,
							 .path = path,
							 .time_ns = 1 });
	for (size_t first = 0; first < count; first += per_sample)
		perf_data_builder_sample(
			b, &(struct built_sample){
				   .misc = PERF_RECORD_MISC_USER,
				   .ip = words[3 * first + 1],
				   .pid = PID,
				   .tid = PID,
				   .time_ns = time_ns++,
				   .branches = words + 3 * first,
				   .branch_count = count - first < per_sample ? count - first : per_sample });
	perf_data_builder_finish_file(b);
	return b;
}

static void check_blocks(const struct code_recording *recording, const struct code_object *object)
{
	struct code_blocks blocks;

	code_blocks_find(&blocks, recording, object);
	for (size_t i = 0; i < blocks.count; i++) {
		const struct code_block *block = &blocks.items[i];

		if (block->begin >= block->end || (i && block[-1].end > block->begin) ||
		    block->instructions > block->end - block->begin ||
		    code_blocks_at(&blocks, block->begin) != block)
			abort();
	}
	code_blocks_fini(&blocks);
}

static void print_tables(const char *path, const char *binary)
{
	static const struct code_text_options options = { .top = 0 };
	const struct code_request request = { .path = path,
					      .symbols = { .kallsyms_path = "/proc/nonexistent" } };
	struct code_recording recording;
	struct code_object object;
	struct strbuf out;
	struct error err;

	if (code_recording_read(&recording, &request, &err))
		return;
	if (code_object_open(&object, &recording, binary, &err) == 0) {
		strbuf_init(&out);
		check_blocks(&recording, &object);
		code_text_blocks(&out, &recording, &object, &options);
		code_text_loops(&out, &recording, &object, &options);
		code_text_indirect(&out, &recording, &object, &options);
		code_text_cycles(&out, &recording, &object, &options);
		strbuf_fini(&out);
		code_object_close(&object);
	}
	code_recording_close(&recording);
}

/* Exports in one of the formats for compilers. */
static void export_code(const char *path, const char *binary, unsigned int format)
{
	static const struct export_format *const formats[FORMATS] = {
		&export_autofdo,     &export_llvm_sample, &export_profgen,
		&export_profgen_raw, &export_bolt,        &export_bolt_preagg,
	};
	const struct export_options options = {
		.input = path, .output = "/dev/null", .binary = binary, .quiet = true
	};
	struct export_out out;
	struct error err;

	if (export_out_open(&out, options.output, false, &err))
		abort();
	if (formats[format % FORMATS]->run(&options, &out, &err) == 0)
		(void)export_out_close(&out, &err);
	else
		export_out_abandon(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file elf, recording;
	struct byte_reader input = byte_reader_over(data, size, false);
	struct byte_reader program = input;
	struct perf_data_builder *b;
	const unsigned int format = byte_reader_u8(&program) / PER_SAMPLE_MAX;

	byte_reader_skip(&program, (size_t)byte_reader_u8(&program) * 6);
	memory_file_create(&elf, program.next, byte_reader_ok(&program) ? byte_reader_left(&program) : 0);
	b = build(&input, elf.path);
	memory_file_create(&recording, b->out.bytes, b->out.size);
	perf_data_builder_destroy(b);
	print_tables(recording.path, elf.path);
	export_code(recording.path, elf.path, format);
	memory_file_close(&recording);
	memory_file_close(&elf);
	return 0;
}
