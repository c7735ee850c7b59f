#ifndef XPROF_UNWIND_ENCODED_POINTER_H
#define XPROF_UNWIND_ENCODED_POINTER_H

/* Pointers of .eh_frame and .eh_frame_hdr (LSB Core, "DWARF Exception Header Encoding": DW_EH_PE_*). */

#include "base/byte_reader.h"

/* The two halves of the encoding byte. */
struct pointer_bases {
	const uint8_t *bytes; /* some byte of the reader … */
	uint64_t bytes_vaddr; /* … and its vaddr: DW_EH_PE_pcrel */
	uint64_t data_vaddr;  /* DW_EH_PE_datarel: .eh_frame_hdr */
	uint64_t text_vaddr;  /* DW_EH_PE_textrel: .text */
	size_t address_bytes; /* 4 or 8 */
};

/*
 * Reads the next pointer and returns its vaddr. The reader fails on encodings that need a running process
 * (indirect, funcrel) and on unknown ones.
 */
uint64_t encoded_pointer_read(struct byte_reader *r, uint8_t encoding, const struct pointer_bases *bases);

/* Reads only the number, without a base: the length of an FDE. */
uint64_t encoded_pointer_read_length(struct byte_reader *r, uint8_t encoding, size_t address_bytes);

#endif
