#ifndef XPROF_SYMBOL_KALLSYMS_H
#define XPROF_SYMBOL_KALLSYMS_H

/*
 * The kernel's own list of its symbols, /proc/kallsyms, with those of modules,
 * BPF programs and trampolines; also a copy of it, or a System.map. The kernel
 * shows addresses only to the privileged; to all others every one is zero.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cache_file.h"
#include "base/error.h"
#include "symbol/symbol_map.h"

struct kallsyms;

enum { KALLSYMS_KERNEL_GROUP = 0 }; /* group of the symbols outside modules */

/* NULL with err set when it cannot be read, holds no symbol, or hides the addresses (with the way out). */
struct kallsyms *kallsyms_open(const char *path, struct error *err);

/* Takes over malloc()ed text that is NUL-terminated at `size`. */
struct kallsyms *kallsyms_from_text(char *text, size_t size, const char *name, struct error *err);
void kallsyms_close(struct kallsyms *kallsyms);

/*
 * A part of such a list: what is between its first symbol and its end. Takes over the file that the symbols are in.
 * _text and _stext: 0 where the list does not have them.
 */
struct kallsyms_part {
	struct cache_file file;
	struct sorted_symbols symbols;
	uint64_t text_start, stext_start;
};
struct kallsyms *kallsyms_from_part(const struct kallsyms_part *part, const char *name);

/* Is it known what the list has there, if anything? Of whole lists always. */
bool kallsyms_covers(const struct kallsyms *kallsyms, uint64_t address);

const char *kallsyms_path(const struct kallsyms *kallsyms);

/* Sealed; entries' groups are numbers of modules. */
struct symbol_map *kallsyms_map(struct kallsyms *kallsyms);

/* Name without brackets; "" for KALLSYMS_KERNEL_GROUP. */
const char *kallsyms_module(const struct kallsyms *kallsyms, uint16_t group);

/* Has the list symbols of that module (name without brackets)? One that is not loaded has none. */
bool kallsyms_has_module(const struct kallsyms *kallsyms, const char *module);

/* Address of a symbol of the kernel proper, such as "_text" or "_stext"; 0 found, -1 not there. */
int kallsyms_address(const struct kallsyms *kallsyms, const char *name, uint64_t *address);

#endif
