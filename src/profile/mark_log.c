/* Marks are an array in a file (base/spool_array); their few different texts are interned. */
#include "profile/mark_log.h"

#include <stdlib.h>

#include "base/spool_array.h"
#include "base/str_pool.h"
#include "base/xalloc.h"

struct mark_log {
	struct spool_array array;
	struct str_pool *texts;
};

struct mark_log *mark_log_create(struct error *err)
{
	struct mark_log *log = xcalloc(1, sizeof(*log));

	if (spool_array_init(&log->array, "switches and losses", sizeof(struct mark), err) == 0) {
		log->texts = str_pool_create();
		return log;
	}
	free(log);
	return NULL;
}

void mark_log_destroy(struct mark_log *log)
{
	if (!log)
		return;
	spool_array_fini(&log->array);
	str_pool_destroy(log->texts);
	free(log);
}

void mark_log_clear(struct mark_log *log)
{
	spool_array_clear(&log->array);
}

uint32_t mark_log_text_number(struct mark_log *log, const char *text)
{
	return str_pool_add(log->texts, text);
}

void mark_log_add(struct mark_log *log, const struct mark *mark)
{
	spool_array_add(&log->array, mark);
}

int mark_log_finish(struct mark_log *log, struct error *err)
{
	return spool_array_finish(&log->array, err);
}

size_t mark_log_count(const struct mark_log *log)
{
	return log->array.items ? log->array.count : 0;
}

const struct mark *mark_log_at(const struct mark_log *log, size_t number)
{
	return (const struct mark *)log->array.items + number;
}

const char *mark_log_text(const struct mark_log *log, uint32_t number)
{
	return str_pool_text(log->texts, number);
}
