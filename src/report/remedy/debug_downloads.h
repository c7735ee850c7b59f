#ifndef XPROF_REPORT_REMEDY_DEBUG_DOWNLOADS_H
#define XPROF_REPORT_REMEDY_DEBUG_DOWNLOADS_H

/*
 * Downloads from debuginfod servers, as the user wants them: nothing leaves this machine unless it was asked
 * for by --debuginfod=on, or allowed by answering a question on the terminal. Each failure is one line, and
 * the report continues with the files there are.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/remedy/download_plan.h"
#include "symbol/debuginfod.h"

enum debuginfod_mode {
	DEBUGINFOD_ASK, /* once, where there is somebody to be asked; files in the cache are used */
	DEBUGINFOD_ON,
	DEBUGINFOD_OFF, /* not even what is in the cache */
};

/* "ask", "on", "off": the choices of --debuginfod, in the order of enum debuginfod_mode. */
extern const char *const debuginfod_mode_names[];

struct debug_downloads;

struct debug_downloads_options {
	enum debuginfod_mode mode;
	uint64_t limit_bytes; /* of all files together */
	bool quiet;           /* only what went wrong is said */
	bool lines;           /* source lines are shown: they are reason enough to ask */
	bool inlines;   /* inlined functions are: no reason to ask, but with DEBUGINFOD_ON to download */
	FILE *messages; /* NULL: standard error */
	/* Asks for yes or no; NULL: on the terminal, and if there is none the answer is no. */
	bool (*ask)(const char *question, void *context);
	void *ask_context;
	const struct debuginfod_library *client_functions; /* NULL: libdebuginfod.so.1, loaded when needed */
};

/* Never NULL. Does nothing yet. */
struct debug_downloads *debug_downloads_create(const struct debug_downloads_options *options);
void debug_downloads_destroy(struct debug_downloads *downloads);

/* For struct debug_file_search; NULL: it is not to be used. Lives as long as `downloads`. */
const char *debug_downloads_cache(const struct debug_downloads *downloads);

/*
 * May there be anything to download? If false, debug_downloads_run() does nothing, so no profile need be
 * loaded for it.
 */
bool debug_downloads_are_possible(const struct debug_downloads *downloads);

/*
 * Downloads what `loaded` lacks, hottest first. True when there are new files in the cache: the profile has
 * to be loaded again to make use of them. A user who said no is not asked again.
 */
bool debug_downloads_run(struct debug_downloads *downloads, const struct loaded_profile *loaded,
			 const struct debug_file_search *search);

/* There will be none, and who has asked for them (DEBUGINFOD_ON) is told why, once. */
void debug_downloads_decline(struct debug_downloads *downloads, const char *why);

/* Have servers been asked for the missing files? If so, advice need not name them. */
bool debug_downloads_have_asked(const struct debug_downloads *downloads);

/* Files that were downloaded so far. */
size_t debug_downloads_file_count(const struct debug_downloads *downloads);

#endif
