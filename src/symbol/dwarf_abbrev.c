#include "symbol/dwarf_abbrev.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/leb128.h"
#include "base/xalloc.h"
#include "symbol/dwarf_value.h"

/* Compilers write a few hundred entries, dwz and LTO some ten thousand. Each takes at least 5 bytes. */
enum { MAX_ATTRS = UINT16_MAX - 1 };

/* 1 read, 0 the end of the table. */
static int read_attr(struct byte_reader *r, struct dwarf_attr *attr)
{
	uint64_t name = leb128_unsigned(r), form = leb128_unsigned(r);
	int64_t implicit = 0;

	if (form == DW_FORM_implicit_const)
		implicit = leb128_signed(r);
	if (!byte_reader_ok(r) || (name == 0 && form == 0))
		return 0;
	if (form > UINT16_MAX) {
		r->failed = true;
		return 0;
	}
	*attr = (struct dwarf_attr){
		.name = name <= UINT16_MAX ? (uint16_t)name : 0,
		.form = (uint16_t)form,
		.implicit = implicit >= 0 && implicit <= INT32_MAX ? (int32_t)implicit : 0,
	};
	return 1;
}

static void read_attrs(struct dwarf_abbrev_table *table, struct dwarf_abbrev *abbrev, struct byte_reader *r,
		       const struct dwarf_format *format)
{
	struct dwarf_attr attr;
	size_t count = 0, size = 0;

	abbrev->first_attr = (uint32_t)table->attr_count;
	while (read_attr(r, &attr)) {
		size_t attr_size = dwarf_form_size(attr.form, format);

		if (count++ == MAX_ATTRS) {
			r->failed = true;
			return;
		}
		size = attr_size == DWARF_SIZE_VARIES || size == DWARF_SIZE_VARIES ? DWARF_SIZE_VARIES :
		       size + attr_size < DWARF_SIZE_VARIES                        ? size + attr_size :
										     DWARF_SIZE_VARIES;
		table->attrs = array_grow(table->attrs, &table->attr_capacity, table->attr_count + 1,
					  sizeof(*table->attrs));
		table->attrs[table->attr_count++] = attr;
	}
	abbrev->attr_count = (uint16_t)count;
	abbrev->fixed_size_bytes = (uint16_t)size;
}

static int compare_codes(const void *one, const void *other)
{
	const struct dwarf_abbrev *a = one, *b = other;

	return a->code < b->code ? -1 : a->code > b->code;
}

static int read_entries(struct dwarf_abbrev_table *table, struct byte_reader *r,
			const struct dwarf_format *format, uint64_t only)
{
	for (;;) {
		struct dwarf_abbrev abbrev = { .code = leb128_unsigned(r) };
		uint64_t tag;

		/* The last table of a section may lack its terminator. */
		if (abbrev.code == 0)
			break;
		tag = leb128_unsigned(r);
		abbrev.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
		abbrev.has_children = byte_reader_u8(r) != 0;
		read_attrs(table, &abbrev, r, format);
		if (!byte_reader_ok(r))
			return -1;
		table->abbrevs = array_grow(table->abbrevs, &table->capacity, table->count + 1,
					    sizeof(*table->abbrevs));
		table->abbrevs[table->count++] = abbrev;
		if (abbrev.code != table->count)
			table->dense = false;
		if (abbrev.code == only)
			break;
	}
	return 0;
}

int dwarf_abbrev_table_read(struct dwarf_abbrev_table *table, const uint8_t *section, size_t size,
			    uint64_t offset, const struct dwarf_format *format, uint64_t only)
{
	struct byte_reader r = byte_reader_over(section, size, false);
	int status;

	table->count = table->attr_count = 0;
	table->dense = true;
	/* Never NULL: entries without attributes have their place among none. */
	table->attrs = array_grow(table->attrs, &table->attr_capacity, 1, sizeof(*table->attrs));
	if (offset > size)
		return -1;
	byte_reader_skip(&r, (size_t)offset);
	status = read_entries(table, &r, format, only);
	table->read_bytes += size - offset - byte_reader_left(&r);
	if (status < 0)
		table->count = 0;
	else if (!table->dense)
		qsort(table->abbrevs, table->count, sizeof(*table->abbrevs), compare_codes);
	return status;
}

void dwarf_abbrev_table_fini(struct dwarf_abbrev_table *table)
{
	free(table->abbrevs);
	free(table->attrs);
	*table = (struct dwarf_abbrev_table){ 0 };
}

const struct dwarf_abbrev *dwarf_abbrev_search(const struct dwarf_abbrev_table *table, uint64_t code)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->abbrevs[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->count && table->abbrevs[low].code == code ? &table->abbrevs[low] : NULL;
}
