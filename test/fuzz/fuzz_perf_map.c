/* A perf map of arbitrary bytes: reads, seals and searches it. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/demangle.h"
#include "symbol/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_map *map;
	struct symbol_map *symbols;

	map = perf_map_from_text((const char *)data, size, "fuzz");
	symbols = perf_map_symbols(map);
	for (size_t i = 0; i < symbol_map_count(symbols); i++) {
		const struct symbol_map_entry *entry = symbol_map_entry(symbols, i);

		/* The symbol that covers the start of this one is itself or a younger one. */
		if (entry->end > entry->start && !symbol_map_find(symbols, entry->start))
			abort();
		(void)symbol_map_find(symbols, entry->end);
		free(demangle_name(entry->name, true));
	}
	perf_map_close(map);
	return 0;
}
