#ifndef XPROF_SYMBOL_KALLSYMS_H
#define XPROF_SYMBOL_KALLSYMS_H

/*
 * The kernel's own list of symbols, /proc/kallsyms, which includes modules, BPF programs and trampolines; or
 * a copy of it, or a System.map. The kernel shows addresses only to privileged users; others read zeros.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cache_file.h"
#include "base/error.h"
#include "symbol/symbol_map.h"

struct kallsyms;

enum { KALLSYMS_KERNEL_GROUP = 0 }; /* group of the symbols outside modules */

/*
 * Returns NULL with err set if it cannot be read, has no symbol, or hides the addresses; err says what to do.
 */
struct kallsyms *kallsyms_open(const char *path, struct error *err);

/* The same for a text, which must be malloc()ed and NUL-terminated at `size`. Takes ownership of it. */
struct kallsyms *kallsyms_from_text(char *text, size_t size, const char *name, struct error *err);
void kallsyms_close(struct kallsyms *kallsyms);

/*
 * A part of such a list, from its first symbol to its end. kallsyms_from_part() takes ownership of `file`, which
 * contains the symbols. text_start and stext_start are the addresses of _text and _stext; 0 if missing.
 */
struct kallsyms_part {
	struct cache_file file;
	struct sorted_symbols symbols;
	uint64_t text_start, stext_start;
};
struct kallsyms *kallsyms_from_part(const struct kallsyms_part *part, const char *name);

/* Does this part of the list include the address, with or without a symbol? Always true for whole lists. */
bool kallsyms_covers(const struct kallsyms *kallsyms, uint64_t address);

const char *kallsyms_path(const struct kallsyms *kallsyms);

/* The sealed map. The group of an entry is the number of its module. */
struct symbol_map *kallsyms_map(struct kallsyms *kallsyms);

/* The name of a module, without brackets; "" for KALLSYMS_KERNEL_GROUP. */
const char *kallsyms_module(const struct kallsyms *kallsyms, uint16_t group);

/* Does the list have symbols of that module (name without brackets)? Not if it is not loaded. */
bool kallsyms_has_module(const struct kallsyms *kallsyms, const char *module);

/* The address of a symbol outside modules, such as "_text" or "_stext". Returns 0, or -1 if it is missing. */
int kallsyms_address(const struct kallsyms *kallsyms, const char *name, uint64_t *address);

#endif
