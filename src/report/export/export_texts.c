/*
 * Each number has one slot, where it may find the text of another number with the same slot. Numbers of stacks and samples are
 * dense, so without a hash those of most recordings have slots of their own.
 */
#include "report/export/export_texts.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum {
	SLOTS = 1 << 16,
	MOST_BYTES = 16 * 1024 * 1024,
};

struct export_text {
	struct strbuf text; /* without memory: free */
	uint32_t number;
};

void export_texts_init(struct export_texts *texts)
{
	*texts = (struct export_texts){ .slots = xcalloc(SLOTS, sizeof(*texts->slots)) };
}

static void empty(struct export_texts *texts)
{
	for (size_t i = 0; i < SLOTS; i++)
		strbuf_fini(&texts->slots[i].text);
	texts->last = NULL;
	texts->bytes = 0;
}

void export_texts_fini(struct export_texts *texts)
{
	empty(texts);
	free(texts->slots);
}

struct strbuf *export_texts_at(struct export_texts *texts, uint32_t number, bool *is_new)
{
	struct export_text *slot = &texts->slots[number % SLOTS];

	*is_new = !slot->text.capacity || slot->number != number;
	if (!*is_new)
		return &slot->text;
	if (texts->last)
		texts->bytes += texts->last->text.capacity;
	if (texts->bytes >= MOST_BYTES)
		empty(texts);
	texts->bytes -= slot->text.capacity;
	if (!slot->text.capacity)
		strbuf_init(&slot->text);
	strbuf_reset(&slot->text);
	slot->number = number;
	texts->last = slot;
	return &slot->text;
}
