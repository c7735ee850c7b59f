/*
 * All sections are decompressed in one call, elf_file_inflate(), before they are looked up one by one. String sections
 * are cut behind their last terminator.
 */
#include "symbol/dwarf/dwarf_sections.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

const char dwarf_section_names[DWARF_SECTION_COUNT + 1][24] = {
	[DWARF_INFO] = ".debug_info",         [DWARF_ABBREV] = ".debug_abbrev",
	[DWARF_LINE] = ".debug_line",         [DWARF_STR] = ".debug_str",
	[DWARF_LINE_STR] = ".debug_line_str", [DWARF_STR_OFFSETS] = ".debug_str_offsets",
	[DWARF_ADDR] = ".debug_addr",         [DWARF_RANGES] = ".debug_ranges",
	[DWARF_RNGLISTS] = ".debug_rnglists",
};

static bool holds_texts(int id)
{
	return id == DWARF_STR || id == DWARF_LINE_STR;
}

void dwarf_sections_of(struct dwarf_sections *sections, struct elf_file *elf, const char *suffix,
		       struct error *err)
{
	char *names[DWARF_SECTION_COUNT];

	*sections =
		(struct dwarf_sections){ .is_64bit = elf_file_is_64bit(elf), .swap = elf_file_swapped(elf) };
	for (int id = 0; id < DWARF_SECTION_COUNT; id++)
		names[id] = xasprintf("%s%s", dwarf_section_names[id], suffix);
	elf_file_inflate(elf, (const char *const *)names, DWARF_SECTION_COUNT);
	for (int id = 0; id < DWARF_SECTION_COUNT; id++) {
		struct elf_section section;

		if (elf_file_section(elf, names[id], &section, err) == 1 && section.bytes) {
			/* libdw 0.188 does not check where a string ends. */
			if (holds_texts(id))
				elf_section_trim_strings(&section);
			sections->at[id] = (struct dwarf_section){ section.bytes, section.size };
		}
		free(names[id]);
	}
}

bool dwarf_sections_hold_text(const struct dwarf_sections *sections, const char *text)
{
	bool is_behind =
		false; /* the string points to the end of a section and into no other one: its entry was truncated */

	for (int id = 0; id < DWARF_SECTION_COUNT; id++) {
		const struct dwarf_section *section = &sections->at[id];
		uintptr_t offset = (uintptr_t)text - (uintptr_t)section->bytes;

		if (section->bytes && offset < section->size)
			return memchr(text, '\0', section->size - offset);
		is_behind |= section->bytes && offset == section->size;
	}
	return !is_behind;
}
