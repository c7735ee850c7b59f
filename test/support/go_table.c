#include "support/go_table.h"

#include <elf.h>
#include <string.h>

#include "support/elf_builder.h"

enum { HEADER_BYTES = 72 };

struct table {
	struct strbuf *bytes;
	enum go_version version;
	bool swap;
};

static void u32(struct table *table, uint32_t value)
{
	strbuf_add_u32(table->bytes, value, table->swap);
}

static void u64(struct table *table, uint64_t value)
{
	strbuf_add_u64(table->bytes, value, table->swap);
}

static void word(struct table *table, uint64_t value)
{
	if (table->version == GO_1_16)
		u64(table, value);
	else
		u32(table, (uint32_t)value);
}

enum { NAMES_BYTES = 128, SIZES_BYTES = 16, FUNCTION_BYTES = 64 };

static void header(struct table *table, size_t count)
{
	u32(table, 0xffffff00u | (uint32_t)table->version);
	strbuf_add(table->bytes, "\0\0\1\x08", 4); /* quantum 1, pointers of 8 bytes */
	u64(table, count);
	u64(table, 0);
	if (table->version != GO_1_16)
		u64(table, GO_TEXT);
	u64(table, HEADER_BYTES); /* names */
	u64(table, 0);
	u64(table, 0);
	u64(table, HEADER_BYTES + NAMES_BYTES);               /* frame sizes */
	u64(table, HEADER_BYTES + NAMES_BYTES + SIZES_BYTES); /* functions */
	strbuf_add_zeros(table->bytes, HEADER_BYTES - table->bytes->size);
}

static void names_and_sizes(struct table *table, const struct built_go_function *functions, size_t count)
{
	/* 0 for 4 bytes (from -1: +1), 32 for 11 (+32), 0 for one (-32), in zigzag encoding; then the end. */
	static const uint8_t sizes[] = { 0, 2, 4, 64, 11, 63, 1, 0 };
	size_t end = table->bytes->size + NAMES_BYTES;

	for (size_t i = 0; i < count; i++)
		strbuf_add(table->bytes, functions[i].name, strlen(functions[i].name) + 1);
	strbuf_add_zeros(table->bytes, end - table->bytes->size);
	strbuf_add(table->bytes, sizes, sizeof(sizes));
	strbuf_add_zeros(table->bytes, SIZES_BYTES - sizeof(sizes));
}

static void add_functions(struct table *table, const struct built_go_function *functions, size_t count)
{
	const uint64_t base = table->version == GO_1_16 ? 0 : GO_TEXT;
	const size_t entry_bytes = table->version == GO_1_16 ? 16 : 8, first = entry_bytes * (count + 1);
	uint32_t name = 0;

	for (size_t i = 0; i <= count; i++) {
		word(table, i < count ? functions[i].start - base : functions[count - 1].start + 16 - base);
		word(table, i < count ? first + i * FUNCTION_BYTES : 0);
	}
	for (size_t i = 0; i < count; i++) {
		size_t end = table->bytes->size + FUNCTION_BYTES;

		word(table, functions[i].start - base);
		u32(table, name);
		u32(table, 0);
		u32(table, 0);
		u32(table, functions[i].flags & GO_WITHOUT_SIZES ? 0 : 1); /* offset of the frame sizes */
		strbuf_add_zeros(table->bytes, table->version == GO_1_20 ? 20 : 16);
		strbuf_addc(table->bytes, 0);
		strbuf_addc(table->bytes, (char)(functions[i].flags & 0xff));
		strbuf_add_zeros(table->bytes, end - table->bytes->size);
		name += (uint32_t)strlen(functions[i].name) + 1;
	}
}

void go_table_build(struct strbuf *bytes, enum go_version version, bool swap,
		    const struct built_go_function *functions, size_t count)
{
	struct table table = { .bytes = bytes, .version = version, .swap = swap };

	strbuf_reset(bytes);
	header(&table, count);
	names_and_sizes(&table, functions, count);
	add_functions(&table, functions, count);
}

struct elf_file *go_table_file(const void *bytes, size_t size, uint16_t machine, bool swap)
{
	struct elf_builder builder;

	elf_builder_init(&builder, true, swap, ET_EXEC, machine);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, GO_TEXT, NULL, 0);
	elf_builder_section(&builder, ".gopclntab", SHT_PROGBITS, SHF_ALLOC, 0x8000, bytes, size);
	return elf_builder_open(&builder, "go");
}
