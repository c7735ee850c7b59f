#ifndef XPROF_SYMBOL_SYMBOL_TABLE_H
#define XPROF_SYMBOL_SYMBOL_TABLE_H

/*
 * The names and source lines of one object, out of the source that fits its kind (symbol_source.h), and else out of those
 * that the recording brings with it. With an archive, no other file is searched. Nothing is read before the first
 * question. Addresses are in the object's map space, see symbol_object.h. While an archive is made, questions and answers
 * are noted on the way.
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
	const char *name; /* demangled if so asked; lives as long as the symbolizer */
	uint64_t start;   /* map space of the object */
	uint64_t end;     /* first address behind it */
	bool is_plt;
	bool is_local; /* STB_LOCAL */
};

/* These addresses will be asked for: a large file's other symbols are not looked at until one of them is. Adds up. */
void symbol_table_want(struct symbol_table *table, const uint64_t *addresses, size_t count);
/* Reads what the first question would, if there has been none. */
void symbol_table_load(struct symbol_table *table);

/*
 * The owner key of a table, for several threads. Tables with the same key may be used by one thread at a
 * time; tables with different keys may be loaded and asked for functions at the same time, while no table is
 * created. NULL: no other thread may use any table meanwhile. Opens files.
 */
const void *symbol_table_group(struct symbol_table *table);
/* About as many as what loading takes depends on; 0: little, or not known. */
size_t symbol_table_file_bytes(const struct symbol_table *table);

/* 1 and *symbol filled, or 0: nothing is known at this address. */
int symbol_table_find(struct symbol_table *table, uint64_t address, struct symbol *symbol);

/*
 * Source of an address, innermost first: what was inlined there, and last the function that was compiled, which
 * symbol_table_find() may know by a better name. 0: there is no debug information that knows. Frames are valid
 * until the next question, texts as long as the symbolizer.
 */
size_t symbol_table_find_source(struct symbol_table *table, uint64_t address,
				const struct source_frame **frames);

/* Looks up the source of many addresses at once, which is a lot faster than one by one. */
void symbol_table_prepare_source(struct symbol_table *table, const uint64_t *addresses, size_t count);

/*
 * After the first find: where the names came from ("/usr/lib/debug/….debug", "/proc/kallsyms"), or NULL when
 * nothing could be loaded; and then *why is a one-line reason with the remedy ("build-id of /usr/bin/x is …, the
 * recording has …: the file was replaced since").
 */
const char *symbol_table_source(const struct symbol_table *table, const char **why);

/* After the first find, of a file: has it, or has its debug file, a symbol table with all of its functions? */
bool symbol_table_is_full(const struct symbol_table *table);

/* Is there debug information, for symbol_table_find_source()? */
bool symbol_table_has_lines(struct symbol_table *table);

/* The archive's entry of the object; NULL: there is none, or no archive. */
const struct archived_object *symbol_table_archived(const struct symbol_table *table);

/* --- for the symbolizer ------------------------------------------------------------------------- */

/* The table of another object of the same symbolizer. */
typedef struct symbol_table *symbol_table_of(void *symbolizer, const struct symbol_object *object);

/* Texts of the object, and the environment, outlive the table. */
struct symbol_table *symbol_table_create(const struct symbol_environment *environment,
					 const struct symbol_object *object, const char *cache_directory,
					 symbol_table_of *other, void *symbolizer);
void symbol_table_destroy(struct symbol_table *table);
const struct symbol_object *symbol_table_object(const struct symbol_table *table);

#endif
