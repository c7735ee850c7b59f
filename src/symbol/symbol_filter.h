#ifndef XPROF_SYMBOL_SYMBOL_FILTER_H
#define XPROF_SYMBOL_SYMBOL_FILTER_H

/*
 * Selects the symbols of an object that decide its names at given addresses. Large libraries have hundreds of
 * thousands of symbols, but a profile has only a few hundred addresses in them. A symbol_map of the symbols
 * that pass the filter gives the same answers at these addresses as one of all symbols, and takes a fraction
 * of the time and memory.
 *
 * The caller passes over all symbols twice: first it calls symbol_filter_survey(), then
 * symbol_filter_passes(). These pass: symbols with a size that cover one of the addresses; the last symbols
 * that begin at or before an address, which may be labels without a size, and the first ones behind it, where
 * such a label ends; symbols that cover such a label, which may belong to them; and the aliases of all these.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_filter;
struct vaddr_filter;

/* The addresses may come in any order and several times; they are copied. */
struct symbol_filter *symbol_filter_create(const uint64_t *addresses, size_t count);
void symbol_filter_destroy(struct symbol_filter *filter);

/* First pass: call it for each symbol. A symbol of size 0 extends to the next one. */
void symbol_filter_survey(struct symbol_filter *filter, uint64_t start, uint64_t size_bytes);
/* Call once between the passes. */
void symbol_filter_finish(struct symbol_filter *filter);
/* Second pass: may this symbol decide? A few others pass, too. */
bool symbol_filter_passes(const struct symbol_filter *filter, uint64_t start, uint64_t size_bytes);
/* The addresses at which passing symbols begin; NULL: any address. */
const struct vaddr_filter *symbol_filter_vaddrs(const struct symbol_filter *filter);

/*
 * Call symbol_filter_note() for each symbol that passed, then symbol_filter_is_sound(). If that returns
 * false, the symbols that passed may not be enough, and the caller must read all. Two cases cause this: a
 * surveyed entry turned out not to be a symbol when its name was read; or the end of a label depends on more
 * than its neighbours, because the last label before an address is in a function that ends before the
 * address, or begins together with a function whose other labels are unknown.
 */
void symbol_filter_note(struct symbol_filter *filter, uint64_t start, uint64_t size_bytes);
bool symbol_filter_is_sound(const struct symbol_filter *filter);

/* Is `address` one of the given addresses? */
bool symbol_filter_has(const struct symbol_filter *filter, uint64_t address);

#endif
