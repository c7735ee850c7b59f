#include "report/view/header_ahead.h"

#include <stdlib.h>

#include "base/thread_pool.h"
#include "base/usable_cpus.h"
#include "base/xalloc.h"

struct header_ahead {
	struct loaded_profile *loaded;
	unsigned int lines;
	struct strbuf text;
	struct thread_pool *pool; /* of one thread */
};

static void write_header(void *context)
{
	struct header_ahead *ahead = context;

	if (ahead->lines) {
		trust_header_render(&ahead->text, ahead->loaded, ahead->lines);
		strbuf_adds(&ahead->text, "#\n");
	}
	loaded_profile_close_names(ahead->loaded);
}

struct header_ahead *header_ahead_start(struct loaded_profile *loaded, unsigned int lines)
{
	struct header_ahead *ahead = xcalloc(1, sizeof(*ahead));

	*ahead = (struct header_ahead){ .loaded = loaded, .lines = lines };
	strbuf_init(&ahead->text);
	ahead->pool = thread_pool_create(usable_cpus() > 1);
	thread_pool_submit(ahead->pool, write_header, ahead);
	return ahead;
}

const struct strbuf *header_ahead_wait(struct header_ahead *ahead)
{
	thread_pool_wait(ahead->pool);
	return &ahead->text;
}

void header_ahead_destroy(struct header_ahead *ahead)
{
	thread_pool_destroy(ahead->pool);
	strbuf_fini(&ahead->text);
	free(ahead);
}
