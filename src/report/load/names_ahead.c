#include "report/load/names_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/load/dso_symbols.h"

struct names_ahead {
	struct symbolizer *symbolizer;
	pthread_t thread;
	bool started, failed;
	bool *wanted; /* by number of DSO; of who asks alone */
	size_t wanted_capacity;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	struct dso *queue; /* copies, for the process table may learn more about the originals */
	size_t count, capacity, taken;
	bool over;
};

static void free_copy(struct dso *dso)
{
	free((char *)dso->path);
	free((char *)dso->name);
}

/* False when there will be no more. */
static bool take(struct names_ahead *ahead, struct dso *dso)
{
	bool found;

	pthread_mutex_lock(&ahead->lock);
	while (ahead->taken == ahead->count && !ahead->over)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	found = ahead->taken < ahead->count;
	if (found)
		*dso = ahead->queue[ahead->taken++];
	pthread_mutex_unlock(&ahead->lock);
	return found;
}

static void *run(void *context)
{
	struct names_ahead *ahead = context;
	struct dso dso;

	while (take(ahead, &dso)) {
		struct symbol_table *table = dso_symbols_table(ahead->symbolizer, &dso);

		if (table)
			symbol_table_open(table);
		free_copy(&dso);
	}
	return NULL;
}

struct names_ahead *names_ahead_create(struct symbolizer *symbolizer)
{
	struct names_ahead *ahead = xcalloc(1, sizeof(*ahead));

	ahead->symbolizer = symbolizer;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	return ahead;
}

static bool start(struct names_ahead *ahead)
{
	if (!ahead->started && !ahead->failed)
		ahead->started = pthread_create(&ahead->thread, NULL, run, ahead) == 0;
	ahead->failed = !ahead->started;
	return ahead->started;
}

/* Maps of JIT compilers may still grow. That of a module says that the whole list of the kernel is needed. */
static bool is_readable_ahead(const struct dso *dso)
{
	return dso->kind == DSO_FILE || dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
}

void names_ahead_want(struct names_ahead *ahead, const struct dso *dso)
{
	size_t old;
	struct dso copy;

	if (!ahead || !is_readable_ahead(dso) || !start(ahead))
		return;
	old = ahead->wanted_capacity;
	if (dso->number >= old) {
		ahead->wanted = array_grow(ahead->wanted, &ahead->wanted_capacity, (size_t)dso->number + 1,
					   sizeof(*ahead->wanted));
		memset(ahead->wanted + old, 0, (ahead->wanted_capacity - old) * sizeof(*ahead->wanted));
	}
	if (ahead->wanted[dso->number])
		return;
	ahead->wanted[dso->number] = true;
	copy = *dso;
	copy.path = xstrdup(dso->path);
	copy.name = xstrdup(dso->name);
	pthread_mutex_lock(&ahead->lock);
	ahead->queue = array_grow(ahead->queue, &ahead->capacity, ahead->count + 1, sizeof(*ahead->queue));
	ahead->queue[ahead->count++] = copy;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
}

void names_ahead_destroy(struct names_ahead *ahead, bool all)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->over = true;
	while (!all && ahead->taken < ahead->count)
		free_copy(&ahead->queue[--ahead->count]);
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	if (ahead->started)
		pthread_join(ahead->thread, NULL);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead->queue);
	free(ahead->wanted);
	free(ahead);
}
