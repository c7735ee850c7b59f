/* Collects the records' offsets while the file is written, then encodes them as the section. */
#include "report/convert/moved_traces.h"

#include <stdlib.h>

#include "base/xalloc.h"

void moved_traces_fini(struct moved_traces *traces)
{
	free(traces->items);
}

void moved_traces_note(struct moved_traces *traces, uint64_t file_offset, uint64_t size)
{
	*ARRAY_ADD(traces->items, traces->count, traces->capacity) =
		(struct moved_trace){ file_offset, size };
}

void moved_traces_add_index(const struct moved_traces *traces, struct strbuf *out, bool swap)
{
	strbuf_add_u64(out, traces->count, swap);
	for (size_t i = 0; i < traces->count; i++) {
		strbuf_add_u64(out, traces->items[i].file_offset, swap);
		strbuf_add_u64(out, traces->items[i].size, swap);
	}
}
