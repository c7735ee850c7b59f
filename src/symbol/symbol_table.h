#ifndef XPROF_SYMBOL_SYMBOL_TABLE_H
#define XPROF_SYMBOL_SYMBOL_TABLE_H

/*
 * The names and source lines of one object, from the source for its kind (symbol_source.h) or from symbols in the
 * recording itself. If there is an archive, no other file is searched. Nothing is read before the first lookup. Addresses
 * are in the object's map space, see symbol_object.h. While an archive is made, lookups and answers are recorded
 * (object_needs.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/dwarf/source_index.h"
#include "symbol/symbol_object.h"

struct archived_object;
struct symbol_environment;
struct symbol_table;

struct symbol {
	const char *name; /* demangled if the options say so; lives as long as the symbolizer */
	uint64_t start;   /* in the object's map space */
	uint64_t end;     /* first address behind it */
	bool is_plt;
	bool is_local; /* STB_LOCAL */
};

/*
 * Announces addresses that will be looked up, so that only the symbols of a large file that matter for them are read;
 * a lookup of another address reads the others. May be called several times.
 */
void symbol_table_want(struct symbol_table *table, const uint64_t *addresses, size_t count);
/* Reads the symbols now, instead of at the first lookup. */
void symbol_table_load(struct symbol_table *table);

/*
 * For callers with several threads: a key that tells which tables depend on each other. Tables with the same
 * key may be used by one thread at a time; tables with different keys may be loaded, and functions looked up
 * in them, at the same time, as long as no table is created. NULL: while this table is used, no other thread
 * may use any table. Opens files.
 */
const void *symbol_table_group(struct symbol_table *table);
/* The size of the object's ELF file, as an estimate of how long loading takes; 0: short, or unknown. */
size_t symbol_table_file_bytes(const struct symbol_table *table);

/* Finds the symbol at an address. Returns 1 and *symbol, or 0 if there is none. */
int symbol_table_find(struct symbol_table *table, uint64_t address, struct symbol *symbol);

/*
 * The source frames of an address, innermost first: inlined functions, and last the compiled function, for
 * which symbol_table_find() may have a better name. Returns their number; 0 if no debug information has the
 * address. Frames are valid until the next lookup, texts as long as the symbolizer.
 */
size_t symbol_table_find_source(struct symbol_table *table, uint64_t address,
				const struct source_frame **frames);

/* Looks up the source of many addresses in advance, which is much faster than one by one. */
void symbol_table_prepare_source(struct symbol_table *table, const uint64_t *addresses, size_t count);

/*
 * Call after the first lookup. The file from which the names come ("/usr/lib/debug/….debug", "/proc/kallsyms");
 * NULL if nothing could be loaded, and then *why is a one-line reason with the remedy ("build-id of /usr/bin/x
 * is …, the recording has …: the file was replaced after the recording").
 */
const char *symbol_table_source(const struct symbol_table *table, const char **why);

/* Call after the first lookup. Does the file, or its debug file, have a symbol table with all functions? */
bool symbol_table_is_full(const struct symbol_table *table);

/* Is there debug information for symbol_table_find_source()? */
bool symbol_table_has_lines(struct symbol_table *table);

/* The archive's entry for the object; NULL if there is none, or no archive. */
const struct archived_object *symbol_table_archived(const struct symbol_table *table);

/* --- for the symbolizer ------------------------------------------------------------------------- */

/* Returns the table of another object of the same symbolizer. */
typedef struct symbol_table *symbol_table_of(void *symbolizer, const struct symbol_object *object);

/* Texts of `object`, and `environment`, must outlive the table. */
struct symbol_table *symbol_table_create(const struct symbol_environment *environment,
					 const struct symbol_object *object, const char *cache_directory,
					 symbol_table_of *other, void *symbolizer);
/* Tells the needs of the environment's options, if there are any, by what file the table's questions were answered. */
void symbol_table_tell_origin(const struct symbol_table *table);
void symbol_table_destroy(struct symbol_table *table);
const struct symbol_object *symbol_table_object(const struct symbol_table *table);

#endif
