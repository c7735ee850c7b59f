#ifndef XPROF_REPORT_LOAD_SAMPLE_STREAM_H
#define XPROF_REPORT_LOAD_SAMPLE_STREAM_H

/*
 * The samples of a recording, one after the other: decoded, with their whole call chain, one for each counter that was
 * read with them, and each when all that happened before it is known.
 *
 *	while ((more = sample_stream_next(stream, &sample, err)) == 1)
 *		add(profile, resolve(sample));
 *
 *   perf_file ─▶ read() ─▶ held back until nothing earlier can come ─▶ sample, its chain joined ─▶ sample_stream_next()
 *                 every record               │                            (deferred_chains, counter_table)
 *                 as it is read              └─▶ happened(): the kernel's other records, between samples
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/perf_file.h"
#include "format/sample.h"

struct sample_stream;

enum stream_order {
	/*
	 * In order of time, and so are the kernel's other records, as perf has it: of records with equal times the first
	 * does not know what the second says.
	 */
	STREAM_BY_TIME,
	/*
	 * As they stand in the file, but no sample before its round is over, for readers that apply other records when they
	 * are read, to state that is indexed by time. A fifth cheaper than order of time where samples are plain. Samples
	 * of events whose chains come later (PERF_ATTR_DEFER_CALLCHAIN) are in order of time among themselves.
	 */
	STREAM_WHEN_KNOWN,
};

/* The decision about a record that was read. */
enum stream_way {
	STREAM_FAILED = -1, /* nothing: the stream ends with the error that was set */
	STREAM_HOLD,        /* it waits until all that happened before is known */
	STREAM_NOW, /* its turn is now: in a file whose records have no times, or that is shown as it stands */
	STREAM_DONE, /* nothing more: the reader has dealt with it */
};

/* Valid until the next call, and so are the bytes that it points to if it is_lent; else these stay until read() is called. */
struct stream_sample {
	struct sample sample;
	struct event record; /* that it came in */
	size_t event; /* its number in the file, or that of the counter; SIZE_MAX: of none that is known */
	const struct event_desc *desc; /* of that number */
	uint64_t time_ns;              /* to ask the process table with */
	uint64_t period;               /* the sample's, or what the counter has advanced by */
	bool is_readable;              /* it was decoded: always so unless the options ask for others, too */
	bool is_kept;                  /* not left out by the options' `keep` */
	bool is_counter;
	bool is_joined; /* the rest of its call chain came later */
	bool is_lent;
};

/* All is borrowed, and every function may be NULL. */
struct sample_stream_options {
	struct perf_file *file;
	enum stream_order order;
	bool counters;   /* each counter that was read (PERF_SAMPLE_READ) is a sample of its own event */
	bool unreadable; /* samples that are damaged or of no known event are given, too, instead of counted */
	/* False: the sample is left out, and given with is_kept false. Asked once for all counters that were read with it. */
	bool (*keep)(void *context, const struct stream_sample *sample);
	/* Sees each record when it is read; `number` is from 1. */
	enum stream_way (*read)(void *context, const struct event *event, uint64_t number, struct error *err);
	/*
	 * STREAM_BY_TIME: sees the kernel's records that are no samples in their order, and FINISHED_ROUND behind what it
	 * has let go. A record without a time has that of the one before. -1: the stream ends with that error.
	 */
	int (*happened)(void *context, const struct event *event, uint64_t time_ns, struct error *err);
	void *context;
};

struct stream_losses {
	uint64_t unknown_event_samples; /* whose id no event of the file has, counters among them */
	uint64_t damaged_samples;       /* that could not be decoded */
	uint64_t damaged_rests;         /* of call chains */
	uint64_t late_records;          /* that came behind later ones */
};

struct sample_stream *sample_stream_create(const struct sample_stream_options *options);
void sample_stream_destroy(struct sample_stream *stream);

/*
 * 1 and the next sample, 0 at the end, or -1. If the file cannot be read to its end, the readable samples
 * come before the -1.
 */
int sample_stream_next(struct sample_stream *stream, const struct stream_sample **sample, struct error *err);

struct stream_losses sample_stream_losses(const struct sample_stream *stream);

/* STREAM_WHEN_KNOWN: samples up to this time are past. */
uint64_t sample_stream_past_ns(const struct sample_stream *stream);

#endif
