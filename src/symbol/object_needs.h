#ifndef XPROF_SYMBOL_OBJECT_NEEDS_H
#define XPROF_SYMBOL_OBJECT_NEEDS_H

/*
 * Collects everything that was asked of each object while a recording was read: the parts that an archive
 * must have. Not thread-safe.
 */

#include <stddef.h>

#include "base/hash_table.h"
#include "symbol/dwarf/source_answers.h"
#include "symbol/dwarf/source_index.h"
#include "symbol/symbol_object.h"

struct object_needs;

enum object_need_kind {
	OBJECT_NEED_NAME,   /* an address, in map space, whose function was asked for: of a file */
	OBJECT_NEED_FRAMES, /* the vaddr at which an FDE begins that was used */
	OBJECT_NEED_CODE,   /* the file offset of an instruction that was looked at, and those around it */
	/* vaddrs at which functions without CFI begin, and end, that were unwound by their instructions. None overlap. */
	OBJECT_NEED_FUNCTION_START,
	OBJECT_NEED_FUNCTION_END,
	OBJECT_NEED_KINDS,
};

/* The source of the answers, or the form in which they can be kept. */
enum object_form {
	OBJECT_FORM_NONE,    /* nothing could be opened */
	OBJECT_FORM_ELF,     /* a file */
	OBJECT_FORM_NAMES,   /* lists of symbols: kallsyms, vmlinux, perf maps. In map space */
	OBJECT_FORM_JITDUMP, /* a jitdump file */
};

struct object_name {          /* a symbol that was found */
	uint64_t start, size; /* in map space */
	uint32_t sequence;    /* where symbols overlap that a run-time compiler wrote, the higher one holds */
	const char *name;     /* as the list has it, not demangled */
};

struct object_need {
	struct symbol_object object; /* texts live as long as the needs */
	enum object_form form;
	const char *opened; /* the path of a jitdump file; NULL: it is another object, or there is none */
	const char *source; /* as symbol_table_source() has it; NULL: there are no names, for this reason */
	const char *why;
	bool full; /* as symbol_table_is_full() has it */
	struct object_need_set {
		uint64_t *items;
		size_t count, capacity;
		size_t sorted; /* so many of them are, and each is there once */
	} sets[OBJECT_NEED_KINDS];
	struct object_name *names; /* OBJECT_FORM_NAMES: that were found */
	size_t name_count, name_capacity;
	struct hash_table by_name;
	struct source_answers answers; /* addresses are those that were asked for, in map space */
	struct hash_table by_address;
};

struct object_needs *object_needs_create(void);
void object_needs_destroy(struct object_needs *needs);

/* Of an object; never NULL, and lives as long as the needs. */
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

/* Names in the order of their sequence (jit) or of their start. */
void object_need_sort_names(struct object_need *need);

/* Rising, each once; valid until the next object_need_add(). */
const uint64_t *object_need_sorted(struct object_need *need, enum object_need_kind kind, size_t *count);

#endif
