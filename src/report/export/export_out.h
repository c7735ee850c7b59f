#ifndef XPROF_REPORT_EXPORT_EXPORT_OUT_H
#define XPROF_REPORT_EXPORT_EXPORT_OUT_H

/*
 * The output of an export. The caller appends text or bytes to `text` and calls export_out_flow(), which passes them on in
 * large pieces to a thread that compresses and writes them, so that memory does not grow with the output. The file gets its
 * name when it is complete.
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
#include "profile/sample_log.h"

struct export_packer;
struct thread_pool;

enum {
	EXPORT_OUT_FLOW_BYTES = 1 << 18,
	/* See export_parts.h. With more threads, the one that writes the file determines the time. */
	EXPORT_PARTS_MOST = 4,
};

struct export_out {
	struct strbuf text; /* not passed on yet */
	const char *path;   /* "-" is standard output */
	char *unfinished;   /* temporary name until it is complete; NULL: none */
	/* what is being written; its memory is released after each piece. NULL: none */
	const struct sample_log *log;
	struct thread_pool *pool; /* the thread that writes; NULL: nothing was passed on yet */
	/* The members below belong to that thread until it has been waited for. */
	struct strbuf handed[EXPORT_PARTS_MOST]; /* the texts being written, in their order */
	size_t handed_count;
	FILE *file;
	struct export_packer *packer; /* gzip; NULL: not compressed */
	uint64_t written;             /* size of the file so far */
	int errno_value;              /* errno of the first write that failed; 0: none */
};

/* `gzip` compresses the file; equal input gives equal bytes. Returns 0, or -1 with err. */
int export_out_open(struct export_out *out, const char *path, bool gzip, struct error *err);

void export_out_flush(struct export_out *out);

/* Adds texts behind `text`, at most EXPORT_PARTS_MOST - 1, and passes all of it on. They are empty afterwards. */
void export_out_add(struct export_out *out, struct strbuf *const *texts, size_t count);

/* Call it between pieces of output. */
static inline void export_out_flow(struct export_out *out)
{
	if (out->text.size >= EXPORT_OUT_FLOW_BYTES)
		export_out_flush(out);
}

/* Writes the remaining text. Returns 0, or -1 with err if any write failed; then an existing file of that name is unchanged. */
int export_out_close(struct export_out *out, struct error *err);
/* Replaces export_out_close() if the export failed. */
void export_out_abandon(struct export_out *out);

#endif
