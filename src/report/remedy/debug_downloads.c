/*
 * debug_downloads_run() is the order of work: plan, decide (is_wanted()), download. `refused` remembers that the user said no or
 * that an error was shown, so that later runs do nothing. SIGINT is blocked during downloads and checked between pieces: Ctrl-C
 * ends them, not the report.
 */
#include "report/remedy/debug_downloads.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cli/progress.h"
#include "symbol/dwarf/dwarf_file.h"
#include "text/safe_text.h"

/* Least shares of all samples without names: to ask the user, and to ask a server. */
static const double asked_percent = 0.5, downloaded_percent = 0.1;

enum {
	MAX_FAILURES = 3, /* in a row, before the other files are given up, too */
	NAMES_IN_QUESTION = 3,
	REMEMBERED_S = 24 * 60 * 60, /* how long not to ask the user again for what no server had */
};

const char *const debuginfod_mode_names[] = { "ask", "on", "off", NULL };

struct debug_downloads {
	struct debug_downloads_options options;
	char *cache;
	bool refused; /* by the user, or after an error that was shown */
	struct debuginfod_library library;
	bool library_loaded;
	bool asked_servers;
	size_t file_count; /* of all runs */
	uint64_t received_bytes;
};

struct debug_downloads *debug_downloads_create(const struct debug_downloads_options *options)
{
	struct debug_downloads *downloads = xcalloc(1, sizeof(*downloads));

	downloads->options = *options;
	if (!options->messages)
		downloads->options.messages = stderr;
	if (options->mode != DEBUGINFOD_OFF)
		downloads->cache = debuginfod_cache_directory();
	if (options->client_functions) {
		downloads->library = *options->client_functions;
		downloads->library_loaded = true;
	}
	return downloads;
}

void debug_downloads_destroy(struct debug_downloads *downloads)
{
	if (!downloads)
		return;
	free(downloads->cache);
	free(downloads);
}

const char *debug_downloads_cache(const struct debug_downloads *downloads)
{
	return downloads->cache;
}

bool debug_downloads_have_asked(const struct debug_downloads *downloads)
{
	return downloads->asked_servers;
}

size_t debug_downloads_file_count(const struct debug_downloads *downloads)
{
	return downloads->file_count;
}

/* --- whether to download ------------------------------------------------------------------------------------- */

/* Can a user answer? Only if all three are a terminal, so scripts and pipes never wait, and not for a background job. */
static bool is_somebody_there(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO) &&
	       tcgetpgrp(STDIN_FILENO) == getpgrp();
}

bool debug_downloads_are_possible(const struct debug_downloads *downloads)
{
	if (downloads->refused || downloads->options.mode == DEBUGINFOD_OFF)
		return false;
	if (downloads->options.mode == DEBUGINFOD_ON)
		return true;
	return debuginfod_has_servers() && (downloads->options.ask || is_somebody_there());
}

/* True only if the user says yes; no answer means no. */
static bool ask_on_terminal(const char *question)
{
	FILE *terminal = fopen("/dev/tty", "r+e");
	char answer[64] = "";
	bool yes = false;

	if (!terminal)
		return false;
	fprintf(terminal, "%s [y/N] ", question);
	fflush(terminal);
	if (fgets(answer, sizeof(answer), terminal))
		yes = answer[0] == 'y' || answer[0] == 'Y';
	fclose(terminal);
	return yes;
}

static void add_name(struct strbuf *out, const struct dso *dso)
{
	safe_text_add(out, dso->name);
}

static bool ask(const struct debug_downloads *downloads, const struct download_plan *plan, uint64_t samples)
{
	const struct debug_downloads_options *options = &downloads->options;
	char limit[PROGRESS_TEXT_SIZE];
	struct strbuf question = STRBUF_INIT;
	bool yes;

	strbuf_addf(&question, "xprof: %zu file%s debug information that is missing here:", plan->count,
		    plan->count == 1 ? " has" : "s have");
	for (size_t i = 0; i < plan->count && i < NAMES_IN_QUESTION; i++) {
		strbuf_adds(&question, i ? ", " : " ");
		add_name(&question, plan->wishes[i].dso);
		strbuf_addf(&question, " (%.1f%% of samples)",
			    100.0 * (double)plan->wishes[i].samples / (double)(samples ? samples : 1));
	}
	strbuf_addf(&question,
		    "%s\nDownload it from the servers in DEBUGINFOD_URLS, at most %s, hottest first? "
		    "(--debuginfod=on or off: no question)",
		    plan->count > NAMES_IN_QUESTION ? ", ..." : "",
		    progress_format_size(limit, options->limit_bytes));
	yes = options->ask ? options->ask(question.bytes, options->ask_context) :
			     ask_on_terminal(question.bytes);
	strbuf_fini(&question);
	return yes;
}

/* A client remembers with an empty file that no server had the debug file. */
static bool is_known_absent(const struct debug_downloads *downloads, const struct download_wish *wish)
{
	char hex[BUILD_ID_HEX_SIZE], *path;
	struct stat st;
	bool absent;

	if (!downloads->cache)
		return false;
	path = xasprintf("%s/%s/%s", downloads->cache, build_id_hex(&wish->dso->build_id, hex),
			 wish->debuginfo ? "debuginfo" : "executable");
	absent = stat(path, &st) == 0 && st.st_size == 0 && time(NULL) - st.st_mtime < REMEMBERED_S;
	free(path);
	return absent;
}

static void drop_known_absent(const struct debug_downloads *downloads, struct download_plan *plan)
{
	size_t kept = 0;

	for (size_t i = 0; i < plan->count; i++)
		if (!is_known_absent(downloads, &plan->wishes[i]))
			plan->wishes[kept++] = plan->wishes[i];
	plan->count = kept;
}

/* --- one run ---------------------------------------------------------------------------------------------- */

struct run {
	struct debug_downloads *downloads;
	const struct debug_file_search *search;
	struct debuginfod *debuginfod;
	struct progress progress;
	const struct download_plan *plan;
	size_t number;         /* of the wish, from 0 */
	uint64_t bytes_before; /* of earlier runs */
	size_t file_count, absent_count, failures;
	bool stopped;
};

static void say(const struct run *run, const struct dso *dso, const char *text)
{
	struct strbuf line = STRBUF_INIT;

	if (dso)
		add_name(&line, dso);
	fprintf(run->downloads->options.messages, "xprof: debuginfod: %s%s%s\n", dso ? line.bytes : "",
		dso ? ": " : "", text);
	strbuf_fini(&line);
}

/* Ctrl-C is blocked while files are downloaded, and checked here: it ends the downloads, not the report. */
static bool is_interrupted(void)
{
	const struct timespec at_once = { 0 };
	sigset_t interrupt;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	return sigtimedwait(&interrupt, NULL, &at_once) == SIGINT;
}

static bool show_progress(uint64_t received_bytes, uint64_t total_bytes, void *context)
{
	struct run *run = context;
	const char *name = run->plan->wishes[run->number].dso->name;
	char received[PROGRESS_TEXT_SIZE], total[PROGRESS_TEXT_SIZE];

	if (is_interrupted()) {
		run->stopped = true;
		return false;
	}
	if (!progress_due(&run->progress))
		return true;
	progress_format_size(received, received_bytes);
	progress_format_size(total, total_bytes);
	progress_draw(&run->progress, "downloading %zu of %zu: %s%s%s%s%s (Ctrl-C: go on without)",
		      run->number + 1, run->plan->count, name, received_bytes ? ", " : "",
		      received_bytes ? received : "", total_bytes ? " of " : "", total_bytes ? total : "");
	return true;
}

/* The size limit for one more file; 0: the limit is used up. */
static uint64_t allowed_bytes(const struct run *run)
{
	const uint64_t limit = run->downloads->options.limit_bytes, of_one = debuginfod_max_size_bytes();
	const uint64_t left =
		limit > run->downloads->received_bytes ? limit - run->downloads->received_bytes : 0;

	return of_one && of_one < left ? of_one : left;
}

/* `size_bytes` is 0 if no server has said it. */
static void say_too_large(const struct run *run, const struct dso *dso, uint64_t size_bytes)
{
	const uint64_t allowed = allowed_bytes(run), of_one = debuginfod_max_size_bytes();
	char size[PROGRESS_TEXT_SIZE], allowed_text[PROGRESS_TEXT_SIZE], line[256];

	snprintf(line, sizeof(line), "not downloaded: it has %s%smore than the %s that %s",
		 size_bytes ? progress_format_size(size, size_bytes) : "", size_bytes ? ", " : "",
		 progress_format_size(allowed_text, allowed),
		 of_one && of_one == allowed ? "DEBUGINFOD_MAXSIZE allows" : "--debuginfod-limit leaves");
	say(run, dso, line);
}

/* True: go on with the next file. */
static bool take_status(struct run *run, const struct dso *dso, enum debuginfod_status status,
			const struct debuginfod_file *file, const struct error *why)
{
	run->failures = status == DEBUGINFOD_FAILED ? run->failures + 1 : 0;
	switch (status) {
	case DEBUGINFOD_FOUND:
		run->file_count++;
		run->downloads->received_bytes += file->downloaded ? file->size_bytes : 0;
		return true;
	case DEBUGINFOD_ABSENT: run->absent_count++; return true;
	case DEBUGINFOD_WRONG:
		run->downloads->received_bytes += file->downloaded ? file->size_bytes : 0;
		say(run, dso, why->message);
		return true;
	case DEBUGINFOD_TOO_LARGE: say_too_large(run, dso, file->size_bytes); return true;
	case DEBUGINFOD_FAILED:
		say(run, dso, why->message);
		if (run->failures < MAX_FAILURES)
			return true;
		say(run, NULL, "the servers in DEBUGINFOD_URLS cannot be reached: going on without");
		break;
	case DEBUGINFOD_SILENT:
		say(run, dso, why->message);
		say(run, NULL, "going on without");
		break;
	case DEBUGINFOD_STOPPED: say(run, NULL, "stopped: going on with what is there"); break;
	}
	run->stopped = true;
	return false;
}

/* Returns the opened file. NULL if it was not found; run->stopped then says whether to go on. */
static struct elf_file *fetch(struct run *run, const struct dso *dso, enum debuginfod_kind kind,
			      const struct build_id *id)
{
	struct debuginfod_request request = { .kind = kind,
					      .build_id = *id,
					      .max_size_bytes = allowed_bytes(run),
					      .progress = show_progress,
					      .context = run };
	struct debuginfod_file found = { 0 };
	enum debuginfod_status status;
	struct elf_file *file = NULL;
	struct error why;

	if (!request.max_size_bytes) {
		say_too_large(run, dso, 0);
		return NULL;
	}
	status = debuginfod_fetch(run->debuginfod, &request, &found, &why);
	progress_erase(&run->progress);
	if (take_status(run, dso, status, &found, &why) && found.path)
		file = elf_file_open(found.path, NULL);
	free(found.path);
	return file;
}

static bool has_section(struct elf_file *file, const char *name)
{
	struct elf_section section;

	return elf_file_section(file, name, &section, NULL) == 1;
}

/* The parts that dwz moved out of a debug file are a separate file. */
static void fetch_alternate(struct run *run, const struct dso *dso, struct elf_file *debug)
{
	struct build_id id;

	if (dwarf_file_lacks_alternate(debug, run->search, &id, NULL) == 1)
		elf_file_close(fetch(run, dso, DEBUGINFOD_DEBUGINFO, &id));
}

static void fetch_wish(struct run *run, const struct download_wish *wish)
{
	struct elf_file *file = NULL;
	bool complete = false;

	if (wish->executable)
		file = fetch(run, wish->dso, DEBUGINFOD_EXECUTABLE, &wish->dso->build_id);
	if (file)
		complete = has_section(file, ".symtab") && has_section(file, ".debug_info");
	elf_file_close(file);
	if (run->stopped || !wish->debuginfo || complete)
		return;
	file = fetch(run, wish->dso, DEBUGINFOD_DEBUGINFO, &wish->dso->build_id);
	if (file)
		fetch_alternate(run, wish->dso, file);
	elf_file_close(file);
}

static void say_result(const struct run *run)
{
	char size[PROGRESS_TEXT_SIZE], line[160];

	if (run->downloads->options.quiet)
		return;
	if (run->file_count) {
		snprintf(line, sizeof(line), "%zu file%s, %s downloaded", run->file_count,
			 run->file_count == 1 ? "" : "s",
			 progress_format_size(size, run->downloads->received_bytes - run->bytes_before));
		say(run, NULL, line);
	}
	if (run->absent_count) {
		snprintf(line, sizeof(line), "no server has %zu of the requested files", run->absent_count);
		say(run, NULL, line);
	}
}

static bool fetch_all(struct run *run)
{
	sigset_t interrupt, before;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	pthread_sigmask(SIG_BLOCK, &interrupt, &before);
	for (run->number = 0; run->number < run->plan->count && !run->stopped; run->number++)
		fetch_wish(run, &run->plan->wishes[run->number]);
	if (is_interrupted())
		run->stopped = true;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	say_result(run);
	return run->file_count > 0;
}

static void refuse(struct debug_downloads *downloads, const char *why)
{
	const struct run nothing = { .downloads = downloads };

	say(&nothing, NULL, why);
	downloads->refused = true;
}

static bool load_library(struct debug_downloads *downloads)
{
	struct error err;

	if (!downloads->library_loaded && debuginfod_library_load(&downloads->library, &err) < 0) {
		refuse(downloads, err.message);
		return false;
	}
	downloads->library_loaded = true;
	return true;
}

static bool start_and_fetch(struct debug_downloads *downloads, const struct download_plan *plan,
			    const struct debug_file_search *search)
{
	struct run run = { .downloads = downloads,
			   .search = search,
			   .plan = plan,
			   .bytes_before = downloads->received_bytes };
	struct error err;
	bool found;

	run.debuginfod = debuginfod_create(&downloads->library, &err);
	if (!run.debuginfod) {
		refuse(downloads, err.message);
		return false;
	}
	progress_init(&run.progress, STDERR_FILENO, downloads->options.quiet);
	downloads->asked_servers = true;
	found = fetch_all(&run);
	downloads->file_count += run.file_count;
	downloads->refused = run.stopped;
	debuginfod_destroy(run.debuginfod);
	return found;
}

/* Loads the library before asking the user, so that a yes can be kept. */
static bool is_wanted(struct debug_downloads *downloads, struct download_plan *plan, uint64_t samples)
{
	if (downloads->options.mode == DEBUGINFOD_ASK)
		drop_known_absent(downloads, plan);
	if (plan->count == 0)
		return false;
	if (!debuginfod_has_servers()) {
		refuse(downloads,
		       "DEBUGINFOD_URLS names no server: set it to your distribution's server (see its "
		       "documentation)");
		return false;
	}
	if (!load_library(downloads))
		return false;
	if (downloads->options.mode == DEBUGINFOD_ASK && !ask(downloads, plan, samples)) {
		downloads->refused = true;
		return false;
	}
	downloads->options.mode = DEBUGINFOD_ON; /* ask only once */
	return true;
}

void debug_downloads_decline(struct debug_downloads *downloads, const char *why)
{
	if (downloads->options.mode == DEBUGINFOD_ON && !downloads->refused)
		refuse(downloads, why);
}

bool debug_downloads_run(struct debug_downloads *downloads, const struct loaded_profile *loaded,
			 const struct debug_file_search *search)
{
	const struct debug_downloads_options *options = &downloads->options;
	const bool asks = options->mode == DEBUGINFOD_ASK;
	struct download_plan plan;
	bool found = false;

	if (!debug_downloads_are_possible(downloads))
		return false;
	download_plan_make(&plan, loaded, search, asks ? asked_percent : downloaded_percent,
			   options->lines || (options->inlines && !asks));
	if (is_wanted(downloads, &plan, loaded->facts.samples))
		found = start_and_fetch(downloads, &plan, search);
	download_plan_fini(&plan);
	return found;
}
