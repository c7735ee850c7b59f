#include "report/dump/dump_simpleperf_feature.h"

#include "format/perf_abi.h"
#include "format/protobuf_field.h"
#include "format/simpleperf_file.h"

/* enum DsoType, system/extras/simpleperf/dso.h */
static const char *const file_types[] = { "kernel", "kernel_module", "elf", "dex", "symbol_map", "unknown" };

static void dump_file_type(struct dump_out *out, uint64_t type)
{
	if (type < sizeof(file_types) / sizeof(file_types[0]))
		dump_word(out, "file_type", file_types[type]);
	else
		dump_unsigned(out, "file_type", type);
}

/* A string and its NUL, wherever that is. */
static const char *read_text(struct byte_reader *r)
{
	return byte_reader_string(r, strnlen((const char *)r->next, byte_reader_left(r)) + 1);
}

/* META_INFO: key and value, one after the other. */
static void dump_meta_info(struct dump_out *out, struct byte_reader *r)
{
	dump_rows(out, "pairs");
	while (byte_reader_left(r) && byte_reader_ok(r)) {
		const char *key = read_text(r), *value = read_text(r);

		if (!key || !value)
			break;
		dump_row(out);
		dump_string(out, "key", key);
		dump_string(out, "value", value);
		dump_row_end(out);
	}
	dump_rows_end(out);
}

static void dump_file_place(struct dump_out *out, const struct simpleperf_file *file)
{
	if (file->dex_file_count)
		dump_unsigned(out, "dex_files", file->dex_file_count);
	if (file->has_place)
		dump_hex(out,
			 file->type == SIMPLEPERF_FILE_KERNEL_MODULE ? "memory_offset_of_min_vaddr" :
								       "file_offset_of_min_vaddr",
			 file->place);
}

static void dump_files(struct dump_out *out, struct byte_reader *r, bool is_message)
{
	struct simpleperf_file file;
	int result;

	dump_rows(out, "files");
	while ((result = simpleperf_file_next(r, is_message, &file)) == 1) {
		dump_row(out);
		dump_string_n(out, "path", file.path.bytes, file.path.size);
		dump_file_type(out, file.type);
		dump_hex(out, "min_vaddr", file.min_vaddr);
		dump_unsigned(out, "symbols", file.symbols_left);
		dump_file_place(out, &file);
		dump_row_end(out);
	}
	dump_rows_end(out);
	if (result < 0)
		r->failed = true;
}

static void dump_file_structures(struct dump_out *out, struct byte_reader *r)
{
	dump_files(out, r, false);
}

static void dump_file_messages(struct dump_out *out, struct byte_reader *r)
{
	dump_files(out, r, true);
}

static void dump_text_of(struct dump_out *out, const char *key, struct byte_reader bytes)
{
	dump_string_n(out, key, (const char *)bytes.next, byte_reader_left(&bytes));
}

/* message DebugUnwindFeature: field 1 is { string path = 1; uint64 size = 2; } of each file in DEBUG_UNWIND_FILE */
static void dump_debug_unwind(struct dump_out *out, struct byte_reader *r)
{
	struct protobuf_field file, field;
	int result;

	dump_rows(out, "files");
	while ((result = protobuf_field_next(r, &file)) == 1) {
		if (file.number != 1)
			continue;
		dump_row(out);
		while (protobuf_field_next(&file.bytes, &field) == 1) {
			if (field.number == 1)
				dump_text_of(out, "path", field.bytes);
			else if (field.number == 2)
				dump_unsigned(out, "size", field.value);
		}
		dump_row_end(out);
	}
	dump_rows_end(out);
	if (result < 0)
		r->failed = true;
}

/* message ETMBinary: path = 1, build_id = 2, addrs = 3 */
static void dump_branch_binary(struct dump_out *out, struct byte_reader message)
{
	struct protobuf_field field;
	uint64_t address_count = 0;

	dump_row(out);
	while (protobuf_field_next(&message, &field) == 1) {
		if (field.number == 1)
			dump_text_of(out, "path", field.bytes);
		else if (field.number == 2)
			dump_text_of(out, "build_id", field.bytes);
		else if (field.number == 3)
			address_count++;
	}
	dump_unsigned(out, "addresses", address_count);
	dump_row_end(out);
}

/* message ETMBranchList, system/extras/simpleperf/etm_branch_list.proto: magic = 1, binaries = 2 */
static void dump_branch_list(struct dump_out *out, struct byte_reader *r)
{
	struct protobuf_field field;
	int result;

	dump_rows(out, "binaries");
	while ((result = protobuf_field_next(r, &field)) == 1)
		if (field.number == 2)
			dump_branch_binary(out, field.bytes);
	dump_rows_end(out);
	if (result < 0)
		r->failed = true;
}

/* INIT_MAP: records, which are shown with the others */
static void dump_init_map(struct dump_out *out, struct byte_reader *r)
{
	uint64_t count = 0;

	while (byte_reader_left(r) && byte_reader_ok(r)) {
		uint16_t size;

		byte_reader_skip(r, 6);
		size = byte_reader_u16(r);
		if (size < PERF_RECORD_HEADER_SIZE)
			r->failed = true;
		else
			byte_reader_skip(r, size - PERF_RECORD_HEADER_SIZE);
		count += byte_reader_ok(r);
	}
	dump_unsigned(out, "records", count);
}

typedef void dump_section(struct dump_out *out, struct byte_reader *r);

/* DEBUG_UNWIND_FILE is the bytes of files that DEBUG_UNWIND lists. */
static dump_section *section_of(unsigned int feature)
{
	switch (feature) {
	case HEADER_SIMPLEPERF_FILE: return dump_file_structures;
	case HEADER_SIMPLEPERF_META_INFO: return dump_meta_info;
	case HEADER_SIMPLEPERF_DEBUG_UNWIND: return dump_debug_unwind;
	case HEADER_SIMPLEPERF_FILE2: return dump_file_messages;
	case HEADER_SIMPLEPERF_ETM_BRANCH_LIST: return dump_branch_list;
	case HEADER_SIMPLEPERF_INIT_MAP: return dump_init_map;
	default: return NULL;
	}
}

void dump_simpleperf_feature(struct dump_out *out, unsigned int feature, struct byte_reader *r)
{
	dump_section *section = section_of(feature);

	if (section)
		section(out, r);
}
