#ifndef XPROF_SYMBOL_SYMBOL_MAP_H
#define XPROF_SYMBOL_SYMBOL_MAP_H

/*
 * The symbols of one object by address: filled once, sealed, then searched.
 *
 * Sealing decides the name of each address by the rules of perf 6.1, so that reports can be compared: a
 * symbol without a size extends to the next one; of several names at one address one is chosen. If symbols
 * overlap, perf's answer depends on the shape of its tree; here it is always the innermost symbol (for
 * run-time code, the one added last).
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum symbol_map_flags {
	SYMBOL_MAP_PLT = 1,
	SYMBOL_MAP_DEMANGLED = 2, /* `name` is final: demangled, or not mangled */
	SYMBOL_MAP_NO_SIZE = 4,   /* the symbol has no size: `end` is the start of the next one */
};

struct symbol_map_entry {
	uint64_t start;
	uint64_t end;      /* first address behind it */
	const char *name;  /* borrowed; may be replaced by its demangled form */
	uint32_t sequence; /* number in the order of adding */
	uint16_t group;    /* kernel module; a symbol without a size does not extend into another group */
	uint8_t binding;   /* STB_* */
	uint8_t flags;     /* enum symbol_map_flags */
};

enum symbol_map_overlap {
	/* For files. A label without a size does not split a function with a size that contains it. */
	SYMBOL_MAP_INNERMOST_FUNCTION,
	/* For the kernel. Labels inside functions are separate entry points, as in kallsyms. */
	SYMBOL_MAP_INNERMOST,
	/* For run-time code, which replaces older code at its address: the symbol added last. */
	SYMBOL_MAP_YOUNGEST,
};

struct symbol_map;

/* Returns the demangled form of a name, by which sealing chooses among aliases; NULL if it is not mangled. */
typedef const char *symbol_map_demangle(const char *name, void *context);

struct symbol_map *symbol_map_create(void);
void symbol_map_destroy(struct symbol_map *map);

/*
 * Adds a symbol. A size that would wrap around is cut at the end of the address space. `name` must live as long
 * as the map.
 */
void symbol_map_add(struct symbol_map *map, uint64_t start, uint64_t size_bytes, const char *name,
		    uint8_t binding, uint16_t group, uint8_t flags);

/* Call once, after the last symbol_map_add(). demangle may be NULL. */
void symbol_map_seal(struct symbol_map *map, enum symbol_map_overlap overlap, symbol_map_demangle *demangle,
		     void *context);

/*
 * Instead of sealing, for callers that choose among aliases later: sorts entries by address, those with one
 * address in order of addition, fills in missing sizes as sealing does, and keeps all aliases.
 */
void symbol_map_settle(struct symbol_map *map, enum symbol_map_overlap overlap);

/* Sorted symbols, each of which extends to the next one. All pointers are borrowed. */
struct sorted_symbols {
	uint64_t base, end;      /* the first one's start, and the first address behind the last one */
	uint32_t count;          /* at least 1 */
	const uint8_t *starts;   /* ascending distances from the base: 4-byte numbers in this machine's byte
				    order */
	const uint8_t *names;    /* offsets of the names in `text`: likewise */
	const uint8_t *bindings; /* one byte each */
	const char *text;
};

static inline uint32_t sorted_symbols_number(const uint8_t *numbers, uint32_t at)
{
	uint32_t number;

	memcpy(&number, numbers + (size_t)at * sizeof(number), sizeof(number));
	return number;
}

/*
 * Makes a sealed map of `symbols`. Entries are created when symbol_map_find() finds them, so symbol_map_entry() must not be
 * used.
 */
struct symbol_map *symbol_map_of_sorted(const struct sorted_symbols *symbols);

/* NULL if no symbol covers the address. Valid as long as the map; the caller may replace the entry's name. */
struct symbol_map_entry *symbol_map_find(struct symbol_map *map, uint64_t address);

/* All entries, including aliases; in order of address once sealed. */
size_t symbol_map_count(const struct symbol_map *map);
const struct symbol_map_entry *symbol_map_entry(const struct symbol_map *map, size_t number);

#endif
