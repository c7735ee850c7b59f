#ifndef XPROF_SYMBOL_SPLIT_DWARF_H
#define XPROF_SYMBOL_SPLIT_DWARF_H

/*
 * Split debug information: units of which the file holds a skeleton alone, the
 * rest lies in a .dwo file or, with that of many units, in a package BINARY.dwp
 * (DWARF 5, sections 3.1.3 and 7.3; GNU's version of it before version 5).
 */

#include "symbol/dwarf_file.h"

struct split_package;

/* NULL: there is none. */
struct split_package *split_package_open(const char *path, struct error *err);
void split_package_close(struct split_package *package);

struct split_unit {
	struct dwarf_file *own_file; /* of a .dwo file; NULL: in a package */
	struct dwarf_unit unit;
};

/*
 * The rest of `skeleton`: from the package (NULL: none), else from the .dwo file, at the place that the compiler wrote
 * it to (below symfs) or in `directory`. Files with another id are never taken. 0, or -1 with the reason.
 */
int split_unit_open(struct split_unit *split, const struct dwarf_unit *skeleton,
		    const struct split_package *package, const char *symfs, const char *directory,
		    struct error *err);
void split_unit_close(struct split_unit *split);

#endif
