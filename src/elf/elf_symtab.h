#ifndef XPROF_ELF_ELF_SYMTAB_H
#define XPROF_ELF_ELF_SYMTAB_H

/* The symbols of functions, and of variables, of an ELF file, in the file's own vaddr space. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"

struct elf_symbol {
	const char *name;    /* as in the string table, mangled; lives as long as the file */
	uint64_t vaddr;      /* ARM: without the Thumb bit. ppc64 v1: the entry point, not the descriptor */
	uint64_t size_bytes; /* 0: unknown; the symbol extends to the next one */
	uint8_t binding;     /* STB_* */
	uint8_t type;        /* STT_* */
};

enum elf_symtab_kind {
	ELF_SYMTAB_FULL,    /* .symtab */
	ELF_SYMTAB_DYNAMIC, /* .dynsym */
};

/* A Bloom filter with one hash: a set of addresses with few false positives and no false negatives. */
struct vaddr_filter {
	uint64_t *bits;
	unsigned int shift; /* 64 less the binary logarithm of the number of bits */
};

static inline uint64_t vaddr_filter_bit(const struct vaddr_filter *filter, uint64_t vaddr)
{
	return vaddr * 0x9e3779b97f4a7c15u >> filter->shift;
}

static inline bool vaddr_filter_may_have(const struct vaddr_filter *filter, uint64_t vaddr)
{
	const uint64_t bit = vaddr_filter_bit(filter, vaddr);

	return filter->bits[bit / 64] >> bit % 64 & 1;
}

/* The caller has to free() filter->bits. */
void vaddr_filter_init(struct vaddr_filter *filter, const uint64_t *vaddrs, size_t count);

/* Addresses [first, last]. */
struct vaddr_window {
	uint64_t first, last;
};

/* Does the symbol begin in the window, or begin before and reach it? */
static inline bool vaddr_window_sees(const struct vaddr_window *window, uint64_t vaddr, uint64_t size_bytes)
{
	/* Without branches: symbols are unordered, so branches would be mispredicted. */
	const bool begins_in_it = (vaddr >= window->first) & (vaddr <= window->last);

	return begins_in_it | ((vaddr < window->first) & (window->first - vaddr <= size_bytes));
}

typedef bool elf_symbol_want(uint64_t vaddr, uint64_t size_bytes, void *context);
typedef void elf_symbol_visit(const struct elf_symbol *symbol, void *context);

/* Chooses the symbols to visit: those that match all members. All zero: every symbol that can name code. */
struct elf_symbol_choice {
	bool of_data; /* variables (STT_OBJECT) instead */
	/* NULL: any address. In files whose st_value is not a vaddr, other symbols may be visited, too. */
	const struct vaddr_filter *filter;
	const struct vaddr_window *window;
	/*
	 * Called before the symbol's name is read, which is most of the work. Returns false to skip the symbol. A
	 * wanted symbol that turns out to have no valid name is not visited. May be NULL.
	 */
	elf_symbol_want *want;
};

/*
 * Calls `visit` for every chosen symbol; `choice` may be NULL for every symbol that can name code. Returns 1, 0 if the file
 * has no such table, -1 with err set if it is damaged. Entries of procedure linkage tables have no symbols: elf_plt_read()
 * names them.
 */
int elf_symtab_read(struct elf_file *file, enum elf_symtab_kind kind, const struct elf_symbol_choice *choice,
		    elf_symbol_visit *visit, void *context, struct error *err);

/*
 * Does .symtab have local functions (STB_LOCAL) with a size? Tools that strip local symbols strip all of
 * them, so if there is one, none is missing.
 */
bool elf_symtab_has_local_functions(struct elf_file *file);

#endif
