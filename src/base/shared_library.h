#ifndef XPROF_BASE_SHARED_LIBRARY_H
#define XPROF_BASE_SHARED_LIBRARY_H

/*
 * Loads libraries at run time that few runs need, that take the dynamic linker long to load, or that have no
 * development package. The caller has a struct of pointers to the library's functions, and a constant list
 * with the offset of each pointer in that struct.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct shared_library_function {
	const char *name;
	size_t offset; /* of the function pointer in the caller's struct */
	bool optional; /* the pointer is NULL where the library has none */
};

struct shared_library {
	const char *name;    /* for dlopen(3): "libarchive.so.13" */
	const char *remedy;  /* how to get it, for messages: "install libarchive13 (Debian)" */
	const char *version; /* the first with all functions that are not optional: "libarchive 3.3.3" */
	const struct shared_library_function *functions;
	size_t n_functions;
};

/*
 * Fills in the caller's struct, in the order of the list; the pointers stay valid until the process ends.
 * Returns -1 if the library is missing or lacks a required function (pointers before that one are filled in);
 * err says which, and how to get it.
 */
int shared_library_load(const struct shared_library *library, void *pointers, struct error *err);

#endif
