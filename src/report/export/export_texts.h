#ifndef XPROF_REPORT_EXPORT_EXPORT_TEXTS_H
#define XPROF_REPORT_EXPORT_EXPORT_TEXTS_H

/*
 * A cache of texts by number, for parts of the output that are needed again and again. Bounded: a text takes the place of
 * another, and when all together are too long, all are removed.
 *
 *     text = export_texts_at(&texts, stack, &is_new);
 *     if (is_new)
 *             add_stack(text, stack);
 *     strbuf_add(out, text->bytes, text->size);
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct export_text;

struct export_texts {
	struct export_text *slots;
	struct export_text *last; /* the one that was returned last */
	size_t bytes;             /* of all texts before the last */
};

void export_texts_init(struct export_texts *texts);
void export_texts_fini(struct export_texts *texts);

/* Valid until the next call. If it is new, it is empty, and the caller makes the text. */
struct strbuf *export_texts_at(struct export_texts *texts, uint32_t number, bool *is_new);

#endif
