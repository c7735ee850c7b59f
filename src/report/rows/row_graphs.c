/*
 * Threads draw rows in their order, at most 64 rows ahead of the one that is taken next, so memory is bounded. The caller draws,
 * too, while the row that it wants is not ready. One lock and one condition variable are enough, since a row takes long.
 */
#include "report/rows/row_graph.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/thread_pool.h"
#include "base/usable_cpus.h"
#include "base/xalloc.h"

enum {
	MAX_THREADS = 7,
	AHEAD_ROWS = 64, /* drawn but not taken yet: bounds the memory */
};

struct drawn {
	bool done;
	struct strbuf text;
};

struct row_graphs {
	const struct hist *hist;
	uint32_t count;
	const struct row_graph_options *options;
	bool skip_first;
	size_t columns;

	struct row_graph_drawer *own; /* the caller's */
	struct thread_pool *pool;

	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t changed;
	uint32_t next, taken; /* numbers of rows begun, and taken */
	bool over;
	struct drawn drawn[AHEAD_ROWS]; /* by number of row */
};

/* Call with the lock held; releases it while it draws the row. */
static void draw_next(struct row_graphs *graphs, struct row_graph_drawer *drawer)
{
	const uint32_t number = graphs->next++;
	struct drawn *drawn = &graphs->drawn[number % AHEAD_ROWS];

	drawn->done = false;
	pthread_mutex_unlock(&graphs->lock);
	strbuf_init(&drawn->text);
	row_graph_draw(drawer, &graphs->hist->rows[number], &drawn->text);
	pthread_mutex_lock(&graphs->lock);
	drawn->done = true;
	pthread_cond_broadcast(&graphs->changed);
}

static bool may_draw(const struct row_graphs *graphs)
{
	return graphs->next < graphs->count && graphs->next < graphs->taken + AHEAD_ROWS;
}

static struct row_graph_drawer *make_drawer(const struct row_graphs *graphs)
{
	return row_graph_drawer_create(graphs->hist, graphs->options, graphs->skip_first, graphs->columns);
}

static void run(void *context)
{
	struct row_graphs *graphs = context;
	struct row_graph_drawer *drawer = make_drawer(graphs);

	pthread_mutex_lock(&graphs->lock);
	while (!graphs->over && graphs->next < graphs->count) {
		if (may_draw(graphs))
			draw_next(graphs, drawer);
		else
			pthread_cond_wait(&graphs->changed, &graphs->lock);
	}
	pthread_mutex_unlock(&graphs->lock);
	row_graph_drawer_destroy(drawer);
}

/* One less than CPUs, because the caller draws, too. */
static size_t wanted_threads(uint32_t count)
{
	size_t threads = usable_cpus() - 1;

	if (threads > MAX_THREADS)
		threads = MAX_THREADS;
	return threads < count ? threads : count;
}

struct row_graphs *row_graphs_create(const struct hist *hist, uint32_t count,
				     const struct row_graph_options *options, bool skip_first, size_t columns)
{
	struct row_graphs *graphs = xcalloc(1, sizeof(*graphs));
	const size_t threads = options->style == ROW_GRAPH_OFF ? 0 : wanted_threads(count);

	graphs->hist = hist;
	graphs->count = count;
	graphs->options = options;
	graphs->skip_first = skip_first;
	graphs->columns = columns;
	graphs->own = make_drawer(graphs);
	pthread_mutex_init(&graphs->lock, NULL);
	pthread_cond_init(&graphs->changed, NULL);
	graphs->pool = thread_pool_create(threads);
	for (size_t i = 0; i < thread_pool_threads(graphs->pool); i++)
		thread_pool_submit(graphs->pool, run, graphs);
	return graphs;
}

void row_graphs_take(struct row_graphs *graphs, uint32_t number, struct strbuf *out)
{
	struct drawn *drawn = &graphs->drawn[number % AHEAD_ROWS];

	pthread_mutex_lock(&graphs->lock);
	while (graphs->next <= number || !drawn->done) {
		if (may_draw(graphs))
			draw_next(graphs, graphs->own);
		else
			pthread_cond_wait(&graphs->changed, &graphs->lock);
	}
	pthread_mutex_unlock(&graphs->lock);
	strbuf_add(out, drawn->text.bytes, drawn->text.size);
	strbuf_fini(&drawn->text);
	pthread_mutex_lock(&graphs->lock);
	graphs->taken = number + 1;
	pthread_cond_broadcast(&graphs->changed);
	pthread_mutex_unlock(&graphs->lock);
}

void row_graphs_destroy(struct row_graphs *graphs)
{
	if (!graphs)
		return;
	pthread_mutex_lock(&graphs->lock);
	graphs->over = true;
	pthread_cond_broadcast(&graphs->changed);
	pthread_mutex_unlock(&graphs->lock);
	thread_pool_destroy(graphs->pool);
	for (uint32_t i = graphs->taken; i < graphs->next; i++)
		strbuf_fini(&graphs->drawn[i % AHEAD_ROWS].text);
	row_graph_drawer_destroy(graphs->own);
	pthread_cond_destroy(&graphs->changed);
	pthread_mutex_destroy(&graphs->lock);
	free(graphs);
}
