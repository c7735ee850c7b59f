#ifndef XPROF_SYMBOL_SYMBOL_FILTER_H
#define XPROF_SYMBOL_SYMBOL_FILTER_H

/*
 * Selects the symbols of an object that decide its names at given addresses. Large libraries have hundreds of
 * thousands of symbols, a profile asks about a few hundred addresses in them: a symbol_map of what passes the
 * sieve gives the same answers at these addresses as one of all symbols, and is made in a fraction of the
 * time and memory.
 *
 * All symbols are surveyed first, then offered again. These pass: symbols with a size that cover one of the
 * addresses; the last ones that begin at or before an address, which may be labels without a size, and the
 * first ones behind it, where such a label ends; symbols that cover such a label, which may be theirs; and
 * the aliases of all of them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_filter;
struct vaddr_filter;

/* The addresses may come in any order and several times; they are copied. */
struct symbol_filter *symbol_filter_create(const uint64_t *addresses, size_t count);
void symbol_filter_destroy(struct symbol_filter *filter);

/* First each symbol. A size of 0: it reaches to the next one. */
void symbol_filter_survey(struct symbol_filter *filter, uint64_t start, uint64_t size_bytes);
/* Then once. */
void symbol_filter_finish(struct symbol_filter *filter);
/* Then, of each symbol again: may it decide? A few more than those that do pass. */
bool symbol_filter_passes(const struct symbol_filter *filter, uint64_t start, uint64_t size_bytes);
/* Where all that pass begin; NULL: anywhere. */
const struct vaddr_filter *symbol_filter_vaddrs(const struct symbol_filter *filter);

/*
 * To be told of each symbol that has passed. False, when all have been: what passed may not be all that
 * decides. A surveyed entry has turned out to be no symbol when its name was read; or a label that comes last
 * before an address lies in a function that ends before the address, or begins together with one whose other
 * labels are not known, so that where it ends depends on more than its neighbours.
 */
void symbol_filter_note(struct symbol_filter *filter, uint64_t start, uint64_t size_bytes);
bool symbol_filter_is_sound(const struct symbol_filter *filter);

/* Is it one of the addresses? */
bool symbol_filter_has(const struct symbol_filter *filter, uint64_t address);

#endif
