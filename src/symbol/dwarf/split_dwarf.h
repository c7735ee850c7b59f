#ifndef XPROF_SYMBOL_SPLIT_DWARF_H
#define XPROF_SYMBOL_SPLIT_DWARF_H

/*
 * Split debug information: the file has only skeletons of units; the rest of each is in a .dwo file or,
 * together with others, in a package BINARY.dwp (DWARF 5, sections 3.1.3 and 7.3; GNU's version of it before
 * version 5).
 *
 * libdw finds .dwo files only at the place where they were compiled, and reads packages only since 0.191. So
 * it is given an edited copy of the unit that looks as if it were not split, with the sections that belong to
 * it.
 */

#include "base/strbuf.h"
#include "symbol/dwarf/dwarf_file.h"

struct split_package;

/* Returns NULL if there is none. Any number of threads may share a package. */
struct split_package *split_package_open(const char *path, struct error *err);
void split_package_close(struct split_package *package);

/* Must be zeroed before the first use. */
struct split_unit {
	struct elf_file *own_file; /* the .dwo file; NULL: the unit is in a package */
	struct strbuf info, abbrev;
	struct dwarf_sections sections;
	struct dwarf_handle handle;
	Dwarf_Die entry; /* the first entry */
};

/*
 * Opens the rest of `skeleton`, a unit of the file with the sections `main`, in the package (NULL: none) or in the
 * .dwo file, where the compiler wrote it (below symfs) or in `directory`. Files with another id are never used.
 * Returns 0, or -1 with err set.
 */
int split_unit_open(struct split_unit *split, const struct dwarf_unit *skeleton,
		    const struct dwarf_sections *main, const struct split_package *package, const char *symfs,
		    const char *directory, struct error *err);
void split_unit_close(struct split_unit *split);

#endif
