#include "report/cmd_diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/pager.h"
#include "cli/terminal.h"
#include "report/diff_folded.h"
#include "report/diff_header.h"
#include "report/diff_options.h"
#include "report/diff_recordings.h"
#include "report/event_choice.h"
#include "report/profile_namer.h"
#include "report/recording_input.h"
#include "report/report_options.h"
#include "report/view_diff_json.h"
#include "report/view_folded.h"
#include "report/view_ways.h"

enum { TERMINAL_ROWS = 40, WAYS_ROWS = 12, FALLBACK_COLUMNS = 80 };

/* Two sides of one file or several each, and the views of them. */
struct comparing {
	const struct diff_options *options;
	struct debug_downloads *downloads;
	unsigned keys;
	struct diff_recordings sides[COMPARE_SIDES];
	struct filter filter;
	bool children;
	bool terminal;
	struct canvas canvas;
	struct strbuf out;
	struct json_writer json;
};

/* --- which files, which part of them ------------------------------------------- */

/* As perf diff: without names the file before last against the last, with one that against the file before last. */
static void choose_paths(struct comparing *comparing, int operand_count, char **operands)
{
	diff_recordings_add(&comparing->sides[COMPARE_BEFORE],
			    operand_count > 1 ? operands[0] : "perf.data.old");
	diff_recordings_add(&comparing->sides[COMPARE_AFTER],
			    operand_count ? operands[operand_count - 1] : "perf.data");
}

/* "OLD:NEW", or one for both; the caller frees it. */
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
		.stacks = options->stacks,
		.quiet = options->quiet,
		.symbols = symbol_options_symbolizer(&options->symbols, comparing->downloads),
		.downloads = comparing->downloads,
		.detail = detail_of(options),
	};
	int status = open(&comparing->sides[side], &request, err);

	free(time);
	return status;
}

/* A name that was downloaded for one recording is one for all of them, or functions would seem to have changed. */
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

static const struct profile *profile_of(const struct comparing *comparing, int side)
{
	return diff_recordings_profile(&comparing->sides[side]);
}

static const struct profile_event *event_at(const struct comparing *comparing, int side, uint32_t event)
{
	return profile_event_at(profile_of(comparing, side), event);
}

/* --- events ------------------------------------------------------------------- */

struct event_pair {
	uint32_t event[COMPARE_SIDES];
};

/* The event of the later file that is called like the earlier file's. */
static uint32_t same_event(const struct comparing *comparing, uint32_t event)
{
	const struct profile *after = profile_of(comparing, COMPARE_AFTER);
	const char *name = profile_text(profile_of(comparing, COMPARE_BEFORE),
					event_at(comparing, COMPARE_BEFORE, event)->name);

	for (uint32_t i = 0; i < profile_event_count(after); i++)
		if (profile_event_at(after, i)->samples &&
		    !strcmp(profile_text(after, profile_event_at(after, i)->name), name))
			return i;
	return PROFILE_NONE;
}

/* All events that both have samples of; if there is none, the first of each, which the header warns of. */
static size_t find_events(const struct comparing *comparing, struct event_pair **pairs)
{
	uint32_t count = profile_event_count(profile_of(comparing, COMPARE_BEFORE)), unused;
	size_t found = 0;

	*pairs = xmalloc(((size_t)count + 1) * sizeof(**pairs));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t other = same_event(comparing, i);

		if (event_at(comparing, COMPARE_BEFORE, i)->samples && other != PROFILE_NONE)
			(*pairs)[found++] = (struct event_pair){ { i, other } };
	}
	if (found)
		return found;
	for (int side = 0; side < COMPARE_SIDES; side++)
		(*pairs)[0].event[side] = event_choice_first(profile_of(comparing, side), &unused);
	return (*pairs)[0].event[0] != PROFILE_NONE && (*pairs)[0].event[1] != PROFILE_NONE;
}

static int choose_events(const struct comparing *comparing, struct event_pair **pairs, size_t *count,
			 struct error *err)
{
	const char *name = comparing->options->samples.event;

	*pairs = NULL;
	if (!name) {
		*count = find_events(comparing, pairs);
		if (*count)
			return 0;
		return error_set(err, "%s and %s: there is nothing to compare: at least one has no samples",
				 comparing->sides[COMPARE_BEFORE].list[0].path,
				 comparing->sides[COMPARE_AFTER].list[0].path);
	}
	*pairs = xmalloc(sizeof(**pairs));
	*count = 1;
	for (int side = 0; side < COMPARE_SIDES; side++)
		if (event_choice_find(profile_of(comparing, side), name, &(*pairs)[0].event[side], err))
			return error_wrap(err, "%s", comparing->sides[side].list[0].path);
	return 0;
}

/* --- what is made of them ------------------------------------------------------- */

static int choose_pair(struct comparing *comparing, const struct event_pair *pair, struct error *err)
{
	for (int side = 0; side < COMPARE_SIDES; side++)
		if (diff_recordings_choose_event(&comparing->sides[side], pair->event[side], err))
			return -1;
	return 0;
}

/* Of the pair of events that was chosen last. */
static int make_request(struct comparing *comparing, struct diff_request *request, struct error *err)
{
	const struct diff_options *options = comparing->options;

	*request = (struct diff_request){
		.normalize = (enum diff_normalize)options->normalize,
		.compute = (enum diff_compute)options->compute,
		.order = (enum diff_order)options->order,
		.confidence = options->confidence_percent / 100,
		.relative = options->percentage == PERCENTAGE_RELATIVE,
	};
	/* perf diff's ratio and weighted difference are of periods as they are. */
	if (!options->normalize_set && (options->compute == DIFF_RATIO || options->compute == DIFF_WDIFF))
		request->normalize = DIFF_NOTHING;
	for (int side = 0; side < COMPARE_SIDES; side++) {
		struct profile_event event = diff_recordings_event(&comparing->sides[side]);

		request->design_effect[side] = diff_design_effect(&event);
		request->factor[side] = options->weights[side];
		if (diff_recordings_divide(&comparing->sides[side], request->normalize, options->work[side],
					   options->work_event, &request->divisor[side], err))
			return -1;
	}
	return 0;
}

/* --- views -------------------------------------------------------------------- */

static char separator_of(const struct diff_options *options)
{
	if (!options->separator)
		return '\0';
	return options->separator[0] == '\\' ? '\t' : options->separator[0];
}

static const char *event_name(const struct comparing *comparing, int side)
{
	return diff_recordings_event_name(&comparing->sides[side]);
}

static void draw_rows(struct comparing *comparing, struct profile_diff *diff, struct diff_result *result)
{
	const struct diff_options *options = comparing->options;
	struct diff_table_options table = {
		.result = result,
		.diff = diff,
		.number = diff_number_of(result->request.normalize,
					 diff_event_counts_ns(event_name(comparing, COMPARE_AFTER))),
		.event = { event_name(comparing, COMPARE_BEFORE), event_name(comparing, COMPARE_AFTER) },
		.keys = comparing->keys,
		.children = comparing->children,
		.all = options->all,
		.callers = options->callers,
		.period = options->period,
		.baseline_only = options->baseline_only,
		.quiet = options->quiet,
		.separator = separator_of(options),
		.top = options->top_set                      ? options->top :
		       comparing->terminal && !options->json ? TERMINAL_ROWS :
							       0,
		.canvas = comparing->canvas,
	};

	if (options->json)
		view_diff_json_add_event(&comparing->json, &table);
	else
		view_diff_render(&table, &comparing->out);
}

/* The recordings of both sides as the diff wants them, and what each one's sums are divided by. */
struct run_list {
	struct diff_run *runs;
	double *divisors;
	size_t counts[COMPARE_SIDES];
};

static struct run_list list_runs(const struct comparing *comparing, struct diff_request *request)
{
	struct run_list list = { .counts = { comparing->sides[COMPARE_BEFORE].count,
					     comparing->sides[COMPARE_AFTER].count } };
	size_t number = 0;

	list.runs = xmalloc((list.counts[0] + list.counts[1]) * sizeof(*list.runs));
	list.divisors = xmalloc((list.counts[0] + list.counts[1]) * sizeof(*list.divisors));
	for (int side = 0; side < COMPARE_SIDES; side++) {
		request->run_divisors[side] = list.divisors + number;
		for (size_t i = 0; i < list.counts[side]; i++, number++) {
			const struct diff_recording *recording = &comparing->sides[side].list[i];

			list.runs[number] =
				(struct diff_run){ recording->input.loaded.profile, &recording->frames,
						   recording->event, &comparing->filter };
			list.divisors[number] = recording->divisor;
		}
	}
	return list;
}

static int draw_event(struct comparing *comparing, const struct event_pair *pair, struct error *err)
{
	const struct diff_options *options = comparing->options;
	struct diff_request request;
	struct diff_result result;
	struct profile_diff *diff;
	struct run_list list;

	if (choose_pair(comparing, pair, err) || make_request(comparing, &request, err))
		return -1;
	list = list_runs(comparing, &request);
	diff = profile_diff_create(list.runs, list.counts, comparing->keys, options->renames,
				   options->rename_count);
	diff_result_init(&result, diff, &request, comparing->children);
	draw_rows(comparing, diff, &result);
	diff_result_fini(&result);
	profile_diff_destroy(diff);
	free(list.runs);
	free(list.divisors);
	return 0;
}

/* The factor that makes weights before comparable with those after. */
static double folded_factor(const struct comparing *comparing, const struct diff_request *request)
{
	struct profile_event before = diff_recordings_event(&comparing->sides[COMPARE_BEFORE]);
	struct profile_event after = diff_recordings_event(&comparing->sides[COMPARE_AFTER]);

	switch (request->normalize) {
	case DIFF_SHARE: return before.weight ? (double)after.weight / (double)before.weight : 1;
	case DIFF_TIME:
	case DIFF_WORK: return request->divisor[COMPARE_AFTER] / request->divisor[COMPARE_BEFORE];
	default: return 1;
	}
}

static int draw_folded(struct comparing *comparing, struct error *err)
{
	struct folded_options folded = { .weight = comparing->options->normalize == DIFF_SAMPLES ?
							   FOLDED_SAMPLES :
							   FOLDED_PERIOD };
	struct diff_request request;
	struct strbuf text[COMPARE_SIDES];

	if (make_request(comparing, &request, err))
		return -1;
	for (int side = 0; side < COMPARE_SIDES; side++) {
		const struct diff_recording *recording = &comparing->sides[side].list[0];
		struct selection selection = { .event = recording->event, .filter = comparing->filter };
		struct view_input input = { .profile = recording->input.loaded.profile,
					    .frames = &recording->frames,
					    .selection = &selection };

		strbuf_init(&text[side]);
		view_folded.render(&input, &folded, &text[side]);
	}
	diff_folded_add(&comparing->out, text[COMPARE_BEFORE].bytes, text[COMPARE_AFTER].bytes,
			folded_factor(comparing, &request));
	strbuf_fini(&text[COMPARE_BEFORE]);
	strbuf_fini(&text[COMPARE_AFTER]);
	return 0;
}

static struct diff_inputs header_inputs(const struct comparing *comparing, const struct event_pair *pair)
{
	return (struct diff_inputs){
		.sides = { &comparing->sides[COMPARE_BEFORE], &comparing->sides[COMPARE_AFTER] },
		.event = { pair->event[COMPARE_BEFORE], pair->event[COMPARE_AFTER] },
		.renames = comparing->options->renames,
		.rename_count = comparing->options->rename_count,
	};
}

/* Weights of different events do not add up, so folded stacks are of the first. */
static int draw_first_folded(struct comparing *comparing, const struct event_pair *pairs, size_t count,
			     struct error *err)
{
	if (choose_pair(comparing, &pairs[0], err))
		return -1;
	if (count > 1 && !comparing->options->quiet)
		fprintf(stderr,
			"xprof: these are the stacks of %s, one of %zu events: --event names another\n",
			event_name(comparing, COMPARE_BEFORE), count);
	return draw_folded(comparing, err);
}

static int draw_tables(struct comparing *comparing, const struct event_pair *pairs, size_t count,
		       struct error *err)
{
	struct diff_inputs inputs = header_inputs(comparing, &pairs[0]);

	if (comparing->options->header && !comparing->options->quiet) {
		diff_header_add(&comparing->out, &inputs);
		strbuf_adds(&comparing->out, "#\n");
	}
	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_adds(&comparing->out, "\n\n");
		if (draw_event(comparing, &pairs[i], err))
			return -1;
	}
	return 0;
}

static int draw_json(struct comparing *comparing, const struct event_pair *pairs, size_t count,
		     struct error *err)
{
	static const char *const normalizations[] = { "share", "time", "work", "samples", "none" };
	struct diff_inputs inputs = header_inputs(comparing, &pairs[0]);
	struct json_writer *json = &comparing->json;
	struct diff_request request;

	if (choose_pair(comparing, &pairs[0], err) || make_request(comparing, &request, err))
		return -1;
	json_init(json, &comparing->out);
	json_begin_object(json, NULL);
	json_string(json, "format", "xprof diff");
	json_unsigned(json, "version", DIFF_JSON_VERSION);
	json_string(json, "normalize", normalizations[request.normalize]);
	json_number(json, "divisor_before", request.divisor[COMPARE_BEFORE]);
	json_number(json, "divisor_after", request.divisor[COMPARE_AFTER]);
	diff_header_add_json(json, &inputs);
	json_begin_array(json, "events");
	for (size_t i = 0; i < count; i++)
		if (draw_event(comparing, &pairs[i], err))
			return -1;
	json_end_array(json);
	json_end_object(json);
	return 0;
}

static int draw(struct comparing *comparing, struct error *err)
{
	struct event_pair *pairs;
	size_t count;
	int status;

	comparing->children = comparing->options->children &&
			      diff_recordings_have_callchains(&comparing->sides[COMPARE_BEFORE]) &&
			      diff_recordings_have_callchains(&comparing->sides[COMPARE_AFTER]);
	status = choose_events(comparing, &pairs, &count, err);
	if (status == 0 && comparing->options->json)
		status = draw_json(comparing, pairs, count, err);
	else if (status == 0 && comparing->options->folded)
		status = draw_first_folded(comparing, pairs, count, err);
	else if (status == 0)
		status = draw_tables(comparing, pairs, count, err);
	free(pairs);
	return status;
}

/* --- the command -------------------------------------------------------------- */

static void set_up(struct comparing *comparing)
{
	const struct diff_options *options = comparing->options;

	comparing->filter = sample_choice_filter(&options->samples);
	comparing->terminal = isatty(STDOUT_FILENO);
	comparing->canvas = (struct canvas){ .color = color_init(options->color, stdout) };
	if (comparing->terminal)
		comparing->canvas.columns = terminal_columns(STDOUT_FILENO, FALLBACK_COLUMNS);
	strbuf_init(&comparing->out);
}

/* Whether it could be written is asked for all commands alike, where the program ends. */
static void show(const struct comparing *comparing)
{
	struct pager *pager = pager_start(comparing->options->pager);

	fwrite(comparing->out.bytes, 1, comparing->out.size, stdout);
	pager_finish(pager);
}

static int compare_files(struct comparing *comparing, int operand_count, char **operands, struct error *err)
{
	int status = CLI_FAILED;

	choose_paths(comparing, operand_count, operands);
	if (comparing->options->folded &&
	    (comparing->sides[COMPARE_BEFORE].count > 1 || comparing->sides[COMPARE_AFTER].count > 1))
		status = cli_usage_error(err, "--folded compares one recording with one");
	else if (open_sides(comparing, err) == 0 && draw(comparing, err) == 0) {
		show(comparing);
		status = 0;
	}
	diff_recordings_close(&comparing->sides[COMPARE_AFTER]);
	diff_recordings_close(&comparing->sides[COMPARE_BEFORE]);
	return status;
}

/* Two ways of unwinding one file. Its own profile is of no interest, so its stacks are taken as they were recorded. */
static int compare_ways(struct comparing *comparing, const char *path, struct error *err)
{
	const struct diff_options *options = comparing->options;
	struct unwind_ways ways;
	struct recording_request request = {
		.path = path,
		.time = options->samples.time,
		.stacks = { .unwind = UNWIND_FP, .unwinder = options->stacks.unwinder },
		.ways = &ways,
		.quiet = options->quiet,
		.symbols = symbol_options_symbolizer(&options->symbols, comparing->downloads),
		.downloads = comparing->downloads,
	};
	struct recording_input input;
	int status = CLI_FAILED;

	unwind_ways_init(&ways);
	if (recording_input_open(&input, &request, err) == 0) {
		struct ways_view_options view = {
			.ways = &ways,
			.names = { input.loaded.processes, input.loaded.symbolizer },
			.path = path,
			.top = options->top_set ? options->top :
			       options->json    ? 0 :
						  WAYS_ROWS,
			.quiet = options->quiet,
		};

		if (!ways.samples)
			error_set(err,
				  "%s: no sample has registers and a stack dump: record them with "
				  "'xprof record --call-graph dwarf'",
				  path);
		else {
			(options->json ? view_ways_render_json : view_ways_render)(&view, &comparing->out);
			show(comparing);
			status = 0;
		}
		recording_input_close(&input);
	}
	unwind_ways_fini(&ways);
	return status;
}

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
			err, "--normalize=work: how much was done? --work OLD:NEW, or --work EVENT");
	return diff_options_keys(options, &comparing->keys, err) ? CLI_USAGE : 0;
}

static int run_diff(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct diff_options *options = parsed;
	struct comparing comparing = { .options = options };
	int status = check_usage(&comparing, operand_count, err);

	if (status == 0) {
		set_up(&comparing);
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
			"Compares two recordings, function by function: which share of the samples each has in either, by "
			"how much they differ, and within which interval the true difference lies. Functions that may "
			"differ by chance only are left out, unless --all asks for them. Functions are matched by name, so that "
			"two builds can be compared. Without names perf.data.old and perf.data are compared.",
			"Lines that begin with \"# beware\" say what makes the comparison less than fair: other events, "
			"machines, builds, losses, stacks that are less complete.",
			"One recording of each tells nothing of how much runs differ. Several of each, with commas between "
			"them, do: then a difference has to be larger than those within either side.",
			"Where the recordings have call chains, Children is the same for functions with all that they "
			"call.",
			"With --unwind one recording with stack dumps is compared with itself: as frame pointers alone would "
			"have told it.",
			NULL },
	.options = diff_option_table,
	.options_size = sizeof(struct diff_options),
	.defaults = &diff_option_defaults,
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 2,
	.examples =
		(const struct cli_example[]){
			{ "xprof diff", "What changed since the recording before." },
			{ "xprof diff -g before.data after.data", "And through which callers." },
			{ "xprof diff --work 1:1 old.data new.data",
			  "What the same work cost more, or less, in seconds of CPU." },
			{ "xprof diff --work 1:1 old.1,old.2,old.3 new.1,new.2,new.3",
			  "The same of three runs of each, which tell how much runs differ." },
			{ "xprof diff --normalize=time -s dso monday.data tuesday.data",
			  "Which libraries took more of each second." },
			{ "xprof diff --folded before.data after.data | flamegraph.pl >diff.svg",
			  "For other tools." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-diff(1)", NULL },
	.run = run_diff,
};
