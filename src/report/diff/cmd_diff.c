/*
 * run_diff() compares two sides (compare_files()) or two ways of unwinding one file (compare_ways()). Either fills one
 * buffer, which the pager shows. If debug files were downloaded while loading, both sides are loaded once more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/pager.h"
#include "cli/terminal.h"
#include "report/diff/diff_drawing.h"
#include "report/diff/diff_names.h"
#include "report/diff/view_ways.h"
#include "report/names/profile_namer.h"
#include "text/safe_text.h"

enum { WAYS_ROWS = 12, FALLBACK_COLUMNS = 80 };

/* State of both kinds of comparison. */
struct comparing {
	struct diff_options *options; /* gets the pairs of names that are found */
	struct debug_downloads *downloads;
	unsigned keys;
	struct diff_recordings sides[COMPARE_SIDES];
	struct strbuf out;
};

/* --- which files, which part of them ------------------------------------------- */

/* As perf diff: without names compares perf.data.old with perf.data, with one name perf.data.old with that file. */
static void choose_paths(struct comparing *comparing, int operand_count, char **operands)
{
	diff_recordings_add(&comparing->sides[COMPARE_BEFORE],
			    operand_count > 1 ? operands[0] : "perf.data.old");
	diff_recordings_add(&comparing->sides[COMPARE_AFTER],
			    operand_count ? operands[operand_count - 1] : "perf.data");
}

/* The side's part of "OLD:NEW", or the text if it is for both sides. The caller frees it. */
static char *time_of(const struct diff_options *options, int side)
{
	const char *colon = options->samples.time ? strchr(options->samples.time, ':') : NULL;

	if (!options->samples.time)
		return NULL;
	if (!colon)
		return xstrdup(options->samples.time);
	return side == COMPARE_AFTER ?
		       xstrdup(colon + 1) :
		       xasprintf("%.*s", (int)(colon - options->samples.time), options->samples.time);
}

static unsigned int detail_of(const struct diff_options *options)
{
	return options->symbols.inlines ? NAMING_INLINES : 0;
}

static int open_side(struct comparing *comparing, int side,
		     int (*open)(struct diff_recordings *, const struct recording_request *, struct error *),
		     struct error *err)
{
	const struct diff_options *options = comparing->options;
	char *time = time_of(options, side);
	struct recording_request request = {
		.time = time && *time ? time : NULL,
		.choice = &options->samples,
		.load.stacks = options->stacks,
		.quiet = options->quiet,
		.load.symbols = symbol_options_symbolizer(&options->symbols, comparing->downloads),
		.downloads = comparing->downloads,
		.load.detail = detail_of(options),
	};
	int status = open(&comparing->sides[side], &request, err);

	free(time);
	return status;
}

/*
 * If debug files were downloaded for one recording, names all of them with these: otherwise functions would seem to have changed.
 */
static int open_sides(struct comparing *comparing, struct error *err)
{
	if (open_side(comparing, COMPARE_BEFORE, diff_recordings_open, err) ||
	    open_side(comparing, COMPARE_AFTER, diff_recordings_open, err))
		return -1;
	if (debug_downloads_file_count(comparing->downloads) == 0)
		return 0;
	if (open_side(comparing, COMPARE_BEFORE, diff_recordings_open_again, err))
		return -1;
	return open_side(comparing, COMPARE_AFTER, diff_recordings_open_again, err);
}

/* --- the views ----------------------------------------------------------------- */

/* Does not check whether it was written: the program does so at its end, for every command. */
static void show(const struct comparing *comparing)
{
	struct pager *pager = pager_start(comparing->options->pager);

	fwrite(comparing->out.bytes, 1, comparing->out.size, stdout);
	pager_finish(pager);
}

static void say_which_event(const struct comparing *comparing, const struct diff_events *events)
{
	const struct profile *profile = diff_recordings_profile(&comparing->sides[COMPARE_BEFORE]);
	const uint32_t event = events->pairs[0].event[COMPARE_BEFORE];

	struct strbuf name = STRBUF_INIT;

	safe_text_add(&name, profile_text(profile, profile_event_at(profile, event)->name));
	fprintf(stderr, "xprof: these are the stacks of %s, one of %zu events: --event names another\n",
		name.bytes, events->count);
	strbuf_fini(&name);
}

static int draw(struct comparing *comparing, struct error *err)
{
	const struct diff_options *options = comparing->options;
	const bool terminal = isatty(STDOUT_FILENO);
	struct diff_events events;
	struct diff_drawing drawing = {
		.options = options,
		.keys = comparing->keys,
		.sides = comparing->sides,
		.events = &events,
		.filter = sample_choice_filter(&options->samples),
		.children = options->children &&
			    diff_recordings_have_callchains(&comparing->sides[COMPARE_BEFORE]) &&
			    diff_recordings_have_callchains(&comparing->sides[COMPARE_AFTER]),
		.terminal = terminal,
		.canvas = { .color = color_init(options->color, stdout),
			    .columns = terminal ? terminal_columns(STDOUT_FILENO, FALLBACK_COLUMNS) : 0 },
	};
	int status;

	if (diff_events_choose(&events, comparing->sides, options->samples.event, err))
		return -1;
	if (options->folded && events.count > 1 && !options->quiet)
		say_which_event(comparing, &events);
	status = diff_drawing_add(&comparing->out, &drawing, err);
	diff_events_fini(&events);
	return status;
}

static int pair_and_draw(struct comparing *comparing, struct error *err)
{
	diff_names_pair(&comparing->options->pairs, comparing->sides);
	diff_recordings_match_builds(comparing->sides, &comparing->options->pairs);
	return draw(comparing, err);
}

static int compare_files(struct comparing *comparing, int operand_count, char **operands, struct error *err)
{
	int status = CLI_FAILED;

	choose_paths(comparing, operand_count, operands);
	if (comparing->options->folded &&
	    (comparing->sides[COMPARE_BEFORE].count > 1 || comparing->sides[COMPARE_AFTER].count > 1))
		status = cli_usage_error(err, "--folded compares one recording with one");
	else if (open_sides(comparing, err) == 0 && pair_and_draw(comparing, err) == 0) {
		show(comparing);
		status = 0;
	}
	diff_recordings_close(&comparing->sides[COMPARE_AFTER]);
	diff_recordings_close(&comparing->sides[COMPARE_BEFORE]);
	return status;
}

static int draw_ways(struct comparing *comparing, const struct unwind_ways *ways,
		     const struct recording_input *input, const char *path, struct error *err)
{
	const struct diff_options *options = comparing->options;
	const struct ways_view_options view = {
		.ways = ways,
		.names = { input->loaded.processes, input->loaded.symbolizer },
		.path = path,
		.top = options->top_set ? options->top :
		       options->json    ? 0 :
					  WAYS_ROWS,
		.quiet = options->quiet,
	};

	if (!ways->samples)
		return error_set(err,
				 "%s: no sample has registers and a stack dump: record them with "
				 "'xprof record --call-graph dwarf'",
				 path);
	(options->json ? view_ways_render_json : view_ways_render)(&view, &comparing->out);
	return 0;
}

static void see_sample(void *context, const struct observed_sample *observed)
{
	unwind_ways_add(context, observed->sample, observed->time_ns,
			&(struct ways_source){ observed->processes, observed->unwinder,
					       unwind_ways_is_by_xprof(observed->features) });
}

static void forget_samples(void *context)
{
	unwind_ways_fini(context);
	unwind_ways_init(context);
}

/* Compares two ways of unwinding one file. The profile itself is not used, so its stacks are loaded as recorded. */
static int compare_ways(struct comparing *comparing, const char *path, struct error *err)
{
	const struct diff_options *options = comparing->options;
	struct unwind_ways ways;
	const struct sample_observer observer = { see_sample, forget_samples, &ways };
	struct recording_request request = {
		.path = path,
		.time = options->samples.time,
		.load.stacks = { .unwind = UNWIND_FP, .unwinder = options->stacks.unwinder },
		.load.observer = &observer,
		.quiet = options->quiet,
		.load.symbols = symbol_options_symbolizer(&options->symbols, comparing->downloads),
		.downloads = comparing->downloads,
	};
	struct recording_input input;
	int status = CLI_FAILED;

	unwind_ways_init(&ways);
	if (recording_input_open(&input, &request, err) == 0) {
		if (draw_ways(comparing, &ways, &input, path, err) == 0) {
			show(comparing);
			status = 0;
		}
		recording_input_close(&input);
	}
	unwind_ways_fini(&ways);
	return status;
}

/* --- the command -------------------------------------------------------------- */

static int check_usage(struct comparing *comparing, int operand_count, struct error *err)
{
	const struct diff_options *options = comparing->options;

	if (options->ways && operand_count > 1)
		return cli_usage_error(err, "--unwind compares two ways of unwinding one recording; "
					    "--unwind=auto, fp or dwarf go with two");
	if (options->ways && options->folded)
		return cli_usage_error(err, "--unwind has no folded stacks");
	if (options->json && options->folded)
		return cli_usage_error(err, "--folded and --json are different views: ask for one at a time");
	if (options->separator && strlen(options->separator) != 1 && strcmp(options->separator, "\\t"))
		return cli_usage_error(err, "--field-separator: '%s' is not one character",
				       options->separator);
	if (options->normalize == DIFF_WORK && !options->work_event && !(options->work[COMPARE_BEFORE] > 0))
		return cli_usage_error(
			err, "--normalize=work needs the amount of work: --work OLD:NEW, or --work EVENT");
	return diff_options_keys(options, &comparing->keys, err) ? CLI_USAGE : 0;
}

static int run_diff(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct diff_options *options = parsed;
	struct comparing comparing = { .options = options };
	int status = check_usage(&comparing, operand_count, err);

	if (status == 0 && symbol_options_check(&options->symbols, err))
		status = CLI_FAILED;
	if (status == 0) {
		strbuf_init(&comparing.out);
		comparing.downloads =
			symbol_options_downloads(&options->symbols, detail_of(options), options->quiet);
		status = options->ways ?
				 compare_ways(&comparing, operand_count ? operands[0] : "perf.data", err) :
				 compare_files(&comparing, operand_count, operands, err);
		debug_downloads_destroy(comparing.downloads);
		strbuf_fini(&comparing.out);
	}
	diff_options_fini(options);
	return status;
}

const struct cli_command cmd_diff = {
	.name = "diff",
	.summary = "show what changed between two recordings, and what is only chance",
	.usage = (const char *const[]){ "[OPTIONS] [[OLD] NEW]", "[OPTIONS] OLD,OLD... NEW,NEW...",
					"--unwind [FILE]", NULL },
	.description =
		(const char *const[]){
			"Compares two recordings, function by function: the share of the samples that each "
			"function has in either, the difference, and the interval in which the true "
			"difference lies. Functions whose difference may be chance are left out; --all shows "
			"them. Functions are matched by name, so that two builds can be compared. Functions "
			"without a name are matched by their offset if both recordings have the same "
			"build-id of the file; between different builds offsets mean nothing, so all "
			"functions without a name are one row. Without file names xprof compares "
			"perf.data.old and perf.data.",
			"Lines that begin with \"# beware\" say what makes the comparison unfair: different "
			"events, machines or builds, lost samples, less complete stacks.",
			"One recording of each side cannot show how much runs of the same program differ. By "
			"share, a row is therefore shown if it differs by more than the recordings vary "
			"within themselves. By work, time and sums, rows that differ by more than the "
			"sampling error are shown with \"?\", because runs may differ as much. With several "
			"recordings of each side, separated by commas, a row is shown if it differs by more "
			"than the runs of either side do.",
			"If the recordings have call chains, Children compares each function together with "
			"its callees.",
			"--unwind shows how a recording with stack dumps would look with frame pointers "
			"alone.",
			NULL },
	.options = diff_option_table,
	.options_size = sizeof(struct diff_options),
	.defaults = &diff_option_defaults,
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 2,
	.examples =
		(const struct cli_example[]){
			{ "xprof diff", "What changed since the recording before." },
			{ "xprof diff -g before.data after.data",
			  "The same, with the callers that changed." },
			{ "xprof diff --work 1:1 old.data new.data",
			  "CPU seconds for the same amount of work." },
			{ "xprof diff --work 1:1 old.1,old.2,old.3 new.1,new.2,new.3",
			  "The same with three runs of each, which show how much runs differ." },
			{ "xprof diff --normalize=time -s dso monday.data tuesday.data",
			  "Which libraries took more of each second." },
			{ "xprof diff --folded before.data after.data | flamegraph.pl >diff.svg",
			  "For other tools." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-diff(1)", NULL },
	.run = run_diff,
};
