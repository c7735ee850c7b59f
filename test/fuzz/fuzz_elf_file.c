/* An ELF file of arbitrary bytes: reads everything in it, and looks up names for addresses all over it. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "elf/elf_plt.h"
#include "elf/elf_symtab.h"
#include "elf/mini_debuginfo.h"
#include "support/elf_copy.h"
#include "symbol/elf_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch_symbol(const struct elf_symbol *symbol, void *context)
{
	*(size_t *)context += strlen(symbol->name);
}

static void read_everything(struct elf_file *file)
{
	struct elf_file *mini;
	struct error err;
	size_t touched = 0;
	uint64_t address;

	for (size_t i = 0; i < elf_file_section_count(file); i++) {
		struct elf_section section;

		if (elf_file_section_at(file, i, &section, &err) == 1 && section.bytes && section.size)
			touched += section.bytes[0] + section.bytes[section.size - 1] + strlen(section.name);
	}
	for (enum elf_symtab_kind kind = ELF_SYMTAB_FULL; kind <= ELF_SYMTAB_DYNAMIC; kind++)
		(void)elf_symtab_read(file, kind, NULL, touch_symbol, &touched, &err);
	(void)elf_plt_read(file, touch_symbol, &touched, &err);
	for (uint64_t offset = 0; offset < 0x4000; offset += 0x123)
		if (elf_file_offset_to_vaddr(file, offset, &address) == 0)
			(void)elf_file_vaddr_to_offset(file, address, &address);
	if (mini_debuginfo_open(file, &mini, &err) == 1) {
		(void)elf_symtab_read(mini, ELF_SYMTAB_FULL, NULL, touch_symbol, &touched, &err);
		elf_file_close(mini);
	}
}

static const struct debug_file_search nowhere = { .symfs = "/proc/nonexistent" };

/* Symbols read only for some addresses must give the same names there. */
static void compare_some(const uint8_t *data, size_t size, struct elf_symbols *all)
{
	static const uint64_t vaddrs[] = { 0x40, 0x1000, 0x1008, 0x1077, 0x2000, 0x2345, 0x3fff };
	const size_t count = sizeof(vaddrs) / sizeof(*vaddrs);
	struct elf_symbols *some = elf_symbols_open(elf_copy_open(data, size, "fuzz", NULL), &nowhere);

	elf_symbols_want(some, vaddrs, count);
	elf_symbols_read(some, SYMBOL_MAP_INNERMOST_FUNCTION, NULL, NULL);
	for (size_t i = 0; i < count; i++) {
		const struct symbol_map_entry *expected = symbol_map_find(elf_symbols_map(all), vaddrs[i]);
		const struct symbol_map_entry *found = symbol_map_find(elf_symbols_map(some), vaddrs[i]);

		if (!expected != !found ||
		    (expected && (strcmp(expected->name, found->name) != 0 ||
				  expected->start != found->start || expected->end != found->end)))
			abort();
	}
	elf_symbols_destroy(some);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *file = elf_copy_open(data, size, "fuzz", NULL);
	struct elf_symbols *symbols;

	if (!file)
		return 0;
	read_everything(file);
	symbols = elf_symbols_open(file, &nowhere);
	elf_symbols_read(symbols, SYMBOL_MAP_INNERMOST_FUNCTION, NULL, NULL);
	for (uint64_t vaddr = 0; vaddr < 0x4000; vaddr += 0x77)
		(void)symbol_map_find(elf_symbols_map(symbols), vaddr);
	compare_some(data, size, symbols);
	elf_symbols_destroy(symbols);
	return 0;
}
