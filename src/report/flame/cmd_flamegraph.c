/*
 * draw() is the outline: read one or two inputs into call trees, compare them if there are two, render, write. struct
 * picture carries everything from step to step.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "report/flame/flame_command.h"
#include "report/flame/flame_event.h"
#include "report/flame/flame_html.h"
#include "report/flame/flame_measures.h"
#include "report/flame/flame_options.h"
#include "report/flame/flame_rename.h"
#include "report/flame/flame_svg.h"
#include "report/flame/flame_title.h"
#include "report/load/recording_file.h"
#include "report/names/profile_namer.h"
#include "report/view/idle_choice.h"
#include "report/view/recording_input.h"
#include "report/view/stack_pattern.h"
#include "report/view/trust_header.h"

/* A picture that is being made. */
struct picture {
	const struct flame_options *options;
	const char *path; /* of the file being read */
	int side;         /* likewise, for the diff: COMPARE_BEFORE or COMPARE_AFTER */
	struct flame_graph graph;
	struct flame_diff diff;    /* empty without --diff */
	struct flame_times times;  /* of the file being read, for the diff */
	struct dso_builds *builds; /* of both recordings, for the diff; empty with folded stacks */
	struct strbuf title, about, unit, command;
	struct flame_measures measures;
	struct flame_trust trust;
	struct flame_samples samples;
	bool has_samples; /* the page gets the recording's samples to choose from */
	struct flame_blocks blocks;
	bool has_blocks;
	enum stack_weight weight;
};

/*
 * A page is to have at most 10 MB. A day has 86,400 columns of seconds, which pages show at several scales, and each slot of them takes
 * a character if not all samples have their times in the page.
 */
enum {
	MOST_TIMES = 1 << 20,
	LEAST_TIMES = 1 << 17,
	MOST_COLUMNS = 100000,
	PAGE_BYTES = 9500000, /* without the page's script */
	TIME_BYTES = 5,
	ROW_BYTES = 9,
};

/* Leaves out as many times of samples as the page has no room for. */
static void finish_timeline(struct timeline *timeline, const struct profile *profile)
{
	const size_t rows = (size_t)profile_sample_count(profile) * ROW_BYTES;
	size_t slots, taken;
	uint64_t first_slot;

	timeline_finish(timeline, MOST_COLUMNS);
	if (timeline_every(timeline) == 1)
		return;
	(void)timeline_slot_counts(timeline, &first_slot, &slots);
	taken = rows + slots + (size_t)LEAST_TIMES * TIME_BYTES;
	timeline_thin(timeline, LEAST_TIMES + (taken < PAGE_BYTES ? (PAGE_BYTES - taken) / TIME_BYTES : 0));
}

/* --- what is drawn ----------------------------------------------------------------------------------- */

static void add_trust(struct picture *picture, const struct recording_input *input)
{
	const struct profile_facts *facts = &input->loaded.facts;
	const uint64_t *ended = facts->stacks_ended;
	uint64_t without = ended[STACK_END_NO_CHAIN] + ended[STACK_END_UNKNOWN];

	trust_header_render(&picture->about, &input->loaded, TRUST_ALL);
	picture->trust = (struct flame_trust){
		.samples = facts->samples,
		.lost = profile_facts_lost(facts),
		.throttled = facts->throttle_records,
		.truncated = without < facts->samples ?
				     facts->samples - ended[STACK_END_ROOT] - ended[STACK_END_REPLACED] :
				     0,
		.unresolved = facts->unresolved_samples,
	};
}

static void add_stacks(struct picture *picture, const struct view_input *view,
		       const struct timeline *timeline)
{
	struct flame_recipe recipe = picture->options->recipe;
	uint32_t *leaves;

	recipe.weight = picture->weight;
	if (!timeline) {
		flame_graph_add_profile(&picture->graph, view, &recipe, NULL);
		return;
	}
	leaves = xmalloc(((size_t)profile_sample_count(view->profile) + 1) * sizeof(*leaves));
	if (picture->options->diff) {
		flame_graph_add_profile(&picture->graph, view, &recipe, leaves);
		flame_times_init(&picture->times, leaves, profile_sample_count(view->profile), timeline);
		return;
	}
	recipe.other_events = !picture->options->samples.event;
	flame_graph_add_profile(&picture->graph, view, &recipe, leaves);
	flame_samples_init(&picture->samples, &picture->graph, view, leaves, timeline);
	picture->has_samples = true;
	free(leaves);
}

/* `idle`: stacks that are left out, or NULL. */
static void draw_profile(struct picture *picture, const struct recording_input *input, uint32_t event,
			 const bool *idle, const struct recording_request *request)
{
	const struct profile *profile = input->loaded.profile;
	struct selection selection = { .event = event,
				       .filter = sample_choice_filter(&picture->options->samples) };
	bool *stacks = NULL;
	struct frame_table frames;
	struct view_input view = {
		.profile = profile,
		.frames = &frames,
		.selection = &selection,
		.facts = &input->loaded.facts,
		.keys = request->load.keys,
	};

	/* Periods of different events do not add up. */
	picture->weight =
		event == PROFILE_NONE ? STACK_WEIGHT_SAMPLES : (enum stack_weight)picture->options->weight;
	selection.filter.taken_stacks = idle;
	frame_table_init(&frames, profile);
	if (picture->options->samples.stack)
		selection.filter.stacks = stacks =
			stack_pattern_match(picture->options->samples.stack, profile, &frames);
	add_stacks(picture, &view, request->load.timeline);
	free(stacks);
	frame_table_fini(&frames);
	if (event != PROFILE_NONE)
		strbuf_adds(&picture->unit, profile_text(profile, profile_event_at(profile, event)->name));
	flame_measures_find(&picture->measures, profile, event);
	flame_title_add(&picture->title, &input->loaded.facts, picture->unit.bytes, picture->path);
	add_trust(picture, input);
}

/* Adds the parts of a recording that only pages have. */
static int add_of_page(struct picture *picture, const struct recording_input *input,
		       const struct recording_request *request, struct error *err)
{
	int found;

	if (!picture->has_samples)
		return 0;
	picture->samples.spans = input->times;
	found = flame_blocks_read(&picture->blocks, &picture->graph, input, request, err);
	picture->has_blocks = found > 0;
	return found < 0 ? -1 : 0;
}

static int load_recording(struct picture *picture, const struct recording_request *request, struct error *err)
{
	struct recording_input input;
	bool *idle = NULL;
	uint32_t event;
	int status = -1;

	if (recording_input_open(&input, request, err))
		return -1;
	if (!input.loaded.facts.has_callchains && !picture->options->quiet)
		fprintf(stderr,
			"xprof: %s: there are no call chains, so stacks are one frame high: record them with "
			"'xprof record -g'\n",
			picture->path);
	if (request->load.timeline)
		finish_timeline(request->load.timeline, input.loaded.profile);
	if (picture->options->diff)
		dso_builds_add(picture->builds, picture->side, input.loaded.profile);
	if (picture->options->samples.hide_idle)
		idle = idle_choice_find(input.loaded.profile, picture->path, picture->options->quiet, err);
	if ((idle || !picture->options->samples.hide_idle) &&
	    flame_event_choose(picture->options, picture->path, input.loaded.profile, &event, err) == 0) {
		draw_profile(picture, &input, event, idle, request);
		status = add_of_page(picture, &input, request, err);
	}
	free(idle);
	recording_input_close(&input);
	return status;
}

static int read_recording(struct picture *picture, struct error *err)
{
	const struct flame_options *options = picture->options;
	const unsigned int detail = options->symbols.inlines ? NAMING_INLINES : 0;
	const struct sample_key_request states = { .wanted = { [SAMPLE_KEY_STATE] = true },
						   .only_waits = true };
	struct debug_downloads *downloads =
		symbol_options_downloads(&options->symbols, detail, options->quiet);
	struct recording_request request = {
		.path = picture->path,
		.time = options->samples.time,
		.choice = &options->samples,
		.load.stacks = options->stacks,
		.quiet = options->quiet,
		.load.detail = detail,
		.load.symbols = symbol_options_symbolizer(&options->symbols, downloads),
		.downloads = downloads,
	};
	int status;

	if (flame_options_want_samples(options))
		request.load.timeline = timeline_create_thinning(MOST_TIMES, MOST_COLUMNS);
	else if (options->diff)
		request.load.timeline = timeline_create(MOST_TIMES);
	if (flame_options_want_samples(options))
		request.load.keys = sample_keys_create(&states);
	status = load_recording(picture, &request, err);
	timeline_destroy(request.load.timeline);
	sample_keys_destroy(request.load.keys);
	debug_downloads_destroy(downloads);
	return status;
}

static int read_folded(struct picture *picture, struct error *err)
{
	const char *path = picture->path;
	FILE *text = strcmp(path, "-") ? fopen(path, "re") : stdin;
	uint64_t left_out;
	bool failed;

	if (!text)
		return error_set_errno(err, errno, "%s", path);
	left_out = flame_graph_add_folded(&picture->graph, text);
	failed = ferror(text);
	if (text != stdin)
		fclose(text);
	if (failed)
		return error_set(err, "%s: cannot be read", path);
	if (!call_tree_count(picture->graph.tree) && left_out)
		return error_set(err, "%s: no line is a folded stack, such as 'main;parse;read 12'", path);
	if (left_out && !picture->options->quiet)
		fprintf(stderr, "xprof: %s: %" PRIu64 " lines without a weight at their end were left out\n",
			path, left_out);
	strbuf_adds(&picture->title, path);
	strbuf_adds(&picture->unit, "samples");
	return 0;
}

/* --- writing ----------------------------------------------------------------------------------------- */

static void render(const struct picture *picture, struct strbuf *out)
{
	const struct flame_options *options = picture->options;
	struct flame_page page = {
		.graph = &picture->graph,
		.diff = options->diff ? &picture->diff : NULL,
		.title = options->title ? options->title : picture->title.bytes,
		.about = picture->about.bytes,
		.unit = picture->unit.bytes,
		.measures = picture->measures.json.size ? picture->measures.json.bytes : NULL,
		.measure = picture->measures.own.size && picture->weight != STACK_WEIGHT_SAMPLES ?
				   picture->measures.own.bytes :
				   NULL,
		.command = picture->command.bytes,
		.samples = picture->has_samples ? &picture->samples : NULL,
		.blocks = picture->has_blocks ? &picture->blocks : NULL,
		.by = options->recipe.by,
		.by_count = options->folded ? 0 : options->recipe.by_count,
		.trust = picture->trust,
		.weight = picture->weight,
		.min_width_px = options->min_width_px,
		.inverted = options->inverted,
		.reversed = options->reverse && !picture->graph.reversed,
		.colors = (enum flame_colors)options->colors,
	};

	if (options->format == FLAME_FORMAT_SVG)
		flame_svg_render(&page, out);
	else
		flame_html_render(&page, out);
}

/* Does not check standard output: the program does so at its end, for every command. */
static int write_file(const char *path, const struct strbuf *out, struct error *err)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "we") : stdout;
	bool failed;

	if (!file)
		return error_set_errno(err, errno, "%s", path);
	failed = fwrite(out->bytes, 1, out->size, file) != out->size;
	if (file == stdout)
		return 0;
	if (fclose(file) || failed)
		return error_set_errno(err, errno, "%s: cannot be written", path);
	return 0;
}

static int write_picture(const struct picture *picture, struct error *err)
{
	const char *path = picture->options->output;
	struct strbuf out = STRBUF_INIT;
	int status;

	render(picture, &out);
	status = write_file(path, &out, err);
	if (status == 0 && strcmp(path, "-") && !picture->options->quiet)
		fprintf(stderr, "xprof: wrote %s: %" PRIu64 " samples, %" PRIu32 " frames, %zu KiB\n", path,
			call_tree_count(picture->graph.tree), call_tree_node_count(picture->graph.tree),
			(out.size + 1023) / 1024);
	strbuf_fini(&out);
	return status;
}

static int read_file(struct picture *picture, const char *path, struct error *err)
{
	picture->path = path;
	strbuf_reset(&picture->title);
	strbuf_reset(&picture->about);
	strbuf_reset(&picture->unit);
	return picture->options->folded ? read_folded(picture, err) : read_recording(picture, err);
}

/* The earlier recording, added to the same graph, so that keys mean the same. */
struct before {
	struct call_tree *tree; /* NULL: nothing to compare with */
	struct flame_times times;
};

static void before_fini(struct before *before)
{
	call_tree_destroy(before->tree);
	flame_times_fini(&before->times);
}

static int read_files(struct picture *picture, struct before *before, struct error *err)
{
	const struct flame_options *options = picture->options;

	if (options->diff) {
		picture->side = COMPARE_BEFORE;
		if (read_file(picture, options->diff, err))
			return -1;
		before->tree = picture->graph.tree;
		before->times = picture->times;
		picture->times = (struct flame_times){ 0 };
		picture->graph.tree = call_tree_create();
	}
	picture->side = COMPARE_AFTER;
	if (read_file(picture, options->folded ? options->folded : options->input, err))
		return -1;
	flame_graph_sort(&picture->graph);
	return 0;
}

/* Says on the page which renamed programs are taken for the same, except for pairs that the user gave. */
static void say_pairs(struct picture *picture, const struct name_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->list[i].found)
			strbuf_addf(
				&picture->about,
				"# %s before and %s now are compared as the same (--rename OLD=NEW chooses "
				"others)\n",
				pairs->list[i].before, pairs->list[i].after);
}

static uint32_t *room_for_places(const struct call_tree *tree)
{
	return xmalloc(((size_t)call_tree_node_count(tree) + 1) * sizeof(uint32_t));
}

/* Renames frames of both trees, so that a name means the same in both. */
static void compare_with(struct picture *picture, const struct before *before)
{
	struct flame_graph *graph = &picture->graph;
	struct name_pairs found = { 0 };
	const struct name_pairs *pairs = &picture->options->pairs;
	struct call_tree *old = before->tree, *new = graph->tree;
	uint32_t *old_places = room_for_places(old), *new_places = room_for_places(new);

	if (!pairs->count) {
		flame_rename_find(&found, graph, old, new);
		pairs = &found;
	}
	old = flame_rename(graph, &(struct flame_names){ pairs, picture->builds, COMPARE_BEFORE }, old,
			   old_places);
	graph->tree = flame_rename(graph, &(struct flame_names){ pairs, picture->builds, COMPARE_AFTER }, new,
				   new_places);
	flame_graph_sort(graph);
	flame_diff_init(&picture->diff, &(struct flame_diff_side){ old, &before->times, old_places },
			&(struct flame_diff_side){ graph->tree, &picture->times, new_places });
	say_pairs(picture, &found);
	strbuf_addf(&picture->title, ", compared with %s", picture->options->diff);
	call_tree_destroy(old);
	call_tree_destroy(new);
	free(old_places);
	free(new_places);
	name_pairs_fini(&found);
}

static int draw(const struct flame_options *options, struct error *err)
{
	struct picture picture = { .options = options };
	struct before before = { 0 };
	int status;

	picture.builds = dso_builds_create();
	flame_graph_init(&picture.graph,
			 options->reverse && (options->diff || options->format == FLAME_FORMAT_SVG));
	strbuf_init(&picture.title);
	strbuf_init(&picture.about);
	strbuf_init(&picture.unit);
	strbuf_init(&picture.command);
	flame_measures_init(&picture.measures);
	status = read_files(&picture, &before, err);
	if (status == 0 && before.tree)
		compare_with(&picture, &before);
	if (status == 0) {
		flame_command_add(&picture.command, options, picture.unit.bytes);
		status = write_picture(&picture, err);
	}
	flame_diff_fini(&picture.diff);
	flame_times_fini(&picture.times);
	before_fini(&before);
	strbuf_fini(&picture.title);
	strbuf_fini(&picture.about);
	strbuf_fini(&picture.unit);
	strbuf_fini(&picture.command);
	flame_measures_fini(&picture.measures);
	if (picture.has_samples)
		flame_samples_fini(&picture.samples);
	if (picture.has_blocks)
		flame_blocks_fini(&picture.blocks);
	flame_graph_fini(&picture.graph);
	dso_builds_destroy(picture.builds);
	return status ? CLI_FAILED : 0;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && !strcmp(text + length - end_length, end);
}

static int check_usage(struct flame_options *options, int operand_count, char **operands, struct error *err)
{
	if (operand_count && options->input)
		return cli_usage_error(err, "one recording at a time: '%s' or '%s'?", options->input,
				       operands[0]);
	if (operand_count)
		options->input = operands[0];
	if (options->folded && options->input)
		return cli_usage_error(err, "--folded draws text instead of a recording: '%s' or '%s'?",
				       options->folded, options->input);
	if (!options->input)
		options->input = recording_file_default();
	if (!options->output)
		options->output = options->format == FLAME_FORMAT_SVG ? "flamegraph.svg" : "flamegraph.html";
	if (options->format == FLAME_FORMAT_AUTO && ends_with(options->output, ".svg"))
		options->format = FLAME_FORMAT_SVG;
	return 0;
}

static int run_flamegraph(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct flame_options *options = parsed;
	int status = check_usage(options, operand_count, operands, err);

	if (status == 0)
		status = symbol_options_check(&options->symbols, err) ? CLI_FAILED : draw(options, err);
	flame_options_fini(options);
	return status;
}

const struct cli_command cmd_flamegraph = {
	.name = "flamegraph",
	.summary = "draw where the time went, as one interactive file",
	.usage = (const char *const[]){ "[OPTIONS] [-o FILE] [-i] [FILE]",
					"[OPTIONS] [-o FILE] --folded FILE", NULL },
	.description =
		(const char *const[]){
			"Draws the call stacks of a recording as a flame graph: each frame is as wide as its "
			"share of the samples, and its callees are above it, the largest first. The file "
			"needs nothing else, neither a network nor a server, and opens in every browser.",
			"The output is an HTML page with all stacks, which stays responsive with a million "
			"of them: flame, icicle, reversed, callers and callees of a function, and a table of "
			"all functions that follows zoom and search. With -o NAME.svg, or --format svg, it "
			"is an SVG picture, which also fits into documents and can be zoomed and searched in "
			"a browser. Frames too narrow to see are merged there, so no sample is lost.",
			"Click a frame, or press Enter, to zoom; Escape zooms out; arrow keys move between "
			"frames; / searches for text, or for a /regular expression/, and shows the matches' "
			"share of the samples, counting each sample once; ? lists the keys. The page's URL "
			"stores the current view.",
			"Widths are sums of periods, as in xprof report, of the selected samples.", NULL },
	.options = flame_option_table,
	.options_size = sizeof(struct flame_options),
	.defaults = &flame_option_defaults,
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof flamegraph", "The stacks of perf.data, into flamegraph.html." },
			{ "xprof flamegraph --by cpu,comm -o cpus.svg --time 10%-20%",
			  "CPU by CPU, the second tenth of the recording." },
			{ "xprof flamegraph --reverse -d libc.so.6",
			  "Who calls what was sampled in the C library." },
			{ "xprof flamegraph --diff before.data after.data",
			  "What has changed by more than chance: red frames have a larger share than before." },
			{ "stackcollapse-bpftrace.pl out.txt | xprof flamegraph --folded -",
			  "Stacks of another tool." },
			{ NULL, NULL } },
	.run = run_flamegraph,
};
