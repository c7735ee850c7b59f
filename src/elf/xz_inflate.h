#ifndef XPROF_ELF_XZ_INFLATE_H
#define XPROF_ELF_XZ_INFLATE_H

/*
 * Whole xz streams: .gnu_debugdata, kernel modules. The size of the output is limited by the size of the
 * input.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
	/* xz makes symbol tables and modules 3 to 6 times smaller; more than this is a bomb. */
	INFLATE_MAX_RATIO = 64,
	INFLATE_ALWAYS_ALLOWED_BYTES = 16 * 1024 * 1024,
	INFLATE_MAX_BYTES = 512 * 1024 * 1024,
};

/* The largest output accepted for `compressed` bytes of input. */
size_t inflate_limit(size_t compressed);

/* Returns malloc()ed bytes, or NULL with err set; the message does not name the file. */
uint8_t *xz_inflate(const uint8_t *bytes, size_t size, size_t *inflated_size, struct error *err);

#endif
