#ifndef XPROF_SYMBOL_UNIT_READER_H
#define XPROF_SYMBOL_UNIT_READER_H

/*
 * The libdw handle through which one thread reads units. libdw keeps everything it has read until its handle
 * is closed: several times the size of the input.
 */

#include "symbol/dwarf/dwarf_file.h"

struct unit_reader {
	const struct dwarf_file *file;
	struct dwarf_handle handle;
	uint64_t held_bytes;
};

bool unit_reader_has_room(const struct unit_reader *reader, const struct dwarf_unit *unit,
			  uint64_t max_bytes);

/* Notes that the unit will be read through the handle. */
void unit_reader_take(struct unit_reader *reader, const struct dwarf_unit *unit);

/* The same, but if there is no room, reopens the handle, which invalidates everything read before. */
void unit_reader_make_room(struct unit_reader *reader, const struct dwarf_unit *unit);

#endif
