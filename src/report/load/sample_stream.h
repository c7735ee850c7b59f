#ifndef XPROF_REPORT_LOAD_SAMPLE_STREAM_H
#define XPROF_REPORT_LOAD_SAMPLE_STREAM_H

/*
 * The samples of a recording, one after the other. They are decoded, have their complete call chains, are
 * repeated for each counter that was read with them, and come when all earlier records are known.
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
	 * In order of time, like the kernel's other records, as in perf. Records with equal times keep their order in the
	 * file: the first is handled before the second is known.
	 */
	STREAM_BY_TIME,
	/*
	 * In the order of the file, each sample after its round is over. For readers whose state is indexed by time, so that they
	 * can apply other records when these are read. A fifth cheaper than order of time if samples have no dumps. Samples
	 * of events whose chains come later (PERF_ATTR_DEFER_CALLCHAIN) are in order of time among themselves.
	 */
	STREAM_WHEN_KNOWN,
};

/* The reader's decision about a record. */
enum stream_way {
	STREAM_FAILED = -1, /* end the stream with the error that was set */
	STREAM_HOLD,        /* hold it back until all earlier records are known */
	STREAM_NOW,         /* handle it now: records have no times, or are shown in the order of the file */
	STREAM_DONE,        /* skip it, the reader has handled it */
};

/*
 * Valid until the next call. The bytes that it points to are valid until the next call if is_lent, else until
 * read() is called.
 */
struct stream_sample {
	struct sample sample;
	struct event record; /* the record of the sample */
	size_t event; /* number of its event (or of the counter's) in the file; SIZE_MAX: unknown event */
	const struct event_desc *desc; /* description of that event */
	uint64_t time_ns;              /* for look-ups in the process table */
	uint64_t period;               /* period of the sample, or advance of the counter */
	bool is_readable;              /* it was decoded; false only with the option `unreadable` */
	bool is_kept;                  /* accepted by the option `keep` */
	bool is_counter;
	bool is_joined; /* the rest of its call chain came in a later record */
	bool is_lent;
};

/* All is borrowed, and every function may be NULL. */
struct sample_stream_options {
	struct perf_file *file;
	enum stream_order order;
	bool counters;   /* each counter that was read (PERF_SAMPLE_READ) becomes a sample of its own event */
	bool unreadable; /* return damaged samples and those of unknown events, too, instead of counting them */
	/* Sets is_kept of the sample. Called once for all counters that were read with it. */
	bool (*keep)(void *context, const struct stream_sample *sample);
	/* Called for each record when it is read. `number` counts from 1. */
	enum stream_way (*read)(void *context, const struct event *event, uint64_t number, struct error *err);
	/*
	 * STREAM_BY_TIME only. Called for the kernel's records other than samples, in order of time, and for FINISHED_ROUND
	 * after the records that it released. A record without a time has that of its predecessor. Returns 0, or -1 with
	 * err, which ends the stream.
	 */
	int (*happened)(void *context, const struct event *event, uint64_t time_ns, struct error *err);
	void *context;
};

struct stream_losses {
	uint64_t unknown_event_samples; /* samples and counters with an id of no event in the file */
	uint64_t damaged_samples;       /* samples that could not be decoded */
	uint64_t damaged_rests;         /* CALLCHAIN_DEFERRED records that could not be decoded */
	uint64_t late_records;          /* records that came after a record with a later time */
};

struct sample_stream *sample_stream_create(const struct sample_stream_options *options);
void sample_stream_destroy(struct sample_stream *stream);

/*
 * Returns 1 with the next sample, 0 at the end, -1 with err. If the file cannot be read to its end, all
 * readable samples come before the -1.
 */
int sample_stream_next(struct sample_stream *stream, const struct stream_sample **sample, struct error *err);

struct stream_losses sample_stream_losses(const struct sample_stream *stream);

/* STREAM_WHEN_KNOWN: samples up to this time have been returned. */
uint64_t sample_stream_past_ns(const struct sample_stream *stream);

#endif
