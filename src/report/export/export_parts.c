/* A thread for each part but the first, which the caller writes. Texts are swapped with those of the output, not copied. */
#include "report/export/export_parts.h"

#include <stdlib.h>

#include "base/thread_pool.h"
#include "base/usable_cpus.h"
#include "base/xalloc.h"

struct part {
	export_parts_write *write;
	void *context;
	size_t number;
	struct strbuf text;
};

struct export_parts {
	struct export_out *out;
	struct thread_pool *pool; /* NULL: no second part was needed yet */
	size_t most;
	struct part items[EXPORT_PARTS_MOST]; /* the text of the first is that of the output */
	size_t count;                         /* begun */
};

struct export_parts *export_parts_create(struct export_out *out)
{
	struct export_parts *parts = xcalloc(1, sizeof(*parts));
	const size_t cpus = usable_cpus();

	parts->out = out;
	parts->most = cpus < EXPORT_PARTS_MOST ? cpus : EXPORT_PARTS_MOST;
	for (size_t i = 0; i < EXPORT_PARTS_MOST; i++)
		strbuf_init(&parts->items[i].text);
	return parts;
}

void export_parts_destroy(struct export_parts *parts)
{
	thread_pool_destroy(parts->pool);
	for (size_t i = 0; i < EXPORT_PARTS_MOST; i++)
		strbuf_fini(&parts->items[i].text);
	free(parts);
}

size_t export_parts_most(const struct export_parts *parts)
{
	return parts->most;
}

static void write_part(void *argument)
{
	struct part *part = argument;

	part->write(part->context, part->number, &part->text);
}

void export_parts_begin(struct export_parts *parts, size_t count, export_parts_write *write, void *context)
{
	if (count > 1 && !parts->pool)
		parts->pool = thread_pool_create(parts->most - 1);
	parts->count = count;
	for (size_t i = 0; i < count; i++) {
		parts->items[i].write = write;
		parts->items[i].context = context;
		parts->items[i].number = i;
		if (i)
			thread_pool_submit(parts->pool, write_part, &parts->items[i]);
	}
}

void export_parts_end(struct export_parts *parts)
{
	const struct part *first = &parts->items[0];
	struct strbuf *texts[EXPORT_PARTS_MOST];

	if (parts->count)
		first->write(first->context, 0, &parts->out->text);
	if (parts->count > 1) {
		for (size_t i = 1; i < parts->count; i++)
			texts[i - 1] = &parts->items[i].text;
		thread_pool_wait(parts->pool);
		export_out_add(parts->out, texts, parts->count - 1);
	} else {
		export_out_flow(parts->out);
	}
	parts->count = 0;
}

void export_parts_add(struct export_parts *parts, size_t count, export_parts_write *write, void *context)
{
	export_parts_begin(parts, count, write, context);
	export_parts_end(parts);
}
