#ifndef XPROF_BASE_UNWRAP_H
#define XPROF_BASE_UNWRAP_H

/*
 * Decompresses whole files: recordings (perf.data.gz, .xz, .zst), kernel modules, .gnu_debugdata. Their first bytes decide, not
 * their names (RFC 1952, 2.3.1; the .xz file format, 2.1.1.1; RFC 8878, 3.1.1).
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum wrapping { WRAPPING_NONE, WRAPPING_GZIP, WRAPPING_XZ, WRAPPING_ZSTD };

enum {
	WRAPPING_MAGIC_BYTES = 6
}; /* the first bytes that wrapping_of() needs; fewer only if the file is
				      shorter */

enum wrapping wrapping_of(const uint8_t *bytes, size_t size);

enum unwrap_status {
	UNWRAP_FAILED = -1, /* a read or write error, or no room; err is set */
	UNWRAP_WHOLE = 0,
	UNWRAP_CUT = 1, /* the data before the damage was written; err describes the damage */
};

/*
 * Decompresses `first` and the rest of `from` into `to`. Memory is bounded. The output may have 1 GiB or 200
 * times the size of the input, whichever is more, so that a small damaged file cannot fill a disk.
 */
enum unwrap_status unwrap(enum wrapping wrapping, int from, const void *first, size_t first_size, int to,
			  const char *name, struct error *err);

/*
 * Decompresses `first` and the rest of `from` (-1: there is none), together at most 256 MiB. Returns malloc()ed bytes, or NULL with
 * err. The output may have 16 MiB or 64 times the size of the input, whichever is more, but at most 512 MiB.
 */
uint8_t *unwrap_to_memory(enum wrapping wrapping, int from, const void *first, size_t first_size,
			  size_t *size, const char *name, struct error *err);

#endif
