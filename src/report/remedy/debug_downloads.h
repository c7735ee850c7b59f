#ifndef XPROF_REPORT_REMEDY_DEBUG_DOWNLOADS_H
#define XPROF_REPORT_REMEDY_DEBUG_DOWNLOADS_H

/*
 * Downloads debug files from debuginfod servers. Nothing leaves this machine unless the user gave
 * --debuginfod=on or agreed to a question on the terminal. An error is one line of text; the report then
 * continues with the files that are there.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/remedy/download_plan.h"
#include "symbol/debuginfod.h"

enum debuginfod_mode {
	DEBUGINFOD_ASK, /* ask once if there is a terminal; use files in the cache */
	DEBUGINFOD_ON,
	DEBUGINFOD_OFF, /* do not even use the cache */
};

/* "ask", "on", "off": the choices of --debuginfod, in the order of enum debuginfod_mode. */
extern const char *const debuginfod_mode_names[];

struct debug_downloads;

struct debug_downloads_options {
	enum debuginfod_mode mode;
	uint64_t limit_bytes; /* limit of all files together */
	bool quiet;           /* print only errors */
	bool lines;           /* source lines are shown, so ask for files that lack only these */
	/* inlined functions are shown: with DEBUGINFOD_ON, download for these, too; do not ask */
	bool inlines;
	FILE *messages; /* NULL: standard error */
	/* Asks the user a yes-or-no question. NULL: asks on the terminal; without one the answer is no. */
	bool (*ask)(const char *question, void *context);
	void *ask_context;
	const struct debuginfod_library *client_functions; /* NULL: libdebuginfod.so.1, loaded when needed */
};

/* Never NULL. Does not connect to anything yet. */
struct debug_downloads *debug_downloads_create(const struct debug_downloads_options *options);
void debug_downloads_destroy(struct debug_downloads *downloads);

/* The cache directory, for struct debug_file_search; NULL: do not use it. Valid as long as `downloads`. */
const char *debug_downloads_cache(const struct debug_downloads *downloads);

/*
 * Are downloads possible at all? If not, debug_downloads_run() does nothing, so no profile has to be loaded
 * for it.
 */
bool debug_downloads_are_possible(const struct debug_downloads *downloads);

/*
 * Downloads the files that `loaded` lacks, hottest first. Returns true if there are new files in the cache:
 * load the profile again to use them. A user who said no is not asked again.
 */
bool debug_downloads_run(struct debug_downloads *downloads, const struct loaded_profile *loaded,
			 const struct debug_file_search *search);

/* Gives up downloads. With DEBUGINFOD_ON the user is told once, with `why`. */
void debug_downloads_decline(struct debug_downloads *downloads, const char *why);

/* Have servers been asked for the missing files? If so, advice need not mention servers. */
bool debug_downloads_have_asked(const struct debug_downloads *downloads);

/* The number of files downloaded so far. */
size_t debug_downloads_file_count(const struct debug_downloads *downloads);

#endif
