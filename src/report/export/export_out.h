#ifndef XPROF_REPORT_EXPORT_EXPORT_OUT_H
#define XPROF_REPORT_EXPORT_EXPORT_OUT_H

/*
 * Where an export goes: text or bytes are appended to `text`, and export_out_flow() hands them on once there are many,
 * so that the memory does not grow with the output. Another thread compresses and writes them meanwhile. The file gets its
 * name when it is whole.
 *
 *     export_out_open(&out, "cpu.pb.gz", true, &err);
 *     strbuf_adds(&out.text, "...");
 *     export_out_flow(&out);
 *     export_out_close(&out, &err);
 */

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/strbuf.h"

struct export_packer;
struct thread_pool;

struct export_out {
	struct strbuf text;       /* not yet handed on */
	const char *path;         /* "-": standard output */
	char *unfinished;         /* the name until it is whole; NULL: it has none of its own */
	struct thread_pool *pool; /* of the thread that writes; NULL: nothing was handed on yet */
	/* The rest belongs to that thread until it is waited for. */
	struct strbuf handed; /* what it writes */
	FILE *file;
	struct export_packer *packer; /* gzip; NULL: as it is */
	uint64_t written;             /* bytes in the file */
	int errno_value;              /* of the first write that failed; 0: none */
};

/* With `gzip` the file is compressed, in the same bytes for the same input. */
int export_out_open(struct export_out *out, const char *path, bool gzip, struct error *err);

enum { EXPORT_OUT_FLOW_BYTES = 1 << 18 };

void export_out_flush(struct export_out *out);

/* Call it between pieces of output. */
static inline void export_out_flow(struct export_out *out)
{
	if (out->text.size >= EXPORT_OUT_FLOW_BYTES)
		export_out_flush(out);
}

/* Writes the text that is still in memory. -1 if any write failed: a file of that name stays as it was, or there is none. */
int export_out_close(struct export_out *out, struct error *err);
/* Instead of export_out_close() where the export failed. */
void export_out_abandon(struct export_out *out);

#endif
