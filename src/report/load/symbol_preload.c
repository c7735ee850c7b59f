/*
 * A pool with one thread gets a task for each DSO; `wanted` has a flag by number of DSO, so that none is submitted twice. When
 * the caller does not want to wait, `over` makes the tasks that are left do nothing.
 */
#include "report/load/symbol_preload.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_pool.h"
#include "base/xalloc.h"
#include "report/load/dso_symbols.h"

struct symbol_preload {
	struct symbolizer *symbolizer;
	struct thread_pool *pool; /* of one thread, if that can be had; NULL: nothing was wanted yet */
	atomic_bool over;         /* tables that are not being read yet need not be read any more */
	bool *wanted;             /* by number of DSO */
	size_t wanted_capacity;
};

/* A table to be read. The DSO is a copy, for the process table may learn more about the original. */
struct wish {
	struct symbol_preload *preload;
	struct dso dso;
};

static void open_table(void *context)
{
	struct wish *wish = context;
	struct symbol_table *table = NULL;

	if (!atomic_load(&wish->preload->over))
		table = dso_symbols_table(wish->preload->symbolizer, &wish->dso);
	if (table)
		symbol_table_open(table);
	free((char *)wish->dso.path);
	free((char *)wish->dso.name);
	free(wish);
}

struct symbol_preload *symbol_preload_create(struct symbolizer *symbolizer)
{
	struct symbol_preload *preload = xcalloc(1, sizeof(*preload));

	preload->symbolizer = symbolizer;
	return preload;
}

static bool has_thread(struct symbol_preload *preload)
{
	if (!preload->pool)
		preload->pool = thread_pool_create(1);
	return thread_pool_threads(preload->pool) > 0;
}

/* Maps of JIT compilers may still grow. That of a module says that the whole list of the kernel is needed. */
static bool is_readable_ahead(const struct dso *dso)
{
	return dso->kind == DSO_FILE || dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
}

void symbol_preload_want(struct symbol_preload *preload, const struct dso *dso)
{
	struct wish *wish;
	size_t old;

	if (!preload || !is_readable_ahead(dso) || !has_thread(preload))
		return;
	old = preload->wanted_capacity;
	if (dso->number >= old) {
		preload->wanted = array_grow(preload->wanted, &preload->wanted_capacity,
					     (size_t)dso->number + 1, sizeof(*preload->wanted));
		memset(preload->wanted + old, 0, (preload->wanted_capacity - old) * sizeof(*preload->wanted));
	}
	if (preload->wanted[dso->number])
		return;
	preload->wanted[dso->number] = true;
	wish = xmalloc(sizeof(*wish));
	*wish = (struct wish){ preload, *dso };
	wish->dso.path = xstrdup(dso->path);
	wish->dso.name = xstrdup(dso->name);
	thread_pool_submit(preload->pool, open_table, wish);
}

void symbol_preload_destroy(struct symbol_preload *preload, bool all)
{
	if (!preload)
		return;
	atomic_store(&preload->over, !all);
	thread_pool_destroy(preload->pool);
	free(preload->wanted);
	free(preload);
}
