/*
 * A place is a short list of ranges, address to vaddr. The kernel proper is one range, shifted by the distance that its
 * reference symbol was moved. A module has a range per code section: from /sys/module if its addresses agree with the
 * recording, else laid out as elf_relocatable does it.
 */
#include "symbol/kernel_place.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "elf/elf_relocatable.h"
#include "elf/elf_symtab.h"

struct placed_range {
	uint64_t address, size;
	uint64_t vaddr;
};

struct kernel_place {
	struct placed_range *ranges; /* a module has a few: .text, .text.unlikely, .exit.text … */
	size_t count, capacity;
};

static void add_range(struct kernel_place *place, uint64_t address, uint64_t size, uint64_t vaddr)
{
	*ARRAY_ADD(place->ranges, place->count, place->capacity) =
		(struct placed_range){ address, size, vaddr };
}

void kernel_place_destroy(struct kernel_place *place)
{
	if (!place)
		return;
	free(place->ranges);
	free(place);
}

int kernel_place_vaddr(const struct kernel_place *place, uint64_t address, uint64_t *vaddr)
{
	for (size_t i = 0; i < place->count; i++) {
		const struct placed_range *range = &place->ranges[i];

		if (address - range->address >= range->size)
			continue;
		*vaddr = range->vaddr + (address - range->address);
		return 0;
	}
	return -1;
}

/* --- the kernel proper ------------------------------------------------------------ */

struct wanted_symbol {
	const char *name;
	uint64_t vaddr;
	bool found;
};

static void match_symbol(const struct elf_symbol *symbol, void *context)
{
	struct wanted_symbol *wanted = context;

	if (!wanted->found && strcmp(symbol->name, wanted->name) == 0) {
		wanted->found = true;
		wanted->vaddr = symbol->vaddr;
	}
}

struct kernel_place *kernel_place_of_kernel(struct elf_file *vmlinux, struct elf_file *debug,
					    const char *symbol, uint64_t address)
{
	struct kernel_place *place = xcalloc(1, sizeof(*place));
	struct wanted_symbol wanted = { .name = symbol };

	if (symbol)
		(void)elf_symtab_read(vmlinux, ELF_SYMTAB_FULL, NULL, match_symbol, &wanted, NULL);
	if (symbol && !wanted.found && debug)
		(void)elf_symtab_read(debug, ELF_SYMTAB_FULL, NULL, match_symbol, &wanted, NULL);
	add_range(place, wanted.found ? address - wanted.vaddr : 0, UINT64_MAX, 0);
	return place;
}

/* --- modules ------------------------------------------------------------------------ */

static bool is_kept_code(const struct elf_section *section)
{
	const struct elf_section_header header = { .flags = section->flags };

	return section->size > 0 && elf_relocatable_group(&header, section->name) == ELF_RELOCATABLE_TEXT;
}

/* "0xffffffffc0201000\n" when root reads it; others read zero or get an error. */
static bool read_section_address(const char *sections, const char *name, uint64_t *address)
{
	char *path = xasprintf("%s/%s", sections, name);
	FILE *file = fopen(path, "re");
	unsigned long long value = 0;
	bool found = file && fscanf(file, "%llx", &value) == 1 && value != 0;

	if (file)
		fclose(file);
	free(path);
	*address = value;
	return found;
}

/* Uses the addresses in sysfs only if they agree with the recording: the module may have been reloaded since. */
static bool place_by_sysfs(struct kernel_place *place, const struct elf_file *module, uint64_t start,
			   const char *sections)
{
	uint64_t lowest = UINT64_MAX, address;
	struct elf_section section;

	for (size_t i = 0; i < elf_file_section_count(module); i++) {
		elf_file_section_header(module, i, &section);
		if (!is_kept_code(&section) || strchr(section.name, '/') ||
		    !read_section_address(sections, section.name, &address))
			continue;
		lowest = address < lowest ? address : lowest;
		add_range(place, address, section.size, section.vaddr);
	}
	if (lowest == start)
		return true;
	place->count = 0;
	return false;
}

struct kernel_place *kernel_place_of_module(const struct elf_file *module, uint64_t start,
					    const char *sections)
{
	struct kernel_place *place = xcalloc(1, sizeof(*place));
	struct elf_section section;

	if (sections && place_by_sysfs(place, module, start, sections))
		return place;
	for (size_t i = 0; i < elf_file_section_count(module); i++) {
		elf_file_section_header(module, i, &section);
		if (is_kept_code(&section))
			add_range(place, start + (section.vaddr - ELF_RELOCATABLE_BASE), section.size,
				  section.vaddr);
	}
	return place;
}
