/*
 * A thread pool with one thread and one task. On a machine with one CPU the pool has no thread, and the header is written
 * before header_task_start() returns.
 */
#include "report/view/header_task.h"

#include <stdlib.h>

#include "base/thread_pool.h"
#include "base/usable_cpus.h"
#include "base/xalloc.h"

struct header_task {
	struct loaded_profile *loaded;
	unsigned int lines;
	struct strbuf text;
	struct thread_pool *pool; /* of one thread */
};

static void write_header(void *context)
{
	struct header_task *task = context;

	if (task->lines) {
		trust_header_render(&task->text, task->loaded, task->lines);
		strbuf_adds(&task->text, "#\n");
	}
	loaded_profile_close_names(task->loaded);
}

struct header_task *header_task_start(struct loaded_profile *loaded, unsigned int lines)
{
	struct header_task *task = xcalloc(1, sizeof(*task));

	*task = (struct header_task){ .loaded = loaded, .lines = lines };
	strbuf_init(&task->text);
	task->pool = thread_pool_create(usable_cpus() > 1);
	thread_pool_submit(task->pool, write_header, task);
	return task;
}

const struct strbuf *header_task_wait(struct header_task *task)
{
	thread_pool_wait(task->pool);
	return &task->text;
}

void header_task_destroy(struct header_task *task)
{
	thread_pool_destroy(task->pool);
	strbuf_fini(&task->text);
	free(task);
}
