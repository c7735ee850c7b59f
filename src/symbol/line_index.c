#include "symbol/line_index.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/leb128.h"
#include "base/xalloc.h"
#include "symbol/dwarf_file.h"

/* The header of a program (section 6.2.4), and the registers of the machine that runs it (6.2.2). */
struct program {
	struct line_index *index;
	const struct dwarf_unit *unit;
	line_index_is_code *is_code;
	const void *context;
	struct dwarf_format format;
	struct byte_reader r; /* behind the header: over the program */
	uint8_t min_instruction_bytes;
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	const uint8_t *operand_counts; /* of standard opcodes, from 1 */

	uint64_t address, file, line;
	size_t sequence_first; /* row */
};

/* --- the tables of directories and files ------------------------------------------------------------- */

static void add_directory(struct line_index *index, const char *name)
{
	index->directories = array_grow(index->directories, &index->directory_capacity,
					index->directory_count + 1, sizeof(*index->directories));
	index->directories[index->directory_count++] = name;
}

static void add_file(struct line_index *index, const char *name, uint64_t directory)
{
	index->files =
		array_grow(index->files, &index->file_capacity, index->file_count + 1, sizeof(*index->files));
	index->files[index->file_count++] = (struct line_file){ name, directory };
}

/* NULL at the end of a list, which is an empty name. */
static const char *read_name(struct byte_reader *r)
{
	const uint8_t *end = memchr(r->next, 0, byte_reader_left(r));
	const char *name = (const char *)r->next;

	if (!end || r->failed) {
		r->failed = true;
		return NULL;
	}
	byte_reader_skip(r, (size_t)(end - r->next) + 1);
	return *name ? name : NULL;
}

static void read_file(struct line_index *index, struct byte_reader *r, const char *name)
{
	uint64_t directory = leb128_unsigned(r);

	(void)leb128_unsigned(r); /* time of its last change */
	(void)leb128_unsigned(r); /* size */
	add_file(index, name, directory);
}

/* Before version 5: directory 0 is the unit's, files count from 1. */
static void read_old_tables(struct program *program, struct byte_reader *r)
{
	struct line_index *index = program->index;
	const char *name;

	add_directory(index, index->unit_directory);
	while ((name = read_name(r)))
		add_directory(index, name);
	while ((name = read_name(r)))
		read_file(index, r, name);
}

enum { MAX_ENTRY_FORMATS = UINT8_MAX };

struct entry_format {
	uint16_t content; /* DW_LNCT_* */
	struct dwarf_attr attr;
};

/* Section 6.2.4.1: a table that says itself what is in it. */
static void read_new_table(struct program *program, struct byte_reader *r, bool is_files)
{
	struct entry_format formats[MAX_ENTRY_FORMATS];
	uint8_t format_count = byte_reader_u8(r);
	uint64_t count;

	for (uint8_t i = 0; i < format_count; i++) {
		formats[i].content = (uint16_t)leb128_unsigned(r);
		formats[i].attr = (struct dwarf_attr){ .form = (uint16_t)leb128_unsigned(r) };
	}
	count = leb128_unsigned(r);
	for (uint64_t i = 0; i < count && byte_reader_ok(r); i++) {
		const uint8_t *before = r->next;
		const char *name = NULL;
		uint64_t directory = 0;

		for (uint8_t j = 0; j < format_count; j++) {
			struct dwarf_value value;

			dwarf_value_read(r, &formats[j].attr, &program->format, &value);
			if (!byte_reader_ok(r))
				return;
			if (formats[j].content == DW_LNCT_path)
				name = dwarf_unit_text(program->unit, &value);
			else if (formats[j].content == DW_LNCT_directory_index)
				directory = value.number;
		}
		if (r->next == before)
			return; /* entries of no bytes: any count of them would do */
		if (is_files)
			add_file(program->index, name, directory);
		else
			add_directory(program->index, name);
	}
}

/* --- header ------------------------------------------------------------------------------------------- */

static int read_header(struct program *program)
{
	const struct dwarf_unit *unit = program->unit;
	const struct dwarf_section *section = dwarf_file_section(unit->file, DWARF_LINE);
	struct byte_reader r =
		byte_reader_over(section->bytes, section->size, dwarf_file_swapped(unit->file));
	uint64_t length, header_length;
	struct byte_reader header;

	if (unit->line_offset > section->size)
		return -1;
	byte_reader_skip(&r, (size_t)unit->line_offset);
	program->format = unit->format;
	program->format.offset_size = 4;
	length = byte_reader_u32(&r);
	if (length == UINT32_MAX) {
		program->format.offset_size = 8;
		length = byte_reader_u64(&r);
	}
	if (length > byte_reader_left(&r))
		return -1;
	program->r = byte_reader_sub(&r, (size_t)length);
	program->format.version = (uint8_t)byte_reader_u16(&program->r);
	if (program->format.version < 2 || program->format.version > 5)
		return -1;
	if (program->format.version >= 5) {
		program->format.address_size = byte_reader_u8(&program->r);
		(void)byte_reader_u8(&program->r); /* segment selectors: nobody has them */
	}
	header_length = dwarf_read_offset(&program->r, program->format.offset_size);
	if (!byte_reader_ok(&program->r) || header_length > byte_reader_left(&program->r))
		return -1;
	header = byte_reader_sub(&program->r, (size_t)header_length);

	program->min_instruction_bytes = byte_reader_u8(&header);
	if (program->format.version >= 4)
		(void)byte_reader_u8(
			&header); /* operations of a VLIW instruction, of which lines are not told apart */
	(void)byte_reader_u8(&header); /* default_is_stmt: every row is told */
	program->line_base = (int8_t)byte_reader_u8(&header);
	program->line_range = byte_reader_u8(&header);
	program->opcode_base = byte_reader_u8(&header);
	if (!byte_reader_ok(&header) || program->opcode_base == 0)
		return -1;
	program->operand_counts = byte_reader_bytes(&header, (size_t)program->opcode_base - 1);
	program->index->counts_from_0 = program->format.version >= 5;
	if (program->format.version >= 5) {
		read_new_table(program, &header, false);
		read_new_table(program, &header, true);
	} else {
		read_old_tables(program, &header);
	}
	return program->operand_counts ? 0 : -1;
}

/* --- program ------------------------------------------------------------------------------------------ */

static void add_row(struct program *program)
{
	struct line_index *index = program->index;
	struct line_row row = { program->address, (uint32_t)program->file, (uint32_t)program->line };

	/* Of several rows at one address the last one has the instruction; the others have none. */
	if (index->row_count > program->sequence_first &&
	    index->rows[index->row_count - 1].address == program->address) {
		index->rows[index->row_count - 1] = row;
		return;
	}
	index->rows =
		array_grow(index->rows, &index->row_capacity, index->row_count + 1, sizeof(*index->rows));
	index->rows[index->row_count++] = row;
}

static void end_sequence(struct program *program, uint64_t high)
{
	struct line_index *index = program->index;
	size_t first = program->sequence_first, count = index->row_count - first;

	if (count == 0 || high <= index->rows[first].address ||
	    !program->is_code(index->rows[first].address, program->context)) {
		index->row_count = first;
		return;
	}
	index->sequences = array_grow(index->sequences, &index->sequence_capacity, index->sequence_count + 1,
				      sizeof(*index->sequences));
	index->sequences[index->sequence_count++] =
		(struct line_sequence){ index->rows[first].address, high, first, count };
	program->sequence_first = index->row_count;
}

static void reset_registers(struct program *program)
{
	program->address = 0;
	program->file = 1;
	program->line = 1;
	program->sequence_first = program->index->row_count;
}

/* Addresses rise within a sequence (section 6.2.5); where they do not, it is taken for the end of one. */
static void set_address(struct program *program, uint64_t address)
{
	const struct line_index *index = program->index;

	if (index->row_count > program->sequence_first && address < index->rows[index->row_count - 1].address)
		end_sequence(program, index->rows[index->row_count - 1].address + 1);
	program->address = address;
}

static void run_extended(struct program *program)
{
	uint64_t length = leb128_unsigned(&program->r);
	struct byte_reader r;
	const char *name;

	if (length == 0 || length > byte_reader_left(&program->r)) {
		program->r.failed = true;
		return;
	}
	r = byte_reader_sub(&program->r, (size_t)length);
	switch (byte_reader_u8(&r)) {
	case DW_LNE_end_sequence:
		end_sequence(program, program->address);
		reset_registers(program);
		break;
	case DW_LNE_set_address: set_address(program, dwarf_read_address(&r, (uint8_t)(length - 1))); break;
	case DW_LNE_define_file:
		name = read_name(&r);
		if (name)
			read_file(program->index, &r, name);
		break;
	}
}

static void run_special(struct program *program, uint8_t opcode)
{
	uint8_t adjusted = (uint8_t)(opcode - program->opcode_base);

	if (program->line_range == 0) {
		program->r.failed = true;
		return;
	}
	program->address += (uint64_t)(adjusted / program->line_range) * program->min_instruction_bytes;
	program->line += (uint64_t)(int64_t)(program->line_base + adjusted % program->line_range);
}

static void run_standard(struct program *program, uint8_t opcode)
{
	struct byte_reader *r = &program->r;

	switch (opcode) {
	case DW_LNS_copy: add_row(program); break;
	case DW_LNS_advance_pc:
		set_address(program, program->address + leb128_unsigned(r) * program->min_instruction_bytes);
		break;
	case DW_LNS_advance_line: program->line += (uint64_t)leb128_signed(r); break;
	case DW_LNS_set_file: program->file = leb128_unsigned(r); break;
	case DW_LNS_const_add_pc:
		if (program->line_range)
			program->address +=
				(uint64_t)((uint8_t)(255 - program->opcode_base) / program->line_range) *
				program->min_instruction_bytes;
		break;
	case DW_LNS_fixed_advance_pc: program->address += byte_reader_u16(r); break;
	default: /* columns, statements, blocks; and what later versions may add */
		for (uint8_t i = 0; i < program->operand_counts[opcode - 1]; i++)
			(void)leb128_unsigned(r);
	}
}

static void run(struct program *program)
{
	reset_registers(program);
	while (byte_reader_left(&program->r) && byte_reader_ok(&program->r)) {
		uint8_t opcode = byte_reader_u8(&program->r);

		if (opcode >= program->opcode_base) {
			run_special(program, opcode);
			add_row(program);
		} else if (opcode == 0) {
			run_extended(program);
		} else {
			run_standard(program, opcode);
		}
	}
	program->index->row_count = program->sequence_first; /* without an end: cut off */
}

static int compare_sequences(const void *one, const void *other)
{
	const struct line_sequence *a = one, *b = other;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static struct program begin(struct line_index *index, const struct dwarf_unit *unit)
{
	index->unit_directory = unit->directory;
	if (!index->unit_directory && unit->skeleton)
		index->unit_directory = unit->skeleton->directory;
	index->directory_count = index->file_count = index->row_count = index->sequence_count = 0;
	return (struct program){ .index = index, .unit = unit };
}

void line_index_read(struct line_index *index, const struct dwarf_unit *unit, line_index_is_code *is_code,
		     const void *context)
{
	struct program program = begin(index, unit);

	program.is_code = is_code;
	program.context = context;
	if (read_header(&program) < 0)
		return;
	run(&program);
	if (index->sequence_count)
		qsort(index->sequences, index->sequence_count, sizeof(*index->sequences), compare_sequences);
}

void line_index_read_files(struct line_index *index, const struct dwarf_unit *unit)
{
	struct program program = begin(index, unit);

	(void)read_header(&program);
}

void line_index_fini(struct line_index *index)
{
	free(index->directories);
	free(index->files);
	free(index->rows);
	free(index->sequences);
	*index = (struct line_index){ 0 };
}

/* --- questions ------------------------------------------------------------------------------------------ */

static const struct line_row *find_row(const struct line_index *index, const struct line_sequence *sequence,
				       uint64_t address)
{
	size_t low = sequence->first, high = sequence->first + sequence->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (index->rows[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	return &index->rows[low];
}

/* Sequences of a sound program do not overlap: so many are tried that begin earlier. */
enum { MAX_OVERLAP = 8 };

const struct line_row *line_index_find(const struct line_index *index, uint64_t address)
{
	size_t low = 0, high = index->sequence_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->sequences[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (int tries = 0; low > 0 && tries < MAX_OVERLAP; tries++) {
		const struct line_sequence *sequence = &index->sequences[--low];

		if (address < sequence->high)
			return find_row(index, sequence, address);
	}
	return NULL;
}

static void add_part(struct strbuf *path, const char *part)
{
	if (!part || !*part)
		return;
	if (path->size && path->bytes[path->size - 1] != '/')
		strbuf_addc(path, '/');
	strbuf_adds(path, part);
}

bool line_index_path(const struct line_index *index, uint64_t file, struct strbuf *path)
{
	uint64_t number = index->counts_from_0 ? file : file - 1;
	const char *directory;

	if (number >= index->file_count || !index->files[number].name)
		return false;
	directory = index->files[number].directory < index->directory_count ?
			    index->directories[index->files[number].directory] :
			    NULL;
	if (index->files[number].name[0] != '/') {
		if (directory != index->unit_directory && (!directory || directory[0] != '/'))
			add_part(path, index->unit_directory);
		add_part(path, directory);
	}
	add_part(path, index->files[number].name);
	return true;
}
