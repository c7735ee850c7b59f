/*
 * run() is the order of work: load, lay out the columns, select samples, show. The layout is made twice:
 * before loading it tells which details the loader has to find; afterwards it depends on the recording, too.
 * show() draws the view while a background task writes the header.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/pager.h"
#include "cli/terminal.h"
#include "format/off_cpu_wait.h"
#include "report/dump/file_header.h"
#include "report/load/recording_file.h"
#include "report/names/profile_namer.h"
#include "report/remedy/name_remedy.h"
#include "report/table/key_needs.h"
#include "report/table/other_reports.h"
#include "report/table/report_options.h"
#include "report/table/table_options.h"
#include "report/table/thread_values.h"
#include "report/view/event_choice.h"
#include "report/view/function_pattern.h"
#include "report/view/idle_choice.h"
#include "report/view/perf_options.h"
#include "report/view/recording_input.h"
#include "report/view/stack_pattern.h"
#include "report/view/trust_header.h"
#include "text/safe_text.h"

enum { TERMINAL_ROWS = 40, HISTOGRAM_ROWS = 5, FALLBACK_COLUMNS = 80 };

/* The parts of one report, once the file is loaded. */
struct report {
	const struct report_options *options;
	struct recording_input input;
	struct frame_table frames;
	struct source_texts sources;
	struct selection selection;
	struct layout layout;
	struct sample_keys *keys;            /* NULL: no column needs them */
	struct thread_counts *thread_counts; /* -T; else NULL */
	struct wait_times *wait_times;       /* --histogram; else NULL */
	uint32_t *parents;                   /* by node of the profile's stacks; see function_pattern.h */
	bool *stacks;                        /* by node: is the stack shown? NULL: all are */
	bool *idle;                          /* by node: is it of an idle pool? NULL: not needed */
	bool children;
	bool terminal;
};

/* perf's order of columns for memory accesses. */
#define MEM_MODE_SORT \
	"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,local_p_stage_cyc"

/* The same with --branch-history. */
#define BRANCH_HISTORY_SORT "srcline,symbol,dso"

/* As in perf: for memory accesses and in a hierarchy, rows show only their own share. */
static bool shows_children(const struct report_options *options)
{
	return options->children && !options->mem_mode && !options->hierarchy && !options->columns.branches &&
	       !options->histogram;
}

#define HISTOGRAM_SORT "comm,state,wait"

static struct layout_request layout_request_of(const struct report_options *options, bool children)
{
	struct layout_request request = options->columns;

	if (!request.sort && !request.fields)
		request.sort = options->mem_mode              ? MEM_MODE_SORT :
			       options->histogram             ? HISTOGRAM_SORT :
			       options->stacks.branch_history ? BRANCH_HISTORY_SORT :
								NULL;
	request.children = children;
	request.parent = options->parent != NULL;
	return request;
}

/*
 * perf accepts "-g caller" as two words. Here an optional argument is part of the same word: a separate one could be a file.
 * Takes a word as the argument of -g if there is no such file and -g understands it.
 */
static bool take_graph_word(struct report_options *options, const char *word)
{
	struct row_graph_options graph = options->graph;

	if (!options->graph_bare || access(word, F_OK) == 0 || row_graph_parse(&graph, word, NULL))
		return false;
	options->graph = graph;
	return true;
}

static int choose_input(struct report_options *options, int operand_count, char **operands, struct error *err)
{
	int i;

	for (i = 0; i < operand_count; i++) {
		if (take_graph_word(options, operands[i]))
			continue;
		if (options->input)
			return cli_usage_error(err, "one recording at a time: '%s' or '%s'?", options->input,
					       operands[i]);
		options->input = operands[i];
	}
	if (!options->input)
		options->input = recording_file_default();
	return 0;
}

static int check_patterns(const struct report_options *options, struct error *err)
{
	if (options->parent && function_pattern_check(options->parent, err)) {
		error_wrap(err, "--parent");
		return CLI_USAGE;
	}
	if (options->ignore_callees && function_pattern_check(options->ignore_callees, err)) {
		error_wrap(err, "--ignore-callees");
		return CLI_USAGE;
	}
	return 0;
}

/* As perf: frames of branches differ by address, and a graph is drawn even without -g. */
static void draw_branch_history(struct report_options *options)
{
	if (!options->stacks.branch_history)
		return;
	options->graph.key = ROW_GRAPH_ADDRESS;
	if (options->graph.style == ROW_GRAPH_OFF && !options->graph_set)
		options->graph.style = ROW_GRAPH_GRAPH;
}

static int check_usage(struct report_options *options, int operand_count, char **operands, struct error *err)
{
	struct layout_request request = layout_request_of(options, false);
	struct layout layout;

	if (choose_input(options, operand_count, operands, err))
		return CLI_USAGE;
	if (options->folded + options->json + options->stack_summary + options->name_summary +
		    options->histogram + options->stats + options->tasks +
		    (options->mmaps && !options->tasks) + options->dump + options->header_only +
		    code_report_is_wanted(options) >
	    1)
		return cli_usage_error(
			err,
			"--folded, --json, --stacks, --names, --histogram, --stats, --tasks, --mmaps, --blocks (--loops, "
			"--indirect), --header-only and -D are different reports: ask for one at a time");
	if (options->separator && strlen(options->separator) != 1 && strcmp(options->separator, "\\t"))
		return cli_usage_error(err, "--field-separator: '%s' is not one character",
				       options->separator);
	if (options->separator && options->separator[0] == '.')
		return cli_usage_error(err, "--field-separator: '.' stands for the separator in names");
	if (layout_make(&layout, &request, err))
		return CLI_USAGE;
	options->columns.branches |= layout_is_of_branches(&layout);
	if (options->stacks.branch_history && options->columns.branches)
		return cli_usage_error(
			err,
			"--branch-history shows samples with the branches that led to them, -b and its columns the "
			"branches themselves: ask for one at a time");
	draw_branch_history(options);
	return check_patterns(options, err);
}

/* --- selecting --------------------------------------------------------------------------------------- */

static void say_folded_event(const struct report *report, uint32_t with_samples, const char *joined)
{
	const struct profile *profile = report->input.loaded.profile;
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "xprof: %s: these are the stacks of ", report->options->input);
	safe_text_add(&line, profile_text(profile, profile_event_at(profile, report->selection.event)->name));
	if (with_samples > 1)
		strbuf_addf(&line, ", one of %u events: --event names another", with_samples);
	strbuf_adds(&line, *joined ? "; " : "");
	safe_text_add(&line, joined);
	fprintf(stderr, "%s\n", line.bytes);
	strbuf_fini(&line);
}

/* Weights of different events do not add up: folded stacks are those of the event with most samples. */
static void choose_folded_event(struct report *report)
{
	struct profile *profile = report->input.loaded.profile;
	struct strbuf joined = STRBUF_INIT;
	uint32_t with_samples;

	event_choice_join(profile, NULL, &joined);
	report->selection.event = event_choice_most(profile, &with_samples);
	if ((with_samples > 1 || joined.size) && !report->options->quiet)
		say_folded_event(report, with_samples, joined.bytes);
	strbuf_fini(&joined);
}

static int select_samples(struct report *report, struct error *err)
{
	const struct report_options *options = report->options;

	report->selection = (struct selection){
		.event = PROFILE_NONE,
		.relative = options->percentage == PERCENTAGE_RELATIVE,
		.filter = sample_choice_filter(&options->samples),
		.rows = { .symbol_part = options->symbol_part, .named_only = options->hide_unresolved },
	};
	report->selection.filter.named_only = options->hide_unresolved;
	if (options->samples.hide_idle) {
		report->idle =
			idle_choice_find(report->input.loaded.profile, options->input, options->quiet, err);
		report->selection.filter.taken_stacks = report->idle;
		if (!report->idle)
			return -1;
	}
	if (options->samples.wall)
		return event_choice_join_wall(report->input.loaded.profile, &report->selection.event, err);
	if (options->samples.event) {
		event_choice_join(report->input.loaded.profile, options->samples.event, NULL);
		return event_choice_find(report->input.loaded.profile, options->samples.event,
					 &report->selection.event, err);
	}
	if (options->histogram)
		return event_choice_find(report->input.loaded.profile, OFF_CPU_EVENT_NAME,
					 &report->selection.event, err);
	if (options->folded)
		choose_folded_event(report);
	return 0;
}

/* Children and call graphs need call chains; requesting graphs without them is an error, as in perf. */
static int lay_out(struct report *report, struct error *err)
{
	const struct report_options *options = report->options;
	const struct profile_facts *facts = &report->input.loaded.facts;
	bool callchains = facts->has_callchains || options->stacks.branch_history;
	struct layout_request request = layout_request_of(options, shows_children(options) && callchains);

	if (!callchains && options->graph.style != ROW_GRAPH_OFF)
		return error_set(err,
				 "%s: there are no call chains for -g: record them with 'xprof record -g'",
				 options->input);
	report->children = request.children;
	if (perf_options_check_traces(options->itrace, facts->has_hardware_traces, facts->path, err))
		return -1;
	if (options->columns.branches && key_needs_check_branches(facts, "-b", err))
		return -1;
	if (options->stacks.branch_history && key_needs_check_branches(facts, "--branch-history", err))
		return -1;
	if (options->mem_mode && key_needs_check_accesses(facts, err))
		return -1;
	if (layout_make(&report->layout, &request, err) ||
	    ((options->columns.sort || !options->mem_mode) && key_needs_check(&report->layout, facts, err)))
		return -1;
	if (key_needs_lack_tracepoints(&report->layout, facts) && !options->quiet)
		fprintf(stderr,
			"xprof: %s: -s trace and -s trace_fields show tracepoints, but no event is one: "
			"record some with 'xprof record -e SYSTEM:EVENT'\n",
			options->input);
	return 0;
}

/* A word that is no column may be a field of a tracepoint; fields are known only after samples of it have been read. */
static bool has_unknown_columns(const struct report *report, struct error *err)
{
	return key_needs_check_fields(&report->layout, report->keys, &report->input.loaded.facts, err) < 0;
}

static bool layout_has(const struct layout *layout, enum column column)
{
	for (size_t i = 0; i < layout->keys.count; i++)
		if (layout->keys.items[i] == column)
			return true;
	return false;
}

static bool layout_has_lines(const struct layout *layout)
{
	return layout_has(layout, COLUMN_SRCLINE) || layout_has(layout, COLUMN_SRCFILE);
}

static bool shows_lines(const struct report_options *options, const struct layout *layout)
{
	return layout_has_lines(layout) ||
	       (options->graph.style != ROW_GRAPH_OFF && options->graph.key != ROW_GRAPH_FUNCTION);
}

/* --- showing ----------------------------------------------------------------------------------------- */

static unsigned rows_of(const struct report *report)
{
	if (report->options->top_set)
		return report->options->top;
	if (report->options->histogram)
		return HISTOGRAM_ROWS;
	return report->terminal && !report->options->json ? TERMINAL_ROWS : 0;
}

static char separator_of(const struct report_options *options)
{
	if (!options->separator)
		return '\0';
	return options->separator[0] == '\\' ? '\t' : options->separator[0];
}

static struct table_options table_options_of(const struct report *report)
{
	const struct report_options *options = report->options;

	return (struct table_options){
		.layout = report->layout,
		.graph = options->graph,
		.children = report->children,
		.hierarchy = options->hierarchy,
		.time_text = options->samples.time,
		.quiet = options->quiet,
		.verbose = options->verbose > 0,
		.separator = separator_of(options),
		.column_widths = options->widths.items,
		.column_width_count = options->widths.count,
		.percent_limit = options->percent_limit,
		.top = rows_of(report),
		.wait_times = report->wait_times,
	};
}

static bool shows_table(const struct report_options *options)
{
	return !options->json && !options->folded && !options->stack_summary && !options->name_summary;
}

/* Leaves out samples and event counts, which each event's table has above it. */
static void add_trust_header(const struct report *report, struct strbuf *out)
{
	const struct report_options *options = report->options;
	static const unsigned int lines[] = {
		[REPORT_HEADER_BRIEF] = TRUST_BRIEF,
		[REPORT_HEADER_FULL] = TRUST_ALL & ~(unsigned int)TRUST_EVENTS,
		[REPORT_HEADER_NONE] = 0,
	};
	const bool shown = shows_table(options) && !options->quiet;

	if (!shown || !lines[options->header])
		return;
	trust_header_render(out, &report->input.loaded, lines[options->header]);
	strbuf_adds(out, "#\n");
}

static void add_thread_values(const struct report *report, struct strbuf *out)
{
	if (thread_counts_count(report->thread_counts) == 0 && !report->options->quiet)
		fprintf(stderr,
			"xprof: %s: -T: there are no counts of threads: record them with 'xprof record -s'\n",
			report->options->input);
	strbuf_adds(out, "\n\n");
	thread_values_add(out, report->thread_counts, &report->input.loaded.facts,
			  report->options->raw_counts);
}

static void draw(const struct report *report, struct canvas canvas, struct strbuf *out)
{
	const struct report_options *options = report->options;
	const struct table_options table = table_options_of(report);
	struct view_input input = {
		.profile = report->input.loaded.profile,
		.frames = &report->frames,
		.selection = &report->selection,
		.facts = &report->input.loaded.facts,
		.sources = &report->sources,
		.parents = report->parents,
		.keys = report->keys,
		.canvas = canvas,
	};

	if (options->json) {
		view_json.render(&input, &table, out);
	} else if (options->folded) {
		struct folded_options folded = {
			.weight = (enum stack_weight)options->weight,
			.annotate = options->annotate,
			.addresses = options->addresses,
		};

		view_folded.render(&input, &folded, out);
	} else if (options->stack_summary) {
		view_stacks.render(&input, NULL, out);
	} else if (options->histogram) {
		view_histogram.render(&input, &table, out);
	} else if (!options->name_summary) {
		view_table.render(&input, &table, out);
		if (report->thread_counts)
			add_thread_values(report, out);
	}
}

/* --exclude-other: keeps only stacks that contain a parent. */
static void exclude_other(struct report *report)
{
	const uint32_t count = profile_stack_count(report->input.loaded.profile);

	if (!report->stacks) {
		report->stacks = xmalloc((size_t)count + 1);
		memset(report->stacks, true, count);
	}
	for (uint32_t node = 0; node < count; node++)
		report->stacks[node] = report->stacks[node] && report->parents[node] != PROFILE_NONE;
}

/* Applies --ignore-callees, --stack, --parent and --exclude-other to the stacks, which have names now. */
static void choose_stacks(struct report *report)
{
	const struct report_options *options = report->options;
	struct profile *profile = report->input.loaded.profile;
	const char *parent = options->parent ? options->parent : FUNCTION_PATTERN_PARENT;

	if (options->ignore_callees)
		function_pattern_cut_callees(options->ignore_callees, profile, &report->frames);
	if (options->samples.stack)
		report->stacks = stack_pattern_match(options->samples.stack, profile, &report->frames);
	if (layout_has(&report->layout, COLUMN_PARENT) || options->exclude_other)
		report->parents =
			function_pattern_parents(parent, profile, &report->frames, report->children);
	if (options->exclude_other)
		exclude_other(report);
	report->selection.filter.stacks = report->stacks;
}

/* Does not check whether the report was written: the program does so at its end, for every command. */
static void show(struct report *report)
{
	const struct report_options *options = report->options;
	struct canvas canvas = { .color = color_init(options->color, stdout) };
	struct strbuf out = STRBUF_INIT, file_header = STRBUF_INIT;
	struct pager *pager;

	report->terminal = isatty(STDOUT_FILENO);
	if (report->terminal)
		canvas.columns = terminal_columns(STDOUT_FILENO, FALLBACK_COLUMNS);
	if (shows_lines(options, &report->layout))
		source_texts_init(&report->sources, report->input.loaded.profile, options->full_source_path);
	if (options->name_summary)
		name_remedies_summary(&out, &report->input.loaded);
	frame_table_init(&report->frames, report->input.loaded.profile);
	choose_stacks(report);
	draw(report, canvas, &out);
	if (options->header_at_length && shows_table(options) && report->input.recording.file)
		file_header_add(&file_header, report->input.recording.file, true);
	add_trust_header(report, &file_header);
	pager = pager_start(options->pager);
	fwrite(file_header.bytes, 1, file_header.size, stdout);
	fwrite(out.bytes, 1, out.size, stdout);
	pager_finish(pager);
	frame_table_fini(&report->frames);
	free(report->stacks);
	free(report->parents);
	source_texts_fini(&report->sources);
	strbuf_fini(&file_header);
	strbuf_fini(&out);
}

/* Debug information is large: read it only if something of it is shown. */
static unsigned int naming_detail_of(const struct report_options *options)
{
	struct layout_request request = layout_request_of(options, options->children);
	struct layout layout;
	unsigned int detail = 0;

	if (layout_make(&layout, &request, NULL) < 0)
		return 0;
	if (options->symbols.inlines && !options->stack_summary && !options->stacks.branch_history &&
	    (options->json || options->folded || options->graph.style != ROW_GRAPH_OFF ||
	     options->samples.stack || (options->children && layout_has(&layout, COLUMN_SYMBOL)) ||
	     layout_has_lines(&layout)))
		detail |= NAMING_INLINES;
	return shows_lines(options, &layout) ? detail | NAMING_LINES : detail;
}

/* The sample keys that columns need. NULL if they need none. */
static struct sample_keys *make_keys(const struct report_options *options)
{
	struct layout_request request = layout_request_of(options, options->children);
	struct layout layout;

	if (layout_make(&layout, &request, NULL) < 0)
		return NULL;
	layout.samples.time_quantum_ns = options->time_quantum_ns;
	layout.samples.nanoseconds = options->nanoseconds;
	layout.samples.raw_trace = options->raw_trace;
	layout.samples.wanted[SAMPLE_KEY_BRANCH_MARKS] =
		options->stacks.branch_history && options->graph.style != ROW_GRAPH_OFF;
	for (int key = 0; key < SAMPLE_KEY_COUNT; key++)
		if (layout.samples.wanted[key])
			return sample_keys_create(&layout.samples);
	return NULL;
}

static int run(struct report_options *options, struct error *err)
{
	const unsigned int detail = naming_detail_of(options);
	struct debug_downloads *downloads =
		symbol_options_downloads(&options->symbols, detail, options->quiet);
	struct recording_request request = {
		.path = options->input,
		.time = options->samples.time,
		.choice = &options->samples,
		.load.stacks = options->stacks,
		.quiet = options->quiet,
		.load.detail = detail,
		.load.symbols = symbol_options_symbolizer(&options->symbols, downloads),
		.downloads = downloads,
		.load.keys = make_keys(options),
		.load.thread_counts = options->thread_counts ? thread_counts_create() : NULL,
		.load.wait_times = options->histogram ? wait_times_create() : NULL,
		.load.by_latency = options->mem_mode,
		.load.branches = options->columns.branches,
	};
	struct report report = { .options = options,
				 .keys = request.load.keys,
				 .thread_counts = request.load.thread_counts,
				 .wait_times = request.load.wait_times };
	int status;

	status = recording_input_open(&report.input, &request, err);
	debug_downloads_destroy(downloads);
	if (status) {
		sample_keys_destroy(report.keys);
		thread_counts_destroy(report.thread_counts);
		wait_times_destroy(report.wait_times);
		return CLI_FAILED;
	}
	if (report.wait_times)
		wait_times_finish(report.wait_times);
	status = CLI_FAILED;
	if (lay_out(&report, err) == 0) {
		if (has_unknown_columns(&report, err)) {
			status = CLI_USAGE;
		} else if (select_samples(&report, err) == 0) {
			show(&report);
			status = 0;
		}
	}
	recording_input_leave(&report.input);
	sample_keys_destroy(report.keys);
	thread_counts_destroy(report.thread_counts);
	wait_times_destroy(report.wait_times);
	free(report.idle);
	return status;
}

static int run_report(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct report_options *options = parsed;
	int status = check_usage(options, operand_count, operands, err);

	if (status == 0)
		status = symbol_options_check(&options->symbols, err) ? CLI_FAILED :
			 raw_report_is_wanted(options)                ? raw_report_run(options, err) :
			 code_report_is_wanted(options)               ? code_report_run(options, err) :
									run(options, err);
	report_options_fini(options);
	return status;
}

const struct cli_command cmd_report = {
	.name = "report",
	.summary = "show what took the time: a table, call graphs, stacks, JSON",
	.usage = (const char *const[]){ "[OPTIONS] [-i] [FILE]", NULL },
	.description =
		(const char *const[]){
			"Reads a recording of xprof or perf and shows which functions the samples fell into, "
			"largest share first. A share is a part of the sum of all samples' periods. If the "
			"recording has call chains, Children is the share of the function with everything it "
			"called, Self the share of the function alone. A sample counts once for a function, "
			"even if the function called itself.",
			"[k] marks functions of the kernel, [.] those of programs. A function without a name "
			"is shown as its file and the offset at which it begins according to unwind "
			"information (libfoo.so+0x1f40); without unwind information each address is a row.",
			"--folded prints the stacks as lines for flame graph tools, --json prints everything "
			"as one object. xprof uses colours, a pager, cut names and --top 40 on terminals "
			"only: output to a file or a pipe is complete.",
			NULL },
	.options = report_option_table,
	.options_size = sizeof(struct report_options),
	.defaults = &report_option_defaults,
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 2,
	.examples =
		(const struct cli_example[]){
			{ "xprof report", "The functions that perf.data's samples fell into." },
			{ "xprof report -g --percent-limit 2",
			  "With call graphs, leaving out all that is below 2 percent." },
			{ "xprof report --no-children -s dso", "By program and library." },
			{ "xprof report -S malloc -gcallee", "Who calls malloc." },
			{ "xprof report --time 10%/2 --comms make", "What make did in the second tenth." },
			{ "xprof report --folded --annotate | flamegraph.pl --color=java >out.svg",
			  "A flame graph." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-report(1)", NULL },
	.run = run_report,
};
