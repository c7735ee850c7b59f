#ifndef XPROF_BASE_SHARED_LIBRARY_H
#define XPROF_BASE_SHARED_LIBRARY_H

/*
 * Libraries that are loaded when they are wanted, and not needed otherwise: those that few runs want, that take the
 * dynamic linker long to load, or that nobody packages to link with. Who uses one has a struct of pointers to its
 * functions, and a constant list of where in that struct each of them goes.
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
 * Fills in the caller's struct, in the order of the list; what it holds is good for as long as the process lives. -1: the
 * library is not there, or it lacks a function (those before it are filled in); err says which, and what helps.
 */
int shared_library_load(const struct shared_library *library, void *pointers, struct error *err);

#endif
