#ifndef XPROF_UNWIND_CFI_EXCERPT_H
#define XPROF_UNWIND_CFI_EXCERPT_H

/*
 * The call frame information of an excerpt: of a file's .eh_frame the FDEs that were used, with their CIEs,
 * where they were, and a .eh_frame_hdr that lists no others; the .debug_frame of the file, of its
 * .gnu_debugdata and of its debug file in one section. The parts of .eh_frame that are left out become a CIE
 * without FDEs, so that a reader that walks from entry to entry (LSB Core, "Exception Frames") finds the
 * other entries.
 */

#include "elf/debug_file.h"
#include "elf/elf_excerpt.h"

/* `starts`: vaddrs of the functions whose FDEs were used (module_visit_used()), sorted. */
void cfi_excerpt_make(struct elf_excerpt *excerpt, const struct debug_file_search *search,
		      const uint64_t *starts, size_t count);

#endif
