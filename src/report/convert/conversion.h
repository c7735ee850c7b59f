#ifndef XPROF_REPORT_CONVERT_CONVERSION_H
#define XPROF_REPORT_CONVERT_CONVERSION_H

/*
 * Writes a recording anew: the same records, in the same order and byte order, in another container. A pipe,
 * a directory or the file of a recorder that was killed becomes an ordinary file (or a pipe), compressed or
 * not.
 *
 * Parts of the container are not copied but made anew: attrs, features, build-ids and tracing data become
 * sections of a file or records of a pipe; the index of AUX traces gets the new offsets; compressed records
 * are decompressed first. `counts` has the number of records that could not be copied.
 *
 * The output gets its name when it is complete; until then an existing file of that name stays. So a
 * recording can be converted in place; the old file is kept as OUTPUT.old.
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

enum { CONVERSION_KEEPS_COMPRESSION = -1 }; /* the level of the input, 0 if it is not compressed */

struct conversion_options {
	const char *input, *output; /* paths, or "-" */
	int compression_level;      /* 0: none, 1 to 22, or CONVERSION_KEEPS_COMPRESSION */
	bool add_build_ids;
	/*
	 * See plain_sample.h. Stack dumps are unwound to call chains, and chains get the parts that come later; then all
	 * records are in order of time.
	 */
	bool plain_samples;
	const struct symbol_archive *archive; /* files of an archived recording; NULL: not an archive */
	/* Called now and then; may be NULL. */
	void (*progress)(unsigned int percent, uint64_t records, void *context);
	void *progress_context;
};

struct conversion_counts {
	uint64_t records, samples; /* copied, without records of the container */
	uint64_t input_bytes;      /* size of the file, or of all files of a directory; 0 for a pipe */
	uint64_t output_bytes;     /* data written */
	bool was_compressed, was_directory, was_pipe;
	unsigned int compression_level; /* of the output; 0: none */
	struct compression_totals compression;
	struct missing_build_id_counts build_ids;
	uint64_t plain_samples, plain_bytes; /* samples that lost fields, and the bytes lost */
	uint64_t unwound_samples;            /* samples that got a call chain from their stack dump */
	uint64_t joined_samples;             /* samples whose call chain got a later part */
	size_t cut_attrs;                    /* attrs that lost settings which perf 6.1 does not know */
	uint64_t left_out_features[HEADER_FEATURE_BITS / 64]; /* bit n: feature n has no place in the output */
	uint64_t left_out_records; /* records of the container that came too late for the output's header */
	struct perf_file_damage damage;
};

/*
 * Returns 0, or -1 with err if the input is not a recording or has no events, or the output cannot be
 * written.
 */
int conversion_run(const struct conversion_options *options, struct conversion_counts *counts,
		   struct error *err);

/*
 * The same for an open recording from which no record was read; options->input is ignored. The caller closes
 * it.
 */
int conversion_run_from(struct perf_file *in, const struct conversion_options *options,
			struct conversion_counts *counts, struct error *err);

#endif
