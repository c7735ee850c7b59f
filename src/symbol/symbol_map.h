#ifndef XPROF_SYMBOL_SYMBOL_MAP_H
#define XPROF_SYMBOL_SYMBOL_MAP_H

/*
 * The symbols of one object by address: filled once, sealed, then searched.
 *
 * Sealing decides which name an address has, by the rules of perf 6.1 so that
 * report rows can be compared: sizes that are missing are filled up to the next
 * symbol, of several names at one address one is chosen. Where symbols overlap,
 * perf's answer depends on the shape of its tree; here it is always that of the
 * innermost symbol (or, for run-time compilers, of the youngest one).
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum symbol_map_flags {
	SYMBOL_MAP_PLT = 1,
	SYMBOL_MAP_DEMANGLED = 2, /* `name` is final: either demangled or found not to be mangled */
	SYMBOL_MAP_NO_SIZE = 4,   /* `end` is where something else begins */
};

struct symbol_map_entry {
	uint64_t start;
	uint64_t end;      /* first address behind it */
	const char *name;  /* borrowed; may be replaced by its demangled form */
	uint32_t sequence; /* number in the order of adding */
	uint16_t group;    /* symbols of one kernel module; a missing size never reaches into another group */
	uint8_t binding;   /* STB_* */
	uint8_t flags;     /* enum symbol_map_flags */
};

enum symbol_map_overlap {
	/* Functions of a file. A label without a size inside of a function with one does not split it. */
	SYMBOL_MAP_INNERMOST_FUNCTION,
	/* The kernel: labels inside of functions are entry points worth telling apart, as kallsyms does. */
	SYMBOL_MAP_INNERMOST,
	/* Code that replaces older code at its address: what was added last. */
	SYMBOL_MAP_YOUNGEST,
};

struct symbol_map;

/* How a mangled name reads, for choosing between aliases by what will be shown. NULL: it is not mangled. */
typedef const char *symbol_map_demangle(const char *name, void *context);

struct symbol_map *symbol_map_create(void);
void symbol_map_destroy(struct symbol_map *map);

/* A size that would wrap around is cut at the end of the address space. `name` must live as long as the map. */
void symbol_map_add(struct symbol_map *map, uint64_t start, uint64_t size_bytes, const char *name,
		    uint8_t binding, uint16_t group, uint8_t flags);

/* Once, after the last add. demangle may be NULL. */
void symbol_map_seal(struct symbol_map *map, enum symbol_map_overlap overlap, symbol_map_demangle *demangle,
		     void *context);

/*
 * Instead of sealing, for callers that choose between names later: sorts entries by address, those of one
 * address in the order of addition, with the sizes that sealing gives them, and keeps all aliases.
 */
void symbol_map_settle(struct symbol_map *map, enum symbol_map_overlap overlap);

/* Symbols that reach to the next one each, as those of a sealed map do that had no sizes. All is borrowed. */
struct sorted_symbols {
	uint64_t base, end;      /* the first one's start, and the first address behind the last one */
	uint32_t count;          /* at least 1 */
	const uint8_t *starts;   /* from the base, ascending: numbers of 4 bytes in this machine's order */
	const uint8_t *names;    /* where in the text they are: likewise */
	const uint8_t *bindings; /* a byte each */
	const char *text;
};

static inline uint32_t sorted_symbols_number(const uint8_t *numbers, uint32_t at)
{
	uint32_t number;

	memcpy(&number, numbers + (size_t)at * sizeof(number), sizeof(number));
	return number;
}

/* A sealed map of them. Entries are made when they are found, until when symbol_map_entry() has nothing to give. */
struct symbol_map *symbol_map_of_sorted(const struct sorted_symbols *symbols);

/* NULL when no symbol covers the address. Valid as long as the map; the caller may replace its name. */
struct symbol_map_entry *symbol_map_find(struct symbol_map *map, uint64_t address);

/* Entries, aliases included, in order of address once sealed. */
size_t symbol_map_count(const struct symbol_map *map);
const struct symbol_map_entry *symbol_map_entry(const struct symbol_map *map, size_t number);

#endif
