#include "report/header_ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct header_ahead {
	const struct perf_file *file;
	const struct loaded_profile *loaded;
	unsigned int lines;
	struct strbuf text;
	pthread_t thread;
	bool running;
};

static void *write_header(void *context)
{
	struct header_ahead *ahead = context;

	trust_header_render(&ahead->text, ahead->file, ahead->loaded, ahead->lines);
	strbuf_adds(&ahead->text, "#\n");
	return NULL;
}

struct header_ahead *header_ahead_start(const struct perf_file *file, const struct loaded_profile *loaded,
					unsigned int lines)
{
	struct header_ahead *ahead = xcalloc(1, sizeof(*ahead));

	*ahead = (struct header_ahead){ .file = file, .loaded = loaded, .lines = lines };
	strbuf_init(&ahead->text);
	if (!lines)
		return ahead;
	ahead->running = pthread_create(&ahead->thread, NULL, write_header, ahead) == 0;
	if (!ahead->running)
		write_header(ahead);
	return ahead;
}

const struct strbuf *header_ahead_wait(struct header_ahead *ahead)
{
	if (ahead->running)
		pthread_join(ahead->thread, NULL);
	ahead->running = false;
	return &ahead->text;
}

void header_ahead_destroy(struct header_ahead *ahead)
{
	(void)header_ahead_wait(ahead);
	strbuf_fini(&ahead->text);
	free(ahead);
}
