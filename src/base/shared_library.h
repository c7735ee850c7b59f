#ifndef XPROF_BASE_SHARED_LIBRARY_H
#define XPROF_BASE_SHARED_LIBRARY_H

/*
 * Loads libraries at run time that few runs need, that take the dynamic linker long to load, or that have no
 * development package. The user of a library has a struct of pointers to its functions and a constant list
 * that says where in the struct each of them goes.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct shared_library_function {
	const char *name;
	size_t offset; /* of a pointer to a function of its type, in the caller's struct */
	bool optional; /* the pointer is NULL where the library has none */
};

struct shared_library {
	const char *name;    /* for dlopen(3): "libarchive.so.13" */
	const char *remedy;  /* what brings it, of words for a message: "install libarchive13 (Debian)" */
	const char *version; /* the first with all functions that are not optional: "libarchive 3.3.3" */
	const struct shared_library_function *functions;
	size_t n_functions;
};

/*
 * Fills in the caller's struct, in the order of the list; the pointers stay valid until the process ends. -1:
 * the library is missing, or lacks a function (the pointers before it are filled in); err says which, and
 * names the remedy.
 */
int shared_library_load(const struct shared_library *library, void *pointers, struct error *err);

#endif
