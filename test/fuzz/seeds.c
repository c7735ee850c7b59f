/*
 * Writes the seeds of fuzzers: recordings with a record of every type, a sample with every field and every feature that has
 * a layout, in both byte orders, as files and as pipes; jitdump files; ELF files with debug information; archives; and
 * profiles in the formats that can be imported.
 *
 * usage: seeds DIRECTORY
 */

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/archive_writer.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/write/compress.h"
#include "fuzz/import_seeds.h"
#include "support/dwarf_builder.h"
#include "support/elf_builder.h"
#include "support/full_sample.h"
#include "support/go_table.h"
#include "support/jitdump_builder.h"
#include "support/record_recipe.h"
#include "symbol/symbol_archive.h"

static void save(const char *directory, const char *name, const struct strbuf *bytes, size_t skipped)
{
	char *path = xasprintf("%s/%s", directory, name);
	FILE *out = fopen(path, "we");

	if (!out || fwrite(bytes->bytes + skipped, 1, bytes->size - skipped, out) != bytes->size - skipped ||
	    fclose(out) != 0) {
		perror(path);
		exit(1);
	}
	free(path);
}

static void add_recipes(struct perf_data_builder *b, const struct record_recipe *recipes)
{
	for (; recipes->type; recipes++)
		record_recipe_build(b, recipes);
}

static void add_sample(struct perf_data_builder *b, size_t event)
{
	struct built_sample sample = full_sample;

	sample.event = event;
	sample.id = 0;
	sample.intr_regs_abi = PERF_SAMPLE_REGS_ABI_32; /* one of each */
	perf_data_builder_sample(b, &sample);
}

/* Small numbers work as counts, versions, lengths and texts. */
static void add_features(struct perf_data_builder *b)
{
	uint32_t words[24];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = b->swap ? __builtin_bswap32(i % 4 + 1) : i % 4 + 1;
	for (unsigned int feature = HEADER_SIMPLEPERF_FILE; feature < HEADER_SIMPLEPERF_INIT_MAP; feature++)
		perf_data_builder_feature(b, feature, words, sizeof(words));
	for (const struct feature_recipe *recipe = feature_recipes; recipe->feature; recipe++)
		feature_recipe_build(b, recipe);
}

static struct perf_data_builder *begin(enum built_byte_order order)
{
	struct perf_data_builder *b = perf_data_builder_create(order);

	perf_data_builder_add_event(
		b, &(struct built_event){
			   .attr = record_recipe_attr(), .name = "first", .ids = { 7 }, .id_count = 1 });
	/* WEIGHT, in place of WEIGHT_STRUCT, is left for the fuzzer to find. */
	perf_data_builder_add_event(
		b, &(struct built_event){
			   .attr = full_sample_attr, .name = "second", .ids = { 8 }, .id_count = 1 });
	return b;
}

static struct perf_data_builder *build(enum built_byte_order order)
{
	struct perf_data_builder *b = begin(order);

	add_recipes(b, kernel_recipes);
	add_sample(b, 0);
	add_sample(b, 1);
	add_recipes(b, simpleperf_recipes);
	add_recipes(b, tool_recipes);
	add_features(b);
	return b;
}

/* Adds the kernel's records again, compressed. */
static void add_compressed(struct perf_data_builder *b)
{
	struct compressor *compressor = compressor_create(1, b->swap, NULL);
	struct perf_data_builder *inner;
	struct strbuf packed;

	if (!compressor)
		return;
	inner = build(b->swap ? BUILD_SWAPPED : BUILD_NATIVE);
	strbuf_init(&packed);
	if (compressor_pack(compressor, inner->records.bytes, inner->records.size, &packed, NULL) == 0)
		strbuf_add(&b->records, packed.bytes, packed.size);
	strbuf_fini(&packed);
	compressor_destroy(compressor);
	perf_data_builder_destroy(inner);
}

/* The input of fuzz_perf_records: { u8 flags; u64 sample_type, read_format, branch_sample_type, registers; records } */
static void write_typed_records(const char *directory, const char *order_name,
				const struct perf_data_builder *b)
{
	char *name = xasprintf("%s.typed", order_name);
	uint8_t flags = (uint8_t)(b->swap | 2); /* sample_id_all */
	struct strbuf bytes;

	strbuf_init(&bytes);
	strbuf_add(&bytes, &flags, 1);
	strbuf_add_u64(&bytes, full_sample_attr.sample_type, b->swap);
	strbuf_add_u64(&bytes, full_sample_attr.read_format, b->swap);
	strbuf_add_u64(&bytes, full_sample_attr.branch_sample_type, b->swap);
	strbuf_add_u64(&bytes, full_sample_attr.sample_regs_user, b->swap);
	strbuf_add(&bytes, b->records.bytes, b->records.size);
	save(directory, name, &bytes, 0);
	strbuf_fini(&bytes);
	free(name);
}

static void write_seeds(const char *directory, const char *order_name, enum built_byte_order order)
{
	struct perf_data_builder *b = build(order);
	char *name;

	write_typed_records(directory, order_name, b);
	for (int compressed = 0; compressed < 2; compressed++) {
		const char *kind = compressed ? "compressed" : "plain";

		perf_data_builder_finish_file(b);
		name = xasprintf("%s.%s.file", order_name, kind);
		save(directory, name, &b->out, 0);
		free(name);
		perf_data_builder_finish_pipe(b);
		name = xasprintf("%s.%s.pipe", order_name, kind);
		save(directory, name, &b->out, 0);
		free(name);
		name = xasprintf("%s.%s.records", order_name, kind); /* a pipe's, without its header */
		save(directory, name, &b->out, PERF_PIPE_HEADER_SIZE);
		free(name);
		add_compressed(b);
	}
	perf_data_builder_destroy(b);
}

/* One record of each type with samples that use it: short enough for fuzzers that are fast only with short inputs. */
static void write_single_records(const char *directory, const char *order_name, enum built_byte_order order,
				 const struct record_recipe *recipes)
{
	for (; recipes->type; recipes++) {
		struct perf_data_builder *b = begin(order);
		char *name = xasprintf("%s.type%u.file", order_name, recipes->type);

		record_recipe_build(b, recipes);
		add_sample(b, recipes->type % 2);
		perf_data_builder_finish_file(b);
		save(directory, name, &b->out, 0);
		free(name);
		perf_data_builder_destroy(b);
	}
}

static void write_order(const char *directory, const char *order_name, enum built_byte_order order)
{
	write_seeds(directory, order_name, order);
	write_single_records(directory, order_name, order, kernel_recipes);
	write_single_records(directory, order_name, order, tool_recipes);
	write_single_records(directory, order_name, order, simpleperf_recipes);
}

/* Writes an archive with an object of every form, and a link. */
static void write_archive(const char *directory, const char *name)
{
	static const char names[] = "1000 20 main\n1020 10 f\n";
	char *path = xasprintf("%s/%s", directory, name);
	struct archive_writer *writer = archive_writer_create(path, 0, NULL);
	struct strbuf list;
	uint64_t size;

	free(path);
	if (!writer)
		return;
	strbuf_init(&list);
	symbol_archive_list_begin(&list, "perf.data", "perf.data");
	symbol_archive_list_fact(&list, "distribution", "1,1,0,bookworm");
	for (int kind = DSO_FILE; kind <= DSO_JITDUMP; kind++)
		symbol_archive_list_add(&list, &(struct archived_object){
						       .object = { .kind = (enum dso_kind)kind, .path = "x" },
						       .form = kind == DSO_FILE    ? OBJECT_FORM_ELF :
							       kind == DSO_JITDUMP ? OBJECT_FORM_JITDUMP :
										     OBJECT_FORM_NAMES,
						       .file = kind == DSO_VDSO ? "link" : "names",
						       .answers = "sources/0",
						       .source = "y" });
	(void)archive_writer_add(writer, SYMBOL_ARCHIVE_LIST, list.bytes, list.size, NULL);
	(void)archive_writer_add(writer, "names", names, strlen(names), NULL);
	(void)archive_writer_add_link(writer, "link", "names", NULL);
	(void)archive_writer_finish(writer, &size, NULL);
	archive_writer_destroy(writer);
	strbuf_fini(&list);
}

static void write_jitdump(const char *directory, const char *name, bool swap)
{
	/* A CIE and an empty .eh_frame_hdr. */
	static const char frames[28] = "\x14\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\x1b\x0c\7\x08\x90\1\0\0";
	struct jitdump_builder builder;

	jitdump_builder_init(&builder, 7, EM_X86_64, swap, JITDUMP_OF_V8);
	jitdump_builder_lines(&builder, 0x1000, 1);
	jitdump_builder_line(&builder, 0x1040, 12, "app.js");
	jitdump_builder_lines_end(&builder);
	jitdump_builder_unwinding(&builder, frames, sizeof(frames), 4);
	jitdump_builder_load(&builder, &(struct built_code){ 10, 0x1000, "f", "\xff\xd0\xc3\x90", 4 });
	jitdump_builder_move(&builder, 20, 0x1000, 0x2000, 4, 0);
	jitdump_builder_close(&builder);
	save(directory, name, &builder.bytes, 0);
	jitdump_builder_fini(&builder);
}

static void write_dwarf(const char *directory)
{
	for (uint8_t version = 2; version <= 5; version++) {
		struct dwarf_recipe recipe = { .version = version,
					       .offset_size = version & 1 ? 4 : 8,
					       .swap = version == 3 };
		char *name = xasprintf("dwarf%u.elf", version);
		struct strbuf bytes;
		uint8_t *made;
		size_t size;

		made = dwarf_builder_make(&recipe, &size);
		strbuf_init(&bytes);
		strbuf_add(&bytes, made, size);
		save(directory, name, &bytes, 0);
		strbuf_fini(&bytes);
		free(made);
		free(name);
	}
}

static void write_go_table(const char *directory, const char *name, enum go_version version)
{
	static const struct built_go_function functions[] = { { "main.main", GO_TEXT, 0 },
							      { "runtime.goexit", GO_TEXT + 16, 1 } };
	struct strbuf table;

	strbuf_init(&table);
	go_table_build(&table, version, false, functions, 2);
	save(directory, name, &table, 0);
	strbuf_fini(&table);
}

/*
 * The input of fuzz_code: branches, then a program with two functions. f is a loop that calls g, and in the end jumps
 * indirectly:
 *
 *     0: xor %eax,%eax   2: inc %eax   4: call g   9: cmp $9,%eax   12: jl 2   14: jmp *%rdx   16: g: ret
 */
static void write_code(const char *directory, const char *name, unsigned int format)
{
	static const uint8_t code[] = { 0x31, 0xc0, 0xff, 0xc0, 0xe8, 7,    0,    0,   0,
					0x83, 0xf8, 9,    0x7c, 0xf4, 0xff, 0xe2, 0xc3 };
	/* FROM and TO in the code, flags, then cycles and type; the latest first. */
	static const uint8_t branches[][4] = { { 12, 2, 2, 0x13 }, { 16, 9, 2, 0x62 }, { 4, 16, 2, 0x44 },
					       { 12, 2, 2, 0x15 }, { 16, 9, 1, 0x62 }, { 4, 16, 2, 0x44 },
					       { 14, 0, 1, 0x39 } };
	struct elf_builder_symbol symbols[] = {
		{ "f", 0x1000, 16, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1 },
		{ "g", 0x1010, 1, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1 }
	};
	struct elf_builder elf;
	struct strbuf bytes;
	uint64_t offset;
	uint8_t *made;
	size_t size;
	uint32_t text;

	elf_builder_init(&elf, true, false, ET_EXEC, EM_X86_64);
	text = elf_builder_section(&elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, code,
				   sizeof(code));
	elf_builder_code_segment(&elf, text);
	(void)elf_builder_symbols(&elf, SHT_SYMTAB, symbols, 2);
	offset = elf.sections[text].file_offset;
	made = elf_builder_finish(&elf, &size);
	elf_builder_fini(&elf);
	strbuf_init(&bytes);
	strbuf_addc(&bytes, (char)(format << 5 | 6)); /* seven per sample */
	strbuf_addc(&bytes, sizeof(branches) / sizeof(branches[0]));
	for (size_t i = 0; i < sizeof(branches) / sizeof(branches[0]); i++) {
		const uint64_t from = offset + branches[i][0], to = offset + branches[i][1];
		const uint8_t entry[] = { (uint8_t)from,      (uint8_t)(from >> 8), (uint8_t)to,
					  (uint8_t)(to >> 8), branches[i][2],       branches[i][3] };

		strbuf_add(&bytes, (const char *)entry, sizeof(entry));
	}
	strbuf_add(&bytes, (const char *)made, size);
	save(directory, name, &bytes, 0);
	strbuf_fini(&bytes);
	free(made);
}

/* The input of fuzz_branches: two samples of one thread, where the second continues the calls of the first, and a loop. */
static void write_branches(const char *directory, const char *name)
{
	static const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x1004, 0x2004 };
	struct strbuf bytes;

	strbuf_init(&bytes);
	strbuf_addc(&bytes, 7); /* registers */
	for (char sample = 0; sample < 2; sample++) {
		const char head[] = { 0, 4, 3, 1, sample };

		strbuf_add(&bytes, head, sizeof(head));
		for (uint64_t i = 0; i < 4; i++) {
			strbuf_add_u64(&bytes, 0x1000 * (i % 2 + 1), false);
			strbuf_add_u64(&bytes, 0x5000, false);
			strbuf_add_u64(&bytes, i << 4 | 2, false);
		}
		strbuf_add(&bytes, (const char *)chain, sizeof(chain));
	}
	save(directory, name, &bytes, 0);
	strbuf_fini(&bytes);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: seeds DIRECTORY\n");
		return 2;
	}
	write_order(argv[1], "native", BUILD_NATIVE);
	write_order(argv[1], "swapped", BUILD_SWAPPED);
	write_go_table(argv[1], "1.16.gopclntab", GO_1_16);
	write_go_table(argv[1], "1.18.gopclntab", GO_1_18);
	write_go_table(argv[1], "1.20.gopclntab", GO_1_20);
	write_jitdump(argv[1], "native.jitdump", false);
	write_jitdump(argv[1], "swapped.jitdump", true);
	write_archive(argv[1], "plain.tar");
	write_archive(argv[1], "packed.tar.gz");
	write_dwarf(argv[1]);
	import_seeds_write(argv[1]);
	for (unsigned int format = 0; format < 6; format++) {
		char *name = xasprintf("loop%u.code", format);

		write_code(argv[1], name, format);
		free(name);
	}
	write_branches(argv[1], "two.branches");
	return 0;
}
