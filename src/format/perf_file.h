#ifndef XPROF_FORMAT_PERF_FILE_H
#define XPROF_FORMAT_PERF_FILE_H

/*
 * A perf.data that is being read: what it says about itself, and its records
 * in file order. One interface for every container: seekable file, pipe
 * (standard input), directory (perf record --threads), compressed records.
 *
 * In a file everything but the records is known after perf_file_open(). In a
 * pipe the attrs and features are records themselves, and in a file that is
 * still being written the features are: both become known while reading, so
 * ask again after the last record.
 *
 * Only one thread may call perf_file_next(). Between its calls, other threads may call perf_file_event_of()
 * and the other functions that take a const file.
 *
 *     struct perf_file *file = perf_file_open("perf.data", &err);
 *
 *     while ((status = perf_file_next(file, &event, &err)) == 1)
 *             if (event.type == PERF_RECORD_SAMPLE)
 *                     count++;
 *     perf_file_close(file);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/event.h"
#include "format/event_desc.h"
#include "format/perf_abi.h"
#include "format/perf_features.h"

struct perf_file;

enum perf_file_mode { PERF_FILE_SEEKABLE, PERF_FILE_PIPE, PERF_FILE_DIRECTORY };

struct perf_file_damage { /* what had to be skipped; summed up once by the caller */
	uint64_t skipped_records;
	uint64_t skipped_bytes;
	uint64_t first_offset;
	char first_reason[160]; /* "" when nothing was */
	bool truncated;         /* the file ends inside a record, or data.size was never written */
	/*
	 * The features came as records, and their table, which is written last, is missing: the recorder was
	 * killed, or is still running.
	 */
	bool unfinished;
};

/*
 * path "-" is standard input. NULL with err when it is no perf.data, or its header cannot be used. A file
 * that comes through a pipe (cat perf.data | xprof report -i -) is copied to an unlinked file in $TMPDIR
 * first.
 */
struct perf_file *perf_file_open(const char *path, struct error *err);

/* The same over a descriptor, which the file owns from now on, also on failure; `name` is for messages. */
struct perf_file *perf_file_open_stream(int fd, const char *name, struct error *err);

/* Over bytes that outlive the file. */
struct perf_file *perf_file_open_memory(const void *bytes, size_t size, const char *name, struct error *err);

/*
 * Opens the same recording once more, at its beginning. Not for a recording that came through a pipe. Its
 * bytes stay valid until both are closed.
 */
struct perf_file *perf_file_open_again(const struct perf_file *file, struct error *err);

void perf_file_close(struct perf_file *file);

/*
 * The next record, in file order, from inside compressed records, too: 1 and *event, 0 at the end, -1 when
 * the source fails (I/O). Damaged records are skipped and counted. Records that the file layer uses itself
 * (HEADER_ATTR, HEADER_FEATURE, EVENT_UPDATE, BUILD_ID …) are handed out as well; only COMPRESSED ones are
 * not, nor FINISHED_ROUND in a directory, where it would promise an order that holds in one of its files
 * only. A directory's files are read side by side behind its "data", the record of the earliest time first.
 *
 * The event's bytes stay valid until perf_file_close() when
 * perf_file_is_stable(), else only until the next call.
 */
int perf_file_next(struct perf_file *file, struct event *event, struct error *err);
bool perf_file_is_stable(const struct perf_file *file);

/* Up to `most` mapped bytes behind the last record, for a caller that reads ahead; 0 if there are none. */
size_t perf_file_following(const struct perf_file *file, size_t most, const uint8_t **bytes);

/*
 * perf_file_next() gives back pages that were read some time ago; otherwise the whole file would count as
 * this process's memory. With a `stale` function it only reports the pages, and any thread may pass them to
 * mapped_pages_release() later, which makes reading faster. Reading them again brings them back.
 */
typedef void perf_file_stale(void *context, const uint8_t *pages, size_t size_bytes);
void perf_file_on_stale(struct perf_file *file, perf_file_stale *stale,
			void *context); /* NULL: not any more */

/*
 * The bytes that follow the record that perf_file_next() has just handed out and that its size does not
 * count: the trace of AUXTRACE (what follows HEADER_TRACING_DATA becomes a feature). Piece by piece: 1 and a
 * piece, valid until the next call; 0 behind the last, or when the file ends; -1. Skipped unless called.
 */
int perf_file_next_payload(struct perf_file *file, const uint8_t **bytes, size_t *size, struct error *err);
uint64_t perf_file_payload_bytes(const struct perf_file *file); /* announced and not yet handed out */

/* 0 to 100, for a progress line; 0 where the size is not known. */
unsigned int perf_file_percent(const struct perf_file *file);

const char *perf_file_path(const struct perf_file *file);
enum perf_file_mode perf_file_mode(const struct perf_file *file);
bool perf_file_swapped(const struct perf_file *file);
int64_t perf_file_modified_s(const struct perf_file *file);  /* since the Epoch; 0: a pipe, or not known */
uint64_t perf_file_size_bytes(const struct perf_file *file); /* on disk; 0 for a pipe */
const struct perf_file_damage *perf_file_damage(const struct perf_file *file);
const struct perf_features *perf_file_features(const struct perf_file *file);

/* A feature's bytes as they are (format of its section); empty when it is not there. Valid until perf_file_close(). */
struct byte_reader perf_file_feature_bytes(const struct perf_file *file, unsigned int feature);

size_t perf_file_event_count(const struct perf_file *file);
/* NULL when there is none of that number. The pointer is valid until perf_file_close(), its ids until the next record. */
const struct event_desc *perf_file_event(const struct perf_file *file, size_t number);

/*
 * The number of the event that a kernel record belongs to: by IDENTIFIER or ID, else the only (or, as perf
 * does, the first) one. SIZE_MAX if its id is unknown.
 */
size_t perf_file_event_of(const struct perf_file *file, const struct event *event);

/*
 * The time at which the kernel wrote a record, found by the attr of its event, or of the first event if its
 * id is unknown. 0: the record has no time, as records that programs write have none.
 */
uint64_t perf_file_time_of(const struct perf_file *file, const struct event *event);

/* By sample id (LOST records carry one); SIZE_MAX when unknown. */
size_t perf_file_event_by_id(const struct perf_file *file, uint64_t id);

#endif
