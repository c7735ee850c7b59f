#ifndef XPROF_REPORT_EXPORT_EXPORT_FORMAT_H
#define XPROF_REPORT_EXPORT_EXPORT_FORMAT_H

/*
 * A format to which a profile can be exported. Most formats are written from the loaded profile. A format that needs records of
 * the recording itself, such as branches, has `run` instead of `write` and reads the file by itself.
 */

#include "profile/mark_log.h"
#include "profile/sample_log.h"
#include "profile/sample_walk.h"
#include "report/export/export_options.h"
#include "report/export/export_out.h"
#include "report/load/loaded_profile.h"
#include "report/view/view.h"

/* The needs of a format, and the options it takes. */
enum export_trait {
	EXPORT_ONE_EVENT = 1 << 0, /* sums are of one event: that of --event, or the one with most samples */
	EXPORT_TIMES = 1 << 1,     /* has single samples with their times */
	EXPORT_LINES = 1 << 2,     /* has source lines */
	EXPORT_TRACKS = 1 << 3,    /* --per chooses the tracks or outermost frames */
	EXPORT_GZIP = 1 << 4,      /* the file is compressed */
	EXPORT_WEIGHTS = 1 << 5,   /* --weight chooses between periods and samples */
	EXPORT_BINARY = 1 << 6,    /* describes one program or library, chosen by --binary */
	EXPORT_MARKS = 1 << 7,     /* has losses and switches; only with EXPORT_TIMES */
	EXPORT_SUMS = 1 << 8,      /* has samples added up: struct sample_walk */
};

struct export_input {
	const struct export_options *options;
	const struct loaded_profile *loaded;
	const struct sample_log *log; /* single samples in order of time; NULL unless EXPORT_TIMES */
	const struct mark_log *marks; /* NULL unless EXPORT_MARKS */
	/* with EXPORT_SUMS, the stacks of samples; NULL: the samples of the profile have stacks */
	const struct sample_sums *sums;
	struct view_input view; /* profile, frames, selection and facts */
	uint32_t event;         /* with EXPORT_ONE_EVENT; PROFILE_NONE if none has samples */
};

struct export_format {
	const char *name;     /* as in --format */
	const char *help;     /* a few words */
	const char *file;     /* the default output */
	const char *suffixes; /* suffixes of files in this format, separated by blanks: ".csv"; NULL: none */
	unsigned int traits;  /* a set of enum export_trait */

	/* Appends everything to out->text and calls export_out_flow() now and then. */
	void (*write)(const struct export_input *input, struct export_out *out);
	/* Replaces `write`: reads options->input and does all but opening and closing the output. Returns 0, or -1 with err. */
	int (*run)(const struct export_options *options, struct export_out *out, struct error *err);
};

extern const struct export_format export_pprof, export_firefox, export_otlp, export_speedscope, export_chrome,
	export_callgrind, export_perf_script, export_collapsed, export_csv;
/* For compilers: see report/export_code. */
extern const struct export_format export_autofdo, export_llvm_sample, export_profgen, export_profgen_raw,
	export_bolt, export_bolt_preagg;

#endif
