#ifndef XPROF_REPORT_CONVERT_CONVERSION_H
#define XPROF_REPORT_CONVERT_CONVERSION_H

/*
 * A recording written anew: the same records, in the same order and the same byte order, in
 * another container. A pipe, a directory or the file of a recorder that was killed becomes an
 * ordinary file (or a pipe), compressed or not.
 *
 * Parts of the container are not copied but made anew: attrs, features, build-ids and tracing data are
 * sections in a file and records in a pipe, whichever they were; the index of AUX traces gets the new
 * offsets; compressed records are decompressed first. `counts` has the number of records that could not be
 * copied.
 *
 * The output gets its name when it is whole; until then what had the name before stays as it is. So
 * a recording can be converted in place, and it too is kept, as OUTPUT.old.
 *
 *     options = (struct conversion_options){ .input = "-", .output = "perf.data", .compression_level = 1 };
 *     if (conversion_run(&options, &counts, &err) == 0)
 *             printf("%" PRIu64 " samples\n", counts.samples);
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/perf_file.h"
#include "format/write/compress.h"
#include "report/convert/missing_build_ids.h"

enum { CONVERSION_KEEPS_COMPRESSION = -1 }; /* compressed again at the same level if it was compressed */

struct conversion_options {
	const char *input, *output; /* paths, or "-" */
	int compression_level;      /* 0: none, 1 to 22, or CONVERSION_KEEPS_COMPRESSION */
	bool add_build_ids;
	/*
	 * See plain_sample.h. Stacks that are to be unwound from stack dumps, or whose rest comes later, become call chains;
	 * then all records come in order of time.
	 */
	bool plain_samples;
	const struct symbol_archive *archive; /* of an archived recording, for its files; NULL: none */
	/* Called now and then; may be NULL. */
	void (*progress)(unsigned int percent, uint64_t records, void *context);
	void *progress_context;
};

struct conversion_counts {
	uint64_t records, samples; /* copied, without those of the container */
	uint64_t input_bytes;      /* of the file; of a directory all its files; 0 of a pipe */
	uint64_t output_bytes;     /* of the data written */
	bool was_compressed, was_directory, was_pipe;
	unsigned int compression_level; /* that was written; 0: none */
	struct compression_totals compression;
	struct missing_build_id_counts build_ids;
	uint64_t plain_samples, plain_bytes; /* samples that lost fields, and how much */
	uint64_t unwound_samples;            /* that got a call chain out of their stack dump */
	uint64_t joined_samples;             /* whose chain's rest came later */
	size_t cut_attrs;                    /* attrs that lost settings which perf 6.1 does not know */
	uint64_t left_out_features[HEADER_FEATURE_BITS / 64]; /* bit n: feature n has no place in the output */
	uint64_t left_out_records; /* of the container, that came too late to be taken over into it */
	struct perf_file_damage damage;
};

/* -1 when the input is no recording or has no events, or the output cannot be written. */
int conversion_run(const struct conversion_options *options, struct conversion_counts *counts,
		   struct error *err);

/* The same of a recording that is open and not yet read, whatever options->input says. It stays the caller's. */
int conversion_run_from(struct perf_file *in, const struct conversion_options *options,
			struct conversion_counts *counts, struct error *err);

#endif
