#ifndef XPROF_FORMAT_PERF_FILE_H
#define XPROF_FORMAT_PERF_FILE_H

/*
 * Reads a perf.data: its header, attrs and features, and its records in file order. One interface for all
 * containers: seekable file, pipe (standard input), directory (perf record --threads), compressed records.
 *
 * In a file, attrs and features are known after perf_file_open(). In a pipe both are records themselves, and
 * in a file that is still being written the features are; so they become known while reading, and callers
 * should look at them again after the last record.
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

struct perf_file_damage { /* the damage that was skipped; the caller reports it once */
	uint64_t skipped_records;
	uint64_t skipped_bytes;
	uint64_t first_offset;
	char first_reason[160]; /* "" if there is no damage */
	bool truncated;         /* the file ends inside a record, or data.size was never written */
	/*
	 * The features came as records, and their table, which is written last, is missing: the recorder was
	 * killed, or is still running.
	 */
	bool unfinished;
};

/*
 * Opens a recording; path "-" is standard input. Returns NULL with err set if it is not a perf.data, or its
 * header cannot be used. A file that comes through a pipe (cat perf.data | xprof report -i -) is copied to an
 * unlinked file in $TMPDIR first.
 */
struct perf_file *perf_file_open(const char *path, struct error *err);

/* The same for a descriptor, of which it takes ownership, also on failure. `name` is for messages. */
struct perf_file *perf_file_open_stream(int fd, const char *name, struct error *err);

/* The same for bytes in memory, which must outlive the file. */
struct perf_file *perf_file_open_memory(const void *bytes, size_t size, const char *name, struct error *err);

/*
 * Opens the same recording again, at its beginning. Not for recordings from a pipe. Its bytes are valid until
 * both files are closed.
 */
struct perf_file *perf_file_open_again(const struct perf_file *file, struct error *err);

void perf_file_close(struct perf_file *file);

/*
 * Reads the next record in file order, including those inside compressed records. Returns 1 and *event, 0 at
 * the end, -1 with err set on an I/O error. Damaged records are skipped and counted. Records that this room
 * interprets itself (HEADER_ATTR, HEADER_FEATURE, EVENT_UPDATE, BUILD_ID …) are returned, too, except
 * COMPRESSED ones, and FINISHED_ROUND in a directory, where the order that it promises holds within one file
 * only. In a directory the file "data" comes first, then the others, merged by time.
 *
 * The event's bytes are valid until perf_file_close() if perf_file_is_stable(), otherwise until the next
 * call.
 */
int perf_file_next(struct perf_file *file, struct event *event, struct error *err);
bool perf_file_is_stable(const struct perf_file *file);

/*
 * The mapped bytes behind the last record, so that the caller can prefetch them. Returns their number, at most `most`; 0 if
 * there are none.
 */
size_t perf_file_following(const struct perf_file *file, size_t most, const uint8_t **bytes);

/*
 * perf_file_next() releases pages that were read some time ago; otherwise the whole file would count as this
 * process's memory. With a `stale` function it only reports the pages, and any thread may pass them to
 * mapped_pages_release() later, which makes reading faster. Released pages can still be read.
 */
/* Releases all that was read, when no record is needed any more. */
void perf_file_release(struct perf_file *file);

typedef void perf_file_stale(void *context, const uint8_t *pages, size_t size_bytes);
void perf_file_on_stale(struct perf_file *file, perf_file_stale *stale,
			void *context); /* NULL: release them again */

/*
 * Reads the bytes that follow the last record but are not part of its size: the trace of AUXTRACE. (Those of
 * HEADER_TRACING_DATA become a feature.) Returns 1 with a piece, valid until the next call; 0 after the last
 * piece, or if the file ends; -1 on error. The next perf_file_next() skips unread bytes.
 */
int perf_file_next_payload(struct perf_file *file, const uint8_t **bytes, size_t *size, struct error *err);
uint64_t perf_file_payload_bytes(const struct perf_file *file); /* announced, but not read yet */

/* The part that was read, 0 to 100, for a progress line; 0 if the size is unknown. */
unsigned int perf_file_percent(const struct perf_file *file);

const char *perf_file_path(const struct perf_file *file);
enum perf_file_mode perf_file_mode(const struct perf_file *file);
bool perf_file_swapped(const struct perf_file *file);
int64_t perf_file_modified_s(const struct perf_file *file);  /* last modification, since the Epoch; 0: a pipe,
								or unknown */
uint64_t perf_file_size_bytes(const struct perf_file *file); /* on disk; 0 for a pipe */
const struct perf_file_damage *perf_file_damage(const struct perf_file *file);
const struct perf_features *perf_file_features(const struct perf_file *file);

/*
 * The undecoded bytes of a feature, in the format of its section; empty if it is missing. Valid until
 * perf_file_close().
 */
struct byte_reader perf_file_feature_bytes(const struct perf_file *file, unsigned int feature);

/* Are there hardware traces (Intel PT, CoreSight, SPE)? The index of a file tells, of a pipe the records up to here. */
bool perf_file_has_trace(const struct perf_file *file);

size_t perf_file_event_count(const struct perf_file *file);
/* NULL if there is no event with that number. Valid until perf_file_close(), but its ids only until the next record. */
const struct event_desc *perf_file_event(const struct perf_file *file, size_t number);

/*
 * The number of the event that a kernel record belongs to: by IDENTIFIER or ID; without ids the only event
 * or, as in perf, the first one. SIZE_MAX if its id is unknown.
 */
size_t perf_file_event_of(const struct perf_file *file, const struct event *event);

/*
 * The time at which the kernel wrote a record, decoded by the attr of its event, or of the first event if its
 * id is unknown. 0 if the record has no time, as those that tools write.
 */
uint64_t perf_file_time_of(const struct perf_file *file, const struct event *event);

/* The number of the event with a sample id (LOST records have one); SIZE_MAX if unknown. */
size_t perf_file_event_by_id(const struct perf_file *file, uint64_t id);

#endif
