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
	struct part items[EXPORT_PARTS_MOST - 1]; /* the parts after the first */
};

struct export_parts *export_parts_create(struct export_out *out)
{
	struct export_parts *parts = xcalloc(1, sizeof(*parts));
	const size_t cpus = usable_cpus();

	parts->out = out;
	parts->most = cpus < EXPORT_PARTS_MOST ? cpus : EXPORT_PARTS_MOST;
	for (size_t i = 0; i + 1 < EXPORT_PARTS_MOST; i++)
		strbuf_init(&parts->items[i].text);
	return parts;
}

void export_parts_destroy(struct export_parts *parts)
{
	thread_pool_destroy(parts->pool);
	for (size_t i = 0; i + 1 < EXPORT_PARTS_MOST; i++)
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

void export_parts_add(struct export_parts *parts, size_t count, export_parts_write *write, void *context)
{
	struct strbuf *texts[EXPORT_PARTS_MOST - 1];

	if (count > 1 && !parts->pool)
		parts->pool = thread_pool_create(parts->most - 1);
	for (size_t i = 1; i < count; i++) {
		struct part *part = &parts->items[i - 1];

		part->write = write;
		part->context = context;
		part->number = i;
		texts[i - 1] = &part->text;
		thread_pool_submit(parts->pool, write_part, part);
	}
	if (count)
		write(context, 0, &parts->out->text);
	if (count < 2) {
		export_out_flow(parts->out);
		return;
	}
	thread_pool_wait(parts->pool);
	export_out_add(parts->out, texts, count - 1);
}
