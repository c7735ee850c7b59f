#ifndef XPROF_SYMBOL_SPLIT_DWARF_H
#define XPROF_SYMBOL_SPLIT_DWARF_H

/*
 * Split debug information: units of which the file holds a skeleton alone, the
 * rest lies in a .dwo file or, with that of many units, in a package BINARY.dwp
 * (DWARF 5, sections 3.1.3 and 7.3; GNU's version of it before version 5).
 *
 * libdw looks for .dwo files itself, but at the place where they were compiled
 * alone, and packages it knows only since 0.191. So it is given the unit as one
 * that is not split, with the sections that belong to it.
 */

#include "base/strbuf.h"
#include "symbol/dwarf/dwarf_file.h"

struct split_package;

/* NULL: there is none. Shared by threads. */
struct split_package *split_package_open(const char *path, struct error *err);
void split_package_close(struct split_package *package);

/* Zeroed before the first use. */
struct split_unit {
	struct elf_file *own_file; /* the .dwo file; NULL: in a package */
	struct strbuf info, abbrev;
	struct dwarf_sections sections;
	struct dwarf_handle handle;
	Dwarf_Die entry; /* the first */
};

/*
 * The rest of `skeleton`, a unit of the file with the sections `main`: from the package (NULL: none), else from the
 * .dwo file, at the place that the compiler wrote it to (below symfs) or in `directory`. Files with another id are
 * never taken. 0, or -1 with the reason.
 */
int split_unit_open(struct split_unit *split, const struct dwarf_unit *skeleton,
		    const struct dwarf_sections *main, const struct split_package *package, const char *symfs,
		    const char *directory, struct error *err);
void split_unit_close(struct split_unit *split);

#endif
