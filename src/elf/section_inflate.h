#ifndef XPROF_ELF_SECTION_INFLATE_H
#define XPROF_ELF_SECTION_INFLATE_H

/*
 * Compressed debug sections: SHF_COMPRESSED with zlib or zstd (gABI, "Section
 * Compression") and the older .zdebug_* of GNU tools ("ZLIB", then the size in
 * 8 big-endian bytes).
 *
 * A hostile header can claim any size, so the allocation is limited by the largest size to which the
 * compressed bytes can reasonably expand, and the output must have the claimed size.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Decompresses a section that begins with an Elf32_Chdr or Elf64_Chdr. Returns malloc()ed bytes, or NULL with err
 * set.
 */
uint8_t *section_inflate_chdr(const uint8_t *bytes, size_t size, bool is_64bit, bool swap,
			      size_t *inflated_size, struct error *err);
uint8_t *section_inflate_zdebug(const uint8_t *bytes, size_t size, size_t *inflated_size, struct error *err);

#endif
