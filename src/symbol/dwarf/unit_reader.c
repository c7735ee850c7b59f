/* Counts the input bytes that went through a handle, and closes and reopens the handle to free libdw's memory. */
#include "symbol/dwarf/unit_reader.h"

enum { MAX_HELD_BYTES = 16 << 20 };

bool unit_reader_has_room(const struct unit_reader *reader, const struct dwarf_unit *unit, uint64_t max_bytes)
{
	return !reader->handle.dwarf || reader->held_bytes + unit->size_bytes <= max_bytes;
}

void unit_reader_take(struct unit_reader *reader, const struct dwarf_unit *unit)
{
	if (!reader->handle.dwarf) {
		reader->held_bytes = 0;
		(void)dwarf_file_open_handle(reader->file, &reader->handle);
	}
	reader->held_bytes += unit->size_bytes;
}

void unit_reader_make_room(struct unit_reader *reader, const struct dwarf_unit *unit)
{
	if (!unit_reader_has_room(reader, unit, MAX_HELD_BYTES))
		dwarf_handle_close(&reader->handle);
	unit_reader_take(reader, unit);
}
