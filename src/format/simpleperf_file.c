/*
 * Both features are rows of entries with a length and a body. In FILE, bodies are structures: symbols must be skipped to
 * reach the fields behind them. In FILE2 they are messages. Symbols are read later, from the place that the first pass
 * noted.
 */
#include "format/simpleperf_file.h"

#include <string.h>

#include "format/protobuf_field.h"

/* Reads a text and its terminator. */
static struct simpleperf_text read_text(struct byte_reader *r)
{
	const char *bytes = (const char *)r->next;
	size_t size = strnlen(bytes, byte_reader_left(r));

	byte_reader_skip(r, size + 1); /* fails if there is no terminator */
	return (struct simpleperf_text){ bytes, size };
}

static struct simpleperf_text text_of(struct byte_reader bytes)
{
	return (struct simpleperf_text){ (const char *)bytes.next, byte_reader_left(&bytes) };
}

/* --- FILE -------------------------------------------------------------------------- */

/* { u64 vaddr; u32 size; char name[] } */
static bool read_symbol(struct byte_reader *r, struct simpleperf_symbol *symbol)
{
	symbol->vaddr = byte_reader_u64(r);
	symbol->size_bytes = byte_reader_u32(r);
	symbol->name = read_text(r);
	return byte_reader_ok(r);
}

/* Reads the fields behind the symbols. They depend on the type, and older versions lack them. */
static void read_place(struct byte_reader *r, struct simpleperf_file *file)
{
	file->has_place =
		(file->type == SIMPLEPERF_FILE_ELF || file->type == SIMPLEPERF_FILE_KERNEL_MODULE) &&
		byte_reader_left(r) >= sizeof(uint64_t);
	if (file->has_place)
		file->place = byte_reader_u64(r);
}

/* { char path[]; u32 type; u64 min_vaddr; u32 symbols; the symbols; … } */
static int read_structure(struct byte_reader r, struct simpleperf_file *file)
{
	struct simpleperf_symbol symbol;

	file->path = read_text(&r);
	file->type = byte_reader_u32(&r);
	file->min_vaddr = byte_reader_u64(&r);
	file->symbols_left = byte_reader_u32(&r);
	file->symbols = r;
	for (uint32_t i = 0; i < file->symbols_left; i++)
		if (!read_symbol(&r, &symbol))
			return -1;
	read_place(&r, file);
	return byte_reader_ok(&r) ? 1 : -1;
}

/* --- FILE2 --------------------------------------------------------------------------- */

enum { PATH = 1, TYPE, MIN_VADDR, SYMBOL, DEX_FILE, ELF_FILE, KERNEL_MODULE }; /* message FileFeature */

static int read_message(struct byte_reader message, struct simpleperf_file *file)
{
	uint64_t values[2]; /* of the messages ElfFile and KernelModule: only field 1 */
	struct protobuf_field field;
	int result;

	file->symbols = message;
	while ((result = protobuf_field_next(&message, &field)) == 1) {
		switch (field.number) {
		case PATH: file->path = text_of(field.bytes); break;
		case TYPE: file->type = (uint32_t)field.value; break;
		case MIN_VADDR: file->min_vaddr = field.value; break;
		case SYMBOL: file->symbols_left++; break;
		case ELF_FILE:
		case KERNEL_MODULE:
			file->has_place = true;
			(void)protobuf_field_values(field.bytes, values, 2);
			file->place = values[1];
			break;
		default: break;
		}
	}
	return result < 0 ? -1 : 1;
}

/* message Symbol: vaddr = 1, len = 2, name = 3 */
static int read_symbol_message(struct byte_reader message, struct simpleperf_symbol *symbol)
{
	struct protobuf_field field;

	*symbol = (struct simpleperf_symbol){ .name = { "", 0 } };
	while (protobuf_field_next(&message, &field) == 1) {
		if (field.number == 1)
			symbol->vaddr = field.value;
		else if (field.number == 2)
			symbol->size_bytes = (uint32_t)field.value;
		else if (field.number == 3)
			symbol->name = text_of(field.bytes);
	}
	return 1;
}

/* --- both ------------------------------------------------------------------------------ */

int simpleperf_file_next(struct byte_reader *feature, bool is_message, struct simpleperf_file *file)
{
	struct byte_reader body;

	if (byte_reader_left(feature) == 0)
		return 0;
	body = byte_reader_sub(feature, byte_reader_u32(feature));
	if (!byte_reader_ok(feature))
		return -1;
	*file = (struct simpleperf_file){ .path = { "", 0 }, .is_message = is_message };
	return is_message ? read_message(body, file) : read_structure(body, file);
}

int simpleperf_symbol_next(struct simpleperf_file *file, struct simpleperf_symbol *symbol)
{
	struct protobuf_field field;

	if (file->symbols_left == 0)
		return 0;
	file->symbols_left--;
	if (!file->is_message)
		return read_symbol(&file->symbols, symbol);
	while (protobuf_field_next(&file->symbols, &field) == 1)
		if (field.number == SYMBOL)
			return read_symbol_message(field.bytes, symbol);
	return 0;
}
