/*
 * Start at recording_input_open(): it opens the file, which may be another tool's (report/import), resolves
 * --time, loads the profile and downloads missing debug files. If any were downloaded, it loads everything a
 * second time, because executables change how stacks are unwound. Warnings about filters that match nothing
 * come last.
 */
#include "report/view/recording_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/progress.h"
#include "report/import/import_file.h"
#include "report/load/sample_times.h"
#include "report/view/empty_choice.h"
#include "report/waits/sample_wait.h"

static void show_progress(unsigned int percent, uint64_t samples, void *context)
{
	struct progress *progress = context;
	char count[PROGRESS_TEXT_SIZE];

	if (!progress_due(progress))
		return;
	progress_format_count(count, samples);
	if (percent)
		progress_draw(progress, "reading: %u%%, %s samples", percent, count);
	else
		progress_draw(progress, "reading: %s samples", count);
}

/* The waits that samples are restricted to; NULL: samples of no wait are kept, too. */
static const struct wait_choice *chosen_waits(const struct recording_request *request)
{
	if (request->choice && wait_choice_is_made(&request->choice->waits))
		return &request->choice->waits;
	if (request->load.wait_times)
		return &wait_choice_off_cpu;
	return request->load.stacks.wakers && !(request->choice && request->choice->wall) ?
		       &wait_choice_off_cpu :
		       NULL;
}

/* The option that needs time off the CPU; NULL if none does. */
static const char *waits_option(const struct recording_request *request)
{
	return request->load.wait_times    ? "--histogram" :
	       request->load.stacks.wakers ? "--wakers" :
	       chosen_waits(request)       ? "--wait" :
					     NULL;
}

static int load(struct recording_input *input, const struct recording_request *request, struct error *err)
{
	struct load_options options = request->load;
	struct progress progress;
	int status;

	options.symbols.archive = input->recording.archive;
	options.waits = chosen_waits(request);
	if (input->times.count) {
		options.keep_sample = time_ranges_keep;
		options.keep_context = &input->times;
	}
	progress_init(&progress, STDERR_FILENO, request->quiet);
	options.progress = show_progress;
	options.progress_context = &progress;
	status = profile_load(input->recording.file, &options, &input->loaded, err);
	input->loaded.servers_asked = request->downloads && debug_downloads_have_asked(request->downloads);
	progress_erase(&progress);
	return status;
}

static bool is_pipe(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static void decline(struct debug_downloads *downloads)
{
	debug_downloads_decline(
		downloads, "nothing is downloaded for a recording from a pipe, because xprof learns only at "
			   "its end what is missing; save it as a file");
}

/* True if it found files without which the profile was loaded. */
static bool download(struct recording_input *input, const struct recording_request *request)
{
	const struct debug_file_search search = symbolizer_options_search(&request->load.symbols);
	bool found;

	if (!request->downloads || input->recording.archive)
		return false;
	if (is_pipe(request->path)) {
		decline(request->downloads);
		return false;
	}
	found = debug_downloads_run(request->downloads, &input->loaded, &search);
	input->loaded.servers_asked = debug_downloads_have_asked(request->downloads);
	return found;
}

/* Executables change how stacks are unwound, so reads everything again. */
static int load_again(struct recording_input *input, const struct recording_request *request,
		      struct error *err)
{
	loaded_profile_fini(&input->loaded);
	recording_file_close(&input->recording);
	if (request->load.timeline)
		timeline_clear(request->load.timeline);
	if (request->load.log)
		sample_log_clear(request->load.log);
	if (request->load.sums)
		sample_sums_clear(request->load.sums);
	if (request->load.wait_times)
		wait_times_clear(request->load.wait_times);
	if (request->load.marks)
		mark_log_clear(request->load.marks);
	if (request->load.keys)
		sample_keys_clear(request->load.keys);
	if (request->load.thread_counts)
		thread_counts_clear(request->load.thread_counts);
	if (request->load.observer)
		request->load.observer->restart(request->load.observer->context);
	if (recording_file_open(&input->recording, request->path, err))
		return -1;
	return load(input, request, err);
}

/* --time dropped samples before they were counted: reads the file once more to say when they were taken. */
static void warn_of_time(const struct recording_input *input, const char *time)
{
	struct sample_times bounds = { 0, 0 };

	if (sample_times_find(input->recording.file, &bounds, NULL) || !bounds.last_ns)
		return;
	fprintf(stderr,
		"xprof: %s: --time: no sample is in '%s'; they are from %" PRIu64 ".%06" PRIu64 " to %" PRIu64
		".%06" PRIu64 "\n",
		input->loaded.facts.path, time, bounds.first_ns / 1000000000,
		bounds.first_ns / 1000 % 1000000, bounds.last_ns / 1000000000,
		bounds.last_ns / 1000 % 1000000);
}

static void warn_of_waits(const struct recording_input *input, const char *option)
{
	fprintf(stderr,
		"xprof: %s: %s: no sample is such a wait; 'xprof report -s state,wait' lists the recorded "
		"ones\n",
		input->loaded.facts.path, option);
}

/* Says on standard error if request->choice or request->time leaves no sample, and which filter is to blame. */
static void warn_of_choice(const struct recording_input *input, const struct recording_request *request)
{
	struct strbuf text = STRBUF_INIT;

	if (chosen_waits(request) && input->loaded.facts.samples == 0)
		warn_of_waits(input, waits_option(request));
	else if (request->time && input->loaded.facts.samples == 0 && input->recording.file)
		warn_of_time(input, request->time);
	if (!request->choice)
		return;
	if (empty_choice_explain(&text, input->loaded.profile, request->choice))
		fprintf(stderr, "xprof: %s: %s\n", input->loaded.facts.path, text.bytes);
	strbuf_fini(&text);
}

/* Is there time off the CPU for --wait or --wakers? */
static int check_waits(const struct recording_input *input, const struct recording_request *request,
		       struct error *err)
{
	const struct profile *profile = input->loaded.profile;

	if (!waits_option(request))
		return 0;
	for (uint32_t event = 0; event < profile_event_count(profile); event++)
		if (sample_wait_is_event(profile_text(profile, profile_event_at(profile, event)->name)))
			return 0;
	return error_set(err, "%s: %s: time off the CPU was not recorded: use 'xprof record --off-cpu'",
			 request->path, waits_option(request));
}

static int load_import(struct recording_input *input, const struct recording_request *request,
		       struct import_file *file, struct error *err)
{
	const struct import_request wanted = { .time = request->time,
					       .times = &input->times,
					       .timeline = request->load.timeline,
					       .log = request->load.log };
	int status = waits_option(request) ?
			     error_set(err, "%s: %s: profiles of other tools do not say how threads waited",
				       request->path, waits_option(request)) :
			     import_file_load(file, &wanted, &input->loaded, err);

	import_file_close(file);
	if (status == 0 && !request->quiet)
		warn_of_choice(input, request);
	return status;
}

int recording_input_open(struct recording_input *input, const struct recording_request *request,
			 struct error *err)
{
	struct import_file file;

	memset(input, 0, sizeof(*input));
	switch (import_file_open(&file, request->path, err)) {
	case IMPORT_FAILED: return -1;
	case IMPORT_FOUND: return load_import(input, request, &file, err);
	case IMPORT_NONE_FOUND: break;
	}
	if (recording_file_open(&input->recording, request->path, err))
		return -1;
	if (sample_times_ranges(input->recording.file, request->time, &input->times, err) ||
	    load(input, request, err) || (download(input, request) && load_again(input, request, err))) {
		recording_file_close(&input->recording);
		return -1;
	}
	if (check_waits(input, request, err)) {
		recording_input_close(input);
		return -1;
	}
	if (!request->quiet)
		warn_of_choice(input, request);
	return 0;
}

void recording_input_download(const struct recording_request *request)
{
	struct recording_input input = { .loaded = { NULL } };

	if (is_pipe(request->path))
		decline(request->downloads);
	if (!debug_downloads_are_possible(request->downloads))
		return;
	if (recording_file_open(&input.recording, request->path, NULL))
		return;
	if (!input.recording.archive && load(&input, request, NULL) == 0) {
		(void)download(&input, request);
		loaded_profile_fini(&input.loaded);
	}
	recording_file_close(&input.recording);
}

void recording_input_close(struct recording_input *input)
{
	loaded_profile_fini(&input->loaded);
	recording_file_close(&input->recording);
}

void recording_input_leave(struct recording_input *input)
{
	loaded_profile_leave(&input->loaded);
	recording_file_close(&input->recording);
}
