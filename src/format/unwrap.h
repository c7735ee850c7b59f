#ifndef XPROF_FORMAT_UNWRAP_H
#define XPROF_FORMAT_UNWRAP_H

/*
 * Whole files that somebody compressed: perf.data.gz, .xz, .zst, whatever they are called. Their
 * first bytes tell (RFC 1952, 2.3.1; the .xz file format, 2.1.1.1; RFC 8878, 3.1.1).
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum wrapping { WRAPPING_NONE, WRAPPING_GZIP, WRAPPING_XZ, WRAPPING_ZSTD };

enum { WRAPPING_MAGIC_BYTES = 6 }; /* as many as there are if a file has them */

enum wrapping wrapping_of(const uint8_t *bytes, size_t size);

enum unwrap_status {
	UNWRAP_FAILED = -1, /* reading, writing, or no room: err has it */
	UNWRAP_WHOLE = 0,
	UNWRAP_CUT = 1, /* what came before the damage is written; err says what the damage is */
};

/*
 * Unpacks `first` and what else `from` has into `to`. Memory is bounded, and so is what is written:
 * to 1 GiB and 200 times what was read, so that a few damaged bytes do not fill a disk.
 */
enum unwrap_status unwrap(enum wrapping wrapping, int from, const void *first, size_t first_size, int to,
			  const char *name, struct error *err);

#endif
