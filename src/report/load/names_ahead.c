#include "report/load/names_ahead.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_pool.h"
#include "base/xalloc.h"
#include "report/load/dso_symbols.h"

struct names_ahead {
	struct symbolizer *symbolizer;
	struct thread_pool *pool; /* of one thread, if that can be had; NULL: nothing was wanted yet */
	atomic_bool over;         /* tables that are not being read yet need not be read any more */
	bool *wanted;             /* by number of DSO */
	size_t wanted_capacity;
};

/* A table to be read. The DSO is a copy, for the process table may learn more about the original. */
struct wish {
	struct names_ahead *ahead;
	struct dso dso;
};

static void open_table(void *context)
{
	struct wish *wish = context;
	struct symbol_table *table = NULL;

	if (!atomic_load(&wish->ahead->over))
		table = dso_symbols_table(wish->ahead->symbolizer, &wish->dso);
	if (table)
		symbol_table_open(table);
	free((char *)wish->dso.path);
	free((char *)wish->dso.name);
	free(wish);
}

struct names_ahead *names_ahead_create(struct symbolizer *symbolizer)
{
	struct names_ahead *ahead = xcalloc(1, sizeof(*ahead));

	ahead->symbolizer = symbolizer;
	return ahead;
}

static bool has_thread(struct names_ahead *ahead)
{
	if (!ahead->pool)
		ahead->pool = thread_pool_create(1);
	return thread_pool_threads(ahead->pool) > 0;
}

/* Maps of JIT compilers may still grow. That of a module says that the whole list of the kernel is needed. */
static bool is_readable_ahead(const struct dso *dso)
{
	return dso->kind == DSO_FILE || dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
}

void names_ahead_want(struct names_ahead *ahead, const struct dso *dso)
{
	struct wish *wish;
	size_t old;

	if (!ahead || !is_readable_ahead(dso) || !has_thread(ahead))
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
	wish = xmalloc(sizeof(*wish));
	*wish = (struct wish){ ahead, *dso };
	wish->dso.path = xstrdup(dso->path);
	wish->dso.name = xstrdup(dso->name);
	thread_pool_submit(ahead->pool, open_table, wish);
}

void names_ahead_destroy(struct names_ahead *ahead, bool all)
{
	if (!ahead)
		return;
	atomic_store(&ahead->over, !all);
	thread_pool_destroy(ahead->pool);
	free(ahead->wanted);
	free(ahead);
}
