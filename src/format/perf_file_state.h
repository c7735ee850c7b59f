#ifndef XPROF_FORMAT_PERF_FILE_STATE_H
#define XPROF_FORMAT_PERF_FILE_STATE_H

/* The members of an open perf_file, for the files of this folder that open it, walk it and decode it. */

#include "base/strbuf.h"
#include "format/byte_stream.h"
#include "format/decompress.h"
#include "format/event_table.h"
#include "format/feature_decode.h"
#include "format/mapped_file.h"
#include "format/perf_file.h"
#include "format/perf_header.h"
#include "format/recording_directory.h"

struct directory_part { /* one of the files beside a directory's "data" */
	struct perf_file *file;
	struct event event; /* its next record, or the one that is handed out */
};

struct perf_file {
	char *path;
	enum perf_file_mode mode;
	bool stable;
	struct perf_header header;

	struct mapped_file *maps; /* one, or as many as the directory has files that were reached */
	size_t map_count, map_capacity;
	struct byte_stream *stream; /* instead of maps */
	struct recording_directory directory;
	struct directory_part *parts; /* NULL until "data" ends */
	uint64_t *part_times_ns;      /* of their next records; UINT64_MAX: it has no more */
	size_t part_count, current_part;
	bool part_is_lent; /* the current part's record was handed out */
	bool is_part;      /* itself: events and features are the directory's */

	struct record_source mapped_records; /* of the last map */
	uint64_t released_offset;            /* in the last map: what lies before is not held in memory */
	perf_file_stale *stale;              /* NULL: perf_file_next() gives pages back */
	void *stale_context;
	struct record_source *source;      /* that, or the stream's */
	struct decompressor *decompressor; /* NULL until it is needed */
	bool decompressing; /* records come out of the compressed record at compressed_offset */
	uint64_t compressed_offset;
	uint32_t compressed_size; /* of that record */
	struct strbuf split;      /* the pieces of a simpleperf record so far */
	uint64_t split_offset;    /* of the first of them */
	char **joined_records;    /* whose bytes stay until the file is closed */
	size_t joined_count, joined_capacity, joined_bytes;
	struct file_section init_records; /* of a feature: they come before the data */
	uint64_t payload_bytes; /* behind the last record, outside of its size; passed before the next */
	bool payload_is_tracing_data;
	bool ended;

	struct event_table events;
	struct feature_table features;
	struct strbuf tracing_data; /* of a pipe */
	struct strbuf map_pieces;   /* u32 size and payload of each record that is one (map_piece.h) */
	bool map_pieces_are_all;    /* those to come are among them */
	struct perf_file_damage damage;
	uint64_t size_bytes; /* of all files of a directory */
	int64_t modified_s;  /* 0: not known */
};

/* Functions, grouped by the file that has them; a file calls only those of files that stand above it here. */

/* Counts it; the first reason is kept. */
void perf_file_note_damage(struct perf_file *file, uint64_t file_offset, uint64_t skipped_records,
			   uint64_t skipped_bytes, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* An attr and its ids, from HEADER_ATTR or the header. */
int perf_file_add_event(struct perf_file *file, struct byte_reader attr, struct byte_reader ids,
			struct error *err);

/* perf_file_open.c: a file of nothing but records, with the layout of those of the directory. NULL with err. */
struct perf_file *perf_file_create_part(const struct perf_file *directory, const char *path,
					struct error *err);

/* Turns from the records of a feature, which come first, to the data: false when it has. */
bool perf_file_next_section(struct perf_file *file);

/* Closes it but for the files of a directory. */
void perf_file_free(struct perf_file *file);

/* map_pieces.c: keeps a record that is a piece of a perf map. */
void perf_file_keep_map_piece(struct perf_file *file, const struct event *event);

/* split_record.c: a piece, or the end of all: 1 and *event is the whole record, 0 to go on with the next. */
int perf_file_join_split(struct perf_file *file, struct event *event);

/* tool_record.c: what a record of type 64 and above means to the file itself. 1: hand it out, 0: skip it, -1. */
int perf_file_learn(struct perf_file *file, const struct event *event, struct error *err);

/* Steps over payload_bytes: 0, or -1 with err when reading fails. */
int perf_file_pass_payload(struct perf_file *file, struct error *err);

/* perf_file_walk.c: the next record of this one file, as perf_file_next(). */
int perf_file_next_own(struct perf_file *file, struct event *event, struct error *err);

/* directory_part.c: what follows the records of a directory's "data". 0 if they are open, or there are none; -1. */
int perf_file_open_parts(struct perf_file *file, struct error *err);
void perf_file_close_parts(struct perf_file *file);

/* 1, 0 when there are no more, or no parts, -1. */
int perf_file_next_of_parts(struct perf_file *file, struct event *event, struct error *err);

#endif
