#ifndef XPROF_FORMAT_PERF_FILE_STATE_H
#define XPROF_FORMAT_PERF_FILE_STATE_H

/*
 * The members of an open perf_file. Private to the files of this folder that open it, walk through it and
 * decode it.
 */

#include "base/strbuf.h"
#include "format/byte_stream.h"
#include "format/decompress.h"
#include "format/event_table.h"
#include "format/feature_decode.h"
#include "format/mapped_file.h"
#include "format/perf_file.h"
#include "format/perf_header.h"
#include "format/recording_directory.h"

struct directory_part { /* one of the files beside "data" in a directory */
	struct perf_file *file;
	struct event event; /* its next record, or the one that was returned last */
};

struct perf_file {
	char *path;
	enum perf_file_mode mode;
	bool stable;
	struct perf_header header;

	struct mapped_file *maps; /* one; of a directory, one for each file that was opened so far */
	size_t map_count, map_capacity;
	struct byte_stream *stream; /* instead of maps */
	struct recording_directory directory;
	struct directory_part *parts; /* NULL until "data" ends */
	uint64_t *part_times_ns;      /* times of their next records; UINT64_MAX: no more records */
	size_t part_count, current_part;
	bool part_is_lent; /* the record of the current part was returned */
	bool is_part;      /* this file is itself a part: the directory has the events and features */

	struct record_source mapped_records; /* of the last map */
	uint64_t released_offset;            /* in the last map: pages before it were released */
	perf_file_stale *stale;              /* NULL: perf_file_next() releases pages itself */
	void *stale_context;
	struct record_source *source;      /* mapped_records, or the stream's records */
	struct decompressor *decompressor; /* NULL until the first compressed record */
	bool decompressing;                /* records come from the compressed record at compressed_offset */
	uint64_t compressed_offset;
	uint32_t compressed_size; /* of that record */
	struct strbuf split;      /* the pieces of a split simpleperf record so far */
	uint64_t split_offset;    /* of the first of them */
	char **joined_records;    /* kept until the file is closed */
	size_t joined_count, joined_capacity, joined_bytes;
	struct file_section init_records; /* records in HEADER_SIMPLEPERF_INIT_MAP, read before the data; size
					     0: none left */
	uint64_t payload_bytes; /* bytes behind the last record that its size does not count; skipped before
				   the next one */
	bool payload_is_tracing_data;
	bool has_trace; /* AUXTRACE came */
	bool ended;

	struct event_table events;
	struct feature_table features;
	struct strbuf tracing_data; /* of a pipe */
	struct strbuf map_pieces;   /* u32 size and payload of each record with a piece of a perf map
				       (map_piece.h) */
	bool map_pieces_are_all;    /* they include those of records not read yet */
	struct perf_file_damage damage;
	uint64_t size_bytes; /* of a directory: of all its files */
	int64_t modified_s;  /* 0: not known */
};

/* Functions, grouped by file. A file calls only functions of files above it in this list. */

/* Counts damage; keeps the first reason. */
void perf_file_note_damage(struct perf_file *file, uint64_t file_offset, uint64_t skipped_records,
			   uint64_t skipped_bytes, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Adds an event: its attr and ids, from HEADER_ATTR or the header. */
int perf_file_add_event(struct perf_file *file, struct byte_reader attr, struct byte_reader ids,
			struct error *err);

/*
 * perf_file_open.c: opens a file of a directory that has only records, in the format of the directory's "data".
 * Returns NULL with err set on failure.
 */
struct perf_file *perf_file_create_part(const struct perf_file *directory, const char *path,
					struct error *err);

/* Switches from the records in init_records to the data section. Returns false if it was there already. */
bool perf_file_next_section(struct perf_file *file);

/* Frees everything but the parts of a directory. */
void perf_file_free(struct perf_file *file);

/* map_pieces.c: keeps a copy of a record if it is a piece of a perf map. */
void perf_file_keep_map_piece(struct perf_file *file, const struct event *event);

/*
 * split_record.c: collects pieces of split records. Returns 1 with *event unchanged or, at SPLIT_END, the
 * joined record; 0 if the caller has to read on.
 */
int perf_file_join_split(struct perf_file *file, struct event *event);

/*
 * tool_record.c: learns about the file from a record of type 64 or above. Returns 1 if the record is to be
 * returned to the caller, 0 to skip it, -1 on error.
 */
int perf_file_learn(struct perf_file *file, const struct event *event, struct error *err);

/* Skips payload_bytes. Returns 0, or -1 with err set on a read error. */
int perf_file_pass_payload(struct perf_file *file, struct error *err);

/* perf_file_walk.c: the next record of this one file, as perf_file_next(). */
int perf_file_next_own(struct perf_file *file, struct event *event, struct error *err);

/*
 * directory_part.c: opens the other files of a directory, read after "data". Returns 0, also if there are none; -1
 * with err set on error.
 */
int perf_file_open_parts(struct perf_file *file, struct error *err);
void perf_file_close_parts(struct perf_file *file);

/* The record with the earliest time of all parts. Returns 1, 0 if there are no more records, -1 on error. */
int perf_file_next_of_parts(struct perf_file *file, struct event *event, struct error *err);

#endif
