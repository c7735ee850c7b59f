/* Kernel symbols of arbitrary bytes: reads, seals and searches them. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct kallsyms *kallsyms;
	struct symbol_map *symbols;
	struct error err;
	size_t touched = 0;

	memcpy(text, data, size);
	text[size] = '\0';
	kallsyms = kallsyms_from_text(text, size, "fuzz", &err);
	if (!kallsyms)
		return 0;
	symbols = kallsyms_map(kallsyms);
	for (size_t i = 0; i < symbol_map_count(symbols); i++) {
		const struct symbol_map_entry *entry = symbol_map_entry(symbols, i);

		if (entry->end > entry->start && symbol_map_find(symbols, entry->start) != entry)
			abort();
		touched += strlen(entry->name) + strlen(kallsyms_module(kallsyms, entry->group));
	}
	kallsyms_close(kallsyms);
	return touched == SIZE_MAX;
}
