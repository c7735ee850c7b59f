/* Entries are collected in a buffer and appended to the file; for reading and renumbering the file is mapped. */
#include "profile/sample_log.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/spool_file.h"
#include "base/xalloc.h"

enum { BUFFERED_SAMPLES = 1 << 14 };

static const char what_it_is[] = "the times of samples";

struct sample_log {
	int fd;
	bool failed;
	struct error error; /* of the first write that failed */
	struct logged_sample *buffer;
	size_t buffered;
	size_t count;                /* in the file */
	struct logged_sample *items; /* the file, mapped; NULL: not yet, or it is empty */
};

struct sample_log *sample_log_create(struct error *err)
{
	int fd = spool_file_create(what_it_is, err);
	struct sample_log *log;

	if (fd < 0)
		return NULL;
	log = xcalloc(1, sizeof(*log));
	log->fd = fd;
	log->buffer = xmalloc(BUFFERED_SAMPLES * sizeof(*log->buffer));
	return log;
}

static void unmap(struct sample_log *log)
{
	if (log->items)
		munmap(log->items, log->count * sizeof(*log->items));
	log->items = NULL;
}

void sample_log_destroy(struct sample_log *log)
{
	if (!log)
		return;
	unmap(log);
	close(log->fd);
	free(log->buffer);
	free(log);
}

static void fail(struct sample_log *log, const char *verb)
{
	if (!log->failed)
		error_set_errno(&log->error, errno, "cannot %s %s", verb, what_it_is);
	log->failed = true;
}

void sample_log_clear(struct sample_log *log)
{
	unmap(log);
	log->buffered = log->count = 0;
	if (ftruncate(log->fd, 0) || lseek(log->fd, 0, SEEK_SET))
		fail(log, "clear");
}

static void flush(struct sample_log *log)
{
	if (!log->failed && spool_file_write(log->fd, log->buffer, log->buffered * sizeof(*log->buffer),
					     what_it_is, &log->error))
		log->failed = true;
	if (!log->failed)
		log->count += log->buffered;
	log->buffered = 0;
}

void sample_log_add(struct sample_log *log, uint64_t time_ns, uint32_t sample, uint64_t weight)
{
	if (log->buffered == BUFFERED_SAMPLES)
		flush(log);
	log->buffer[log->buffered++] =
		(struct logged_sample){ .time_ns = time_ns, .weight = weight, .sample = sample };
}

static void map(struct sample_log *log)
{
	flush(log);
	if (log->items || log->failed || !log->count)
		return;
	log->items =
		mmap(NULL, log->count * sizeof(*log->items), PROT_READ | PROT_WRITE, MAP_SHARED, log->fd, 0);
	if (log->items != MAP_FAILED)
		return;
	log->items = NULL;
	fail(log, "map");
}

void sample_log_renumber(struct sample_log *log, const uint32_t *numbers)
{
	map(log);
	for (size_t i = 0; log->items && i < log->count; i++)
		log->items[i].sample = numbers[log->items[i].sample];
}

int sample_log_finish(struct sample_log *log, struct error *err)
{
	map(log);
	if (!log->failed)
		return 0;
	log->count = 0;
	return error_set(err, "%s", log->error.message);
}

size_t sample_log_count(const struct sample_log *log)
{
	return log->items ? log->count : 0;
}

const struct logged_sample *sample_log_at(const struct sample_log *log, size_t number)
{
	return &log->items[number];
}
