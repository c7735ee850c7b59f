#include "report/dump_simpleperf_feature.h"

#include "format/perf_abi.h"
#include "format/protobuf_field.h"

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

/* { u64 start; u32 length; char name[] }[count] */
static void skip_symbols(struct byte_reader *r, uint32_t count)
{
	while (count-- && byte_reader_ok(r)) {
		byte_reader_skip(r, sizeof(uint64_t) + sizeof(uint32_t));
		(void)read_text(r);
	}
}

/* What ends a file's entry depends on its type, and older versions leave it out. */
static void dump_file_place(struct dump_out *out, struct byte_reader *r, uint32_t type)
{
	enum { KERNEL_MODULE = 1, ELF = 2, DEX = 3 };

	if (byte_reader_left(r) == 0)
		return;
	if (type == DEX)
		dump_unsigned(out, "dex_files", byte_reader_u32(r));
	else if (type == ELF)
		dump_hex(out, "file_offset_of_min_vaddr", byte_reader_u64(r));
	else if (type == KERNEL_MODULE)
		dump_hex(out, "memory_offset_of_min_vaddr", byte_reader_u64(r));
}

/* FILE: { u32 size of the rest; char path[]; u32 type; u64 min_vaddr; u32 symbols; the symbols; … }[] */
static void dump_files(struct dump_out *out, struct byte_reader *r)
{
	dump_rows(out, "files");
	while (byte_reader_left(r) && byte_reader_ok(r)) {
		struct byte_reader file = byte_reader_sub(r, byte_reader_u32(r));
		const char *path = read_text(&file);
		uint32_t type = byte_reader_u32(&file), symbol_count;
		uint64_t min_address = byte_reader_u64(&file);

		symbol_count = byte_reader_u32(&file);
		skip_symbols(&file, symbol_count);
		if (!byte_reader_ok(&file)) {
			r->failed = true;
			break;
		}
		dump_row(out);
		dump_string(out, "path", path);
		dump_file_type(out, type);
		dump_hex(out, "min_vaddr", min_address);
		dump_unsigned(out, "symbols", symbol_count);
		dump_file_place(out, &file, type);
		dump_row_end(out);
	}
	dump_rows_end(out);
}

static void dump_text_of(struct dump_out *out, const char *key, struct byte_reader bytes)
{
	dump_string_n(out, key, (const char *)bytes.next, byte_reader_left(&bytes));
}

/* The number in field 1 of a message of one number. */
static uint64_t first_number(struct byte_reader message)
{
	struct protobuf_field field;

	while (protobuf_field_next(&message, &field) == 1)
		if (field.number == 1)
			return field.value;
	return 0;
}

/* message FileFeature, system/extras/simpleperf/record_file.proto */
static int dump_file_message(struct dump_out *out, struct byte_reader message)
{
	enum { PATH = 1, TYPE, MIN_VADDR, SYMBOL, DEX_FILE, ELF_FILE, KERNEL_MODULE };
	struct protobuf_field field;
	uint64_t symbol_count = 0;
	int result;

	while ((result = protobuf_field_next(&message, &field)) == 1) {
		switch (field.number) {
		case PATH: dump_text_of(out, "path", field.bytes); break;
		case TYPE: dump_file_type(out, field.value); break;
		case MIN_VADDR: dump_hex(out, "min_vaddr", field.value); break;
		case SYMBOL: symbol_count++; break;
		case DEX_FILE: dump_unsigned(out, "dex_bytes", byte_reader_left(&field.bytes)); break;
		case ELF_FILE: dump_hex(out, "file_offset_of_min_vaddr", first_number(field.bytes)); break;
		case KERNEL_MODULE:
			dump_hex(out, "memory_offset_of_min_vaddr", first_number(field.bytes));
			break;
		default: break;
		}
	}
	dump_unsigned(out, "symbols", symbol_count);
	return result;
}

/* FILE2: { u32 size; message }[] */
static void dump_file_messages(struct dump_out *out, struct byte_reader *r)
{
	dump_rows(out, "files");
	while (byte_reader_left(r) && byte_reader_ok(r)) {
		struct byte_reader message = byte_reader_sub(r, byte_reader_u32(r));

		dump_row(out);
		if (!byte_reader_ok(r) || dump_file_message(out, message) != 0)
			r->failed = true;
		dump_row_end(out);
	}
	dump_rows_end(out);
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
	case HEADER_SIMPLEPERF_FILE: return dump_files;
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
