#ifndef XPROF_SYMBOL_OBJECT_NEEDS_H
#define XPROF_SYMBOL_OBJECT_NEEDS_H

/*
 * Collects all lookups in each object while a recording is read, so that an archive can have the parts that
 * answer them. Not thread-safe.
 */

#include <stddef.h>

#include "base/hash_table.h"
#include "symbol/dwarf/source_answers.h"
#include "symbol/dwarf/source_index.h"
#include "symbol/symbol_object.h"

struct object_needs;

enum object_need_kind {
	OBJECT_NEED_NAME,   /* of a file: an address in map space whose function was looked up */
	OBJECT_NEED_FRAMES, /* the vaddr at which a used FDE begins */
	OBJECT_NEED_CODE,   /* the file offset of an instruction that was read, with those around it */
	/*
	 * vaddrs at which functions begin and end that have no CFI and were unwound by their instructions. They do not
	 * overlap.
	 */
	OBJECT_NEED_FUNCTION_START,
	OBJECT_NEED_FUNCTION_END,
	OBJECT_NEED_KINDS,
};

/* The kind of source of the answers, which decides the form in which an archive keeps them. */
enum object_form {
	OBJECT_FORM_NONE,    /* nothing could be opened */
	OBJECT_FORM_ELF,     /* a file */
	OBJECT_FORM_NAMES,   /* lists of symbols: kallsyms, vmlinux, perf maps. In map space */
	OBJECT_FORM_JITDUMP, /* a jitdump file */
};

struct object_name {          /* a symbol that a lookup found */
	uint64_t start, size; /* in map space */
	uint32_t sequence;    /* of overlapping symbols of run-time code, the one with the higher number
				 counts */
	const char *name;     /* as in the list, not demangled */
};

struct object_need {
	struct symbol_object object; /* texts live as long as the needs */
	enum object_form form;
	const char *opened; /* the path of the jitdump file that was opened; NULL: none, or another kind of
			       object */
	const char *source; /* result of symbol_table_source(); NULL: there are no names, and `why` has the
			       reason */
	const char *why;
	bool full; /* result of symbol_table_is_full() */
	struct object_need_set {
		uint64_t *items;
		size_t count, capacity;
		size_t sorted; /* the first `sorted` items are sorted and distinct */
	} sets[OBJECT_NEED_KINDS];
	struct object_name *names; /* OBJECT_FORM_NAMES: the symbols that were found */
	size_t name_count, name_capacity;
	struct hash_table by_name;
	struct source_answers answers; /* by the addresses that were looked up, in map space */
	struct hash_table by_address;
};

struct object_needs *object_needs_create(void);
void object_needs_destroy(struct object_needs *needs);

/* The needs of an object. Never NULL; lives as long as `needs`. */
struct object_need *object_needs_of(struct object_needs *needs, const struct symbol_object *object);
void object_need_add(struct object_need *need, enum object_need_kind kind, uint64_t value);

void object_need_add_name(struct object_needs *needs, struct object_need *need,
			  const struct object_name *name);

/* Notes the source of an address: as symbol_table_find_source() returns it, not demangled. */
void object_need_add_source(struct object_need *need, uint64_t address, const struct source_frame *frames,
			    size_t count);

/* Notes facts about the files that were searched for answers. Texts are copied. */
struct object_origin {
	enum object_form form;
	const char *opened, *source, *why; /* NULL: none */
	bool full;
};
void object_need_set_origin(struct object_needs *needs, struct object_need *need,
			    const struct object_origin *origin);

size_t object_needs_count(const struct object_needs *needs);
struct object_need *object_needs_at(const struct object_needs *needs, size_t number);

/* Sorts the names by sequence (run-time code) or by start. */
void object_need_sort_names(struct object_need *need);

/* The collected values, ascending, each once. Valid until the next object_need_add(). */
const uint64_t *object_need_sorted(struct object_need *need, enum object_need_kind kind, size_t *count);

#endif
