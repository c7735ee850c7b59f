/* One loop over the file per kind of list; record_stats.h and task_list.h collect and print. */
#include "report/dump/record_lists.h"

#include "report/dump/record_stats.h"
#include "report/dump/task_list.h"

static int add_stats(struct strbuf *out, struct perf_file *file, struct error *err)
{
	struct record_stats *stats = record_stats_create();
	struct event event;
	int more;

	while ((more = perf_file_next(file, &event, err)) == 1)
		record_stats_count(stats, file, &event);
	if (more == 0)
		record_stats_add(out, stats, file);
	record_stats_destroy(stats);
	return more;
}

/* Skips damaged records. */
static int add_tasks(struct strbuf *out, struct perf_file *file, bool with_mappings, struct error *err)
{
	struct task_list *list = task_list_create();
	struct event event;
	int more;

	while ((more = perf_file_next(file, &event, err)) == 1)
		(void)task_list_apply(list, file, &event, NULL);
	if (more == 0)
		task_list_add(out, list, with_mappings);
	task_list_destroy(list);
	return more;
}

int record_lists_add(struct strbuf *out, struct perf_file *file, enum record_list list, struct error *err)
{
	return list == RECORD_LIST_STATS ? add_stats(out, file, err) :
					   add_tasks(out, file, list == RECORD_LIST_MMAPS, err);
}
