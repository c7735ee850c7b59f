#ifndef XPROF_UNWIND_CFI_EXCERPT_H
#define XPROF_UNWIND_CFI_EXCERPT_H

/*
 * Adds call frame information to an excerpt: the used FDEs of .eh_frame, with their CIEs, at their places,
 * with a .eh_frame_hdr that lists only these; and one .debug_frame with those of the file, of its
 * .gnu_debugdata and of its debug file. The other parts of .eh_frame are replaced by CIEs without FDEs, so
 * that readers that go from entry to entry (LSB Core, "Exception Frames") find the kept entries.
 */

#include "elf/debug_file.h"
#include "elf/elf_excerpt.h"

/* `starts`: vaddrs of the functions whose FDEs were used (module_visit_used()), sorted. */
void cfi_excerpt_make(struct elf_excerpt *excerpt, const struct debug_file_search *search,
		      const uint64_t *starts, size_t count);

#endif
