/*
 * Most of the file is the table of options. The functions in front of it are for options that are more than one value, and for
 * habits of perf's users: names after -C, -g with or without an argument.
 */
#include "report/table/report_options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/pager.h"
#include "report/rows/column.h"
#include "report/view/function_pattern.h"
#include "report/view/perf_options.h"

#define DEFAULT_MIN_PERCENT 0.5 /* of a call graph, as in perf */

const struct report_options report_option_defaults = {
	.percentage = PERCENTAGE_ABSOLUTE,
	.children = true,
	.time_quantum_ns = 100000000, /* as in perf */
	.graph = { .style = ROW_GRAPH_OFF, .min_percent = DEFAULT_MIN_PERCENT },
	.symbols = SYMBOL_OPTION_DEFAULTS,
	.stacks = UNWIND_OPTION_DEFAULTS,
	.pager = true,
};

/* perf report's -C means CPUs. A list of names can only mean --comms, for which many users mistake it. */
static int set_cpus(void *parsed, const char *argument, struct error *err)
{
	struct report_options *options = parsed;

	if (!argument[strspn(argument, "0123456789,-")])
		return number_list_set(&options->samples.cpus, argument, err);
	return text_list_set(&options->samples.comms, argument, err);
}

static int set_no_children(void *parsed, const char *argument, struct error *err)
{
	(void)argument, (void)err;
	((struct report_options *)parsed)->children = false;
	return 0;
}

static int set_header(void *parsed, const char *argument, struct error *err)
{
	(void)argument, (void)err;
	((struct report_options *)parsed)->header = REPORT_HEADER_FULL;
	return 0;
}

static int set_no_header(void *parsed, const char *argument, struct error *err)
{
	(void)argument, (void)err;
	((struct report_options *)parsed)->header = REPORT_HEADER_NONE;
	return 0;
}

static int set_top(void *parsed, const char *argument, struct error *err)
{
	struct report_options *options = parsed;

	if (option_parse_unsigned(argument, &options->top, err) < 0)
		return -1;
	options->top_set = true;
	return 0;
}

static int set_percent_limit(void *parsed, const char *argument, struct error *err)
{
	struct report_options *options = parsed;

	if (option_parse_double(argument, &options->percent_limit, err))
		return -1;
	options->graph.min_percent = options->percent_limit; /* as perf: for rows and branches alike */
	return 0;
}

static int set_graph(void *parsed, const char *argument, struct error *err)
{
	struct report_options *options = parsed;

	options->graph_set = true;
	options->graph_bare = !argument;
	return row_graph_parse(&options->graph, argument, err);
}

static int set_no_graph(void *parsed, const char *argument, struct error *err)
{
	struct report_options *options = parsed;

	(void)argument, (void)err;
	options->graph_set = true;
	options->graph.style = ROW_GRAPH_OFF;
	return 0;
}

/* perf's "inverted" graph is the one that begins with the callers. */
static int set_inverted(void *parsed, const char *argument, struct error *err)
{
	(void)argument;
	return row_graph_parse(&((struct report_options *)parsed)->graph, "caller", err);
}

#define TEXT_ONLY_REFUSED                                                                               \
	OPTION_REFUSED(                                                                                 \
		"xprof report draws text; 'xprof flamegraph -o FILE.html' makes a page to look around " \
		"in")
#define GROUPS_REFUSED OPTION_REFUSED("xprof prints one table per event; --event NAME chooses one")
#define PARALLELISM_REFUSED                                                                           \
	OPTION_REFUSED("xprof does not know how many threads ran at a time; 'perf report --latency' " \
		       "(6.15 or newer) does, of recordings with context switches")

static const char *const pretty_choices[] = { "normal", "raw", NULL };

/* perf accepts any word; only "raw" means raw. */
static int set_pretty(void *parsed, const char *argument, struct error *err)
{
	(void)err;
	((struct report_options *)parsed)->raw_counts = strcmp(argument, "raw") == 0;
	return 0;
}

static int set_time_quantum(void *parsed, const char *argument, struct error *err)
{
	static const struct {
		const char *name;
		double nanoseconds;
	} units[] = { { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
	struct report_options *options = parsed;
	char *unit;
	const double number = strtod(argument, &unit);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (unit != argument && strcmp(unit, units[i].name) == 0 &&
		    number * units[i].nanoseconds >= 1 && number * units[i].nanoseconds < 1e18) {
			options->time_quantum_ns = (uint64_t)(number * units[i].nanoseconds);
			return 0;
		}
	return error_set(err, "'%s' is not a time, such as 1s, 50ms, 10us or 500ns", argument);
}

const struct option report_option_table[] = {
	OPTION_GROUP("Input"),
	OPTION_RECORDING(struct report_options, input),

	OPTION_GROUP("Views"),
	{ OPTION_CALLBACK(set_graph), .letter = 'g', .name = "call-graph", .placeholder = "TYPE,MIN,ORDER",
	  .argument_optional = true, .choices = row_graph_words, .comma_list = true,
	  .help = "show the call graph of each row below it",
	  .details =
		  "Takes words and numbers in any order, separated by commas. TYPE is graph (shares of the "
		  "event; the default), fractal (shares of the caller above), flat, folded or none. ORDER is "
		  "caller (begins with the outermost caller; the default when the table shows children) or "
		  "callee (begins with the sampled function; the default otherwise). The first number is the "
		  "least share of a branch in percent (default: 0.5), the second the number of branches "
		  "drawn at each place (default: all). percent, period and count choose the figure at each "
		  "branch. function (default), address and srcline choose what two calls must share to be "
		  "added up; the last two print source lines after the names.\n\nWithout this option the "
		  "table has no call graphs." },
	{ OPTION_BARE_CALLBACK(set_no_graph), .name = "no-call-graph", .help = "no call graphs (default)" },
	{ OPTION_BARE_CALLBACK(set_inverted), .letter = 'G', .name = "inverted",
	  .help = "show call graphs that begin with the callers; the same as -gcaller" },
	{ OPTION_FLAG(struct report_options, stack_summary), .name = "stacks",
	  .help = "show how complete the stacks are: which programs and libraries break them, and why",
	  .details =
		  "A stack that does not reach the start of its thread counts for the file of its outermost "
		  "frame. The columns count stacks. In samples: stacks that contain the file; Rooted: those "
		  "of them that reach the start of their thread; End there: those that end in the file too "
		  "soon; Share: their share of the stacks that contain the file. The other columns say why "
		  "stacks end there. No FP: the kernel's chain of frame pointers breaks; Unnamed: it ends in "
		  "the C library, and only its missing symbols could tell whether that is the start of the "
		  "thread; Dump: the stack dump is too short; Far: the callers are outside the dump, because "
		  "a signal handler ran on its own stack, or a page of the stack was not in memory; Depth: "
		  "the recording keeps no more callers; No CFI: there is neither unwind information nor a "
		  "valid frame pointer (JIT code of Java has one with -XX:+PreserveFramePointer); Bad CFI: "
		  "the unwind information leads nowhere; Bad RA: the return address points to no code. "
		  "Joined: stacks that --join-stacks continued here; Guessed: stacks that --guess continued. "
		  "By Code: callers found without unwind information, from what the instructions do to the "
		  "stack; Unproved: callers found by a frame pointer alone." },
	{ OPTION_FLAG(struct report_options, name_summary), .name = "names",
	  .help = "show which files have functions without names, why, and the remedy",
	  .details =
		  "Prints one line for each program, library or other place of code: the share of samples in "
		  "functions without a name, with callers also the share of samples whose stacks contain "
		  "such functions; the reason; and the remedy if xprof knows one: the package with the debug "
		  "symbols, --debuginfod, or the option that makes a run-time compiler write down its "
		  "functions. The header of the table has the first three lines." },
	{ OPTION_FLAG(struct report_options, histogram), .name = "histogram",
	  .help = "show how long threads waited, as a histogram whose classes double in width: for all "
		  "waits, then for each row",
	  .details =
		  "For recordings of 'xprof record --off-cpu'. --sort makes the rows (default: "
		  "comm,state,wait); five are shown unless --top is given. Each line is a class of "
		  "durations, with the number of such waits, their total time, and its share, also as a bar. "
		  "Times are measured; only some of the waits shorter than the recording's period were "
		  "sampled, so their number is an estimate. A thread that was woken and then waited for a "
		  "CPU counts as two waits." },
	{ OPTION_FLAG(struct report_options, folded), .name = "folded",
	  .help = "print one line per stack for flame graph tools: comm;root;...;leaf weight",
	  .details =
		  "Lines are sorted and equal lines added up. Blanks in command names become underscores, "
		  "semicolons become colons; frames without a name are [DSO] or [unknown]. If the recording "
		  "has several events, xprof takes the one with most samples unless --event names another; "
		  "on hybrid machines it adds up the same event of each kind of core." },
	{ OPTION_CHOICE(struct report_options, weight), .name = "weight", .choices = stack_weight_names,
	  .help = "weight of folded stacks: period (default) or samples" },
	{ OPTION_FLAG(struct report_options, annotate), .name = "annotate",
	  .help = "in folded stacks, append _[k] to kernel frames, _[j] to JIT code, _[i] to inlined functions",
	  .details = "Flame graph tools take their colours from these marks." },
	{ OPTION_FLAG(struct report_options, addresses), .name = "addrs",
	  .help = "in folded stacks, print the addresses of frames without a name" },
	{ OPTION_FLAG(struct report_options, json), .name = "json",
	  .help = "print everything as one JSON object: events, rows, stacks",
	  .details =
		  "The object has \"format\", \"version\", \"header\" (host, kernel, command line), "
		  "\"frames\" and \"events\". Each event has \"name\", \"total\" and \"shown\" sums, "
		  "\"rows\" as in the table with the same --sort, --children and filters, and \"stacks\", "
		  "whose \"frames\" are indexes into the object's \"frames\", outermost caller first. Sums "
		  "are {\"samples\", \"period\"}, integers; addresses are hexadecimal strings: offsets in "
		  "the DSO's file, run-time addresses for the kernel and JIT code." },

	{ OPTION_FLAG(struct report_options, blocks), .name = "blocks",
	  .help = "of recorded branches: show how often each basic block ran, its cycles and instructions per cycle",
	  .details =
		  "For recordings with branch stacks (xprof record -b). A basic block is code without a "
		  "branch into or out of its middle. Executions are counted in the recorded branch stacks "
		  "only. The cycles between two branches are divided among the blocks between them by their "
		  "instructions. --blocks, --loops and --indirect can be combined." },
	{ OPTION_FLAG(struct report_options, loops), .name = "loops",
	  .help = "of recorded branches: show loops, how often each was entered, and its trips",
	  .details = "A loop is a branch back within a function. Trips each is the mean number of iterations "
		     "per entry into the loop." },
	{ OPTION_FLAG(struct report_options, indirect), .name = "indirect",
	  .help = "of recorded branches: show indirect jumps and calls, where they led, and how many were mispredicted" },
	{ OPTION_FLAG(struct report_options, total_cycles), .name = "total-cycles",
	  .help = "of recorded branches: show the code that ran before each branch, most cycles first",
	  .details =
		  "As in perf: a row for each place that branches come from, with the cycles since the "
		  "previous branch. Sampled cycles: sum over all executions. Average cycles: per execution, "
		  "with its share of the sum of all averages. Branch counters (record -j counter): a letter for each "
		  "time that an event occurred before the branch, on average." },
	{ OPTION_STRING(struct report_options, binary), .name = "binary", .placeholder = "FILE",
	  .help = "with --blocks, --loops, --indirect, --total-cycles: this program or library, or "
		  "[kernel.kallsyms] (default: the one with most branches)",
	  .details = "The kernel's instructions are those of --vmlinux." },
	{ OPTION_FLAG(struct report_options, stats), .name = "stats",
	  .help = "print the number of records of each type and of samples of each event" },
	{ OPTION_FLAG(struct report_options, tasks), .name = "tasks",
	  .help = "print the recorded tasks, each below its parent" },
	{ OPTION_FLAG(struct report_options, mmaps), .name = "mmaps",
	  .help = "print the tasks and the code that each had mapped at the end" },
	{ OPTION_FLAG(struct report_options, thread_counts), .letter = 'T', .name = "threads",
	  .help = "below the table, print the counters of each thread (recorded with -s)" },
	{ OPTION_CALLBACK(set_pretty), .name = "pretty", .placeholder = "FORM", .choices = pretty_choices,
	  .help = "with -T: normal (one row per thread, default) or raw" },
	{ OPTION_FLAG(struct report_options, header_only), .name = "header-only",
	  .help = "print only the recording's header: machine, command line, events" },
	{ OPTION_FLAG(struct report_options, header_at_length), .letter = 'I', .name = "show-info",
	  .help = "print the recording's header above the table, with topology, caches and memory of the "
		  "machine" },
	{ OPTION_FLAG(struct report_options, dump), .letter = 'D', .name = "dump-raw-trace",
	  .help = "print the records of the file, as xprof dump does" },

	OPTION_GROUP("Stacks"),
	UNWIND_OPTION_CHOICE(struct report_options, stacks),
	UNWIND_OPTIONS(struct report_options, stacks),
	UNWIND_OPTION_WAKERS(struct report_options, stacks),

	OPTION_GROUP("The table"),
	{ OPTION_STRING(struct report_options, columns.sort), .letter = 's', .name = "sort",
	  .placeholder = "KEY[,KEY...]", .choices = column_names, .comma_list = true,
	  .help = "columns to group samples by; also the order of rows with equal share (default: "
		  "comm,dso,symbol)",
	  .details =
		  "Keys are comm, pid (a thread and its name, as in perf), tid (the same), tgid (the "
		  "process), dso, symbol, cpu, srcline and srcfile (source line and file), parent (see "
		  "--parent), cgroup, socket, comm_nodigit (names without their numbers), time (see "
		  "--time-quantum). For tracepoints: trace (all fields as text), the name of a field, as in "
		  "prev_comm, sched_switch.prev_pid or prev_state/raw, and trace_fields (all of them). For "
		  "memory accesses: weight (sum over the row) and local_weight (per sample), ins_lat, "
		  "p_stage_cyc and retire_lat likewise, mem, snoop, tlb, locked, blocked, symbol_daddr and "
		  "dso_daddr (the accessed data), phys_daddr, data_page_size, code_page_size; and "
		  "transaction. For time off the CPU (xprof record --off-cpu): state (sleeping, disk, "
		  "runqueue, preempted), wait (futex, pipe, poll ...), waker (a thread, or [timer], [IPI], "
		  "[softirq], [interrupt]) and wait_time (how long). For branches: symbol_from, symbol_to, "
		  "dso_from, dso_to, addr_from, addr_to, srcline_from, srcline_to (both ends), mispredict "
		  "(Y, N, or N/A where the CPU does not say), in_tx, abort, and cycles (since the branch "
		  "before). Names may be abbreviated. A leading + adds to the default." },
	{ OPTION_CALLBACK(set_time_quantum), .name = "time-quantum", .placeholder = "TIME",
	  .help = "width of the intervals in the column time: 1s, 50ms, 10us or 500ns (default: 100ms)" },
	{ OPTION_FLAG(struct report_options, nanoseconds), .name = "ns",
	  .help = "print the column time in nanoseconds" },
	{ OPTION_FLAG(struct report_options, raw_trace), .name = "raw-trace",
	  .help = "print fields of tracepoints as they are in the sample, not as the kernel's own trace "
		  "formats them" },
	{ OPTION_FLAG(struct report_options, mem_mode), .name = "mem-mode",
	  .help = "weigh memory accesses by their latency, and show columns about them",
	  .details =
		  "For recordings of memory events (xprof record -d -W). A sample counts by its weight in "
		  "cycles instead of its period, and the default of -s is "
		  "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,local_p_stage_cyc." },
	{ OPTION_FLAG(struct report_options, columns.branches), .letter = 'b', .name = "branch-stack",
	  .help = "show the recorded branches instead of the samples",
	  .details =
		  "For recordings with branch stacks (xprof record -b). Each branch counts 1, in the thread of its "
		  "sample; comm, dso and symbol are those of the branch target. The default of -s is "
		  "comm,dso_from,symbol_from,symbol_to,cycles. Using a branch key in -s has the same effect." },
	{ OPTION_FLAG(struct report_options, stacks.branch_history), .name = "branch-history",
	  .help = "show the branches before each sample as its innermost callers",
	  .details =
		  "For recordings with branch stacks (xprof record -b, best with -g). Each branch adds two "
		  "frames to the call graph: its target and, outside of that, its source. After a target the "
		  "graph shows how many branches were predicted, unless all were; after a source, the mean "
		  "cycles since the previous branch. Repeated iterations of a loop are shown once, with "
		  "their number ('iter') and cycles. Frames differ by address, inlined functions are not "
		  "shown, and the default of -s is srcline,symbol,dso." },
	{ OPTION_FLAG(struct report_options, hierarchy), .letter = 'H', .name = "hierarchy",
	  .help = "show the rows of each key below those of the previous key",
	  .details =
		  "With -s comm,dso each command has a row, and below it the libraries it spent its time in. "
		  "Keys in braces, as in -s '{comm,dso},sym', form one level. Children is not shown." },
	{ OPTION_STRING(struct report_options, columns.fields), .letter = 'F', .name = "fields",
	  .placeholder = "COLUMN[,COLUMN...]", .choices = column_names, .comma_list = true,
	  .help = "columns from left to right",
	  .details = "Takes the keys of --sort, and overhead, overhead_children, overhead_sys, overhead_us, "
		     "sample and period. Without --sort these columns order the rows, the first one first. A "
		     "leading + adds them to the default columns." },
	{ OPTION_FLAG(struct report_options, children), .name = "children",
	  .help = "also show each row's share including everything it called (default if there are call "
		  "chains)" },
	{ OPTION_BARE_CALLBACK(set_no_children), .name = "no-children",
	  .help = "show only each row's own share" },
	{ OPTION_FLAG(struct report_options, columns.samples), .letter = 'n', .name = "show-nr-samples",
	  .help = "add a column with the number of samples" },
	{ OPTION_FLAG(struct report_options, columns.period), .name = "show-total-period",
	  .help = "add a column with the sum of periods" },
	{ OPTION_FLAG(struct report_options, columns.cpu_utilization), .name = "show-cpu-utilization",
	  .help = "add columns with the shares of kernel and user mode" },
	{ OPTION_FLAG(struct report_options, columns.cpu_utilization), .name = "showcpuutilization",
	  .hidden = true, .help = "as older versions of perf called it" },
	{ OPTION_CALLBACK(set_percent_limit), .name = "percent-limit", .placeholder = "PERCENT",
	  .help = "leave out rows, and branches of call graphs, with a smaller share",
	  .details = "If the table has the column Children, the limit applies to it." },
	{ OPTION_CALLBACK(set_top), .name = "top", .placeholder = "N",
	  .help = "show at most N rows per event; 0: all (default: 40 on a terminal, all otherwise)" },
	{ OPTION_STRING(struct report_options, parent), .letter = 'p', .name = "parent",
	  .placeholder = "REGEX",
	  .help = "add a column with the caller whose name matches (default: " FUNCTION_PATTERN_PARENT ")",
	  .details =
		  "If several callers match, the column shows the outermost one, or with --no-children the "
		  "innermost; it shows [other] if none matches. The name of the column for --sort is parent." },
	{ OPTION_FLAG(struct report_options, exclude_other), .letter = 'x', .name = "exclude-other",
	  .help = "leave out samples with no caller that matches --parent" },
	{ OPTION_STRING(struct report_options, ignore_callees), .name = "ignore-callees",
	  .placeholder = "REGEX", .help = "count everything that matching functions call as their own",
	  .details = "All their work is then one row, and its call graph shows their callers." },
	{ OPTION_STRING(struct report_options, symbol_part), .name = "symbol-filter", .placeholder = "TEXT",
	  .help = "show only rows of functions with TEXT in their names" },
	{ OPTION_FLAG(struct report_options, hide_unresolved), .letter = 'U', .name = "hide-unresolved",
	  .help = "leave out samples, and rows, of functions without a name" },
	{ OPTION_NUMBER_LIST(struct report_options, widths), .letter = 'w', .name = "column-widths",
	  .placeholder = "WIDTH[,WIDTH...]", .comma_list = true,
	  .help = "set the widths of the first columns" },
	{ OPTION_STRING(struct report_options, separator), .letter = 't', .name = "field-separator",
	  .placeholder = "CHARACTER",
	  .help = "separate columns with CHARACTER instead of aligning them, for other programs",
	  .details = "If a name contains the character, a dot is printed instead." },

	OPTION_GROUP("Filters"),
	SAMPLE_CHOICE_EVENT(struct report_options, samples),
	SAMPLE_CHOICE_WALL(struct report_options, samples),
	SAMPLE_CHOICE_OPTIONS(struct report_options, samples, 'c'),
	SAMPLE_CHOICE_DSOS(struct report_options, samples),
	SAMPLE_CHOICE_CGROUPS(struct report_options, samples),
	SAMPLE_CHOICE_STACK(struct report_options, samples),
	{ OPTION_CALLBACK(set_cpus), .letter = 'C', .name = "cpu", .placeholder = "CPU[,CPU...]",
	  .completes = OPTION_COMPLETES_CPU, .comma_list = true, .help = "only on these CPUs, as in 0-3,8",
	  .details = "Percentages then refer to these CPUs. A list of names instead of numbers is taken as "
		     "--comms." },
	SAMPLE_CHOICE_TIME(struct report_options, samples),
	SAMPLE_CHOICE_WAITS(struct report_options, samples),
	SAMPLE_CHOICE_HIDE_IDLE(struct report_options, samples),
	{ OPTION_CHOICE(struct report_options, percentage), .name = "percentage", .choices = percentage_names,
	  .help = "percentages refer to: absolute (all samples; default) or relative (the samples that "
		  "filters keep)",
	  .details =
		  "--cpu and --time drop samples before anything is counted, so percentages always refer to "
		  "the rest." },

	OPTION_GROUP("Symbols"),
	SYMBOL_OPTIONS(struct report_options, symbols),
	SYMBOL_OPTION_INLINE(struct report_options, symbols),
	{ OPTION_FLAG(struct report_options, full_source_path), .name = "full-source-path",
	  .help = "print whole paths in the columns srcline and srcfile" },

	OPTION_GROUP("Output"),
	{ OPTION_BARE_CALLBACK(set_header), .name = "header",
	  .help = "print everything known about the quality of the recording (default: at most five lines)",
	  .details =
		  "The lines above the table say what is missing from its numbers, worst first, each with a "
		  "remedy: lost samples, cut call stacks, functions without names; then what was recorded. "
		  "This option adds each cause, the machine, and the sampling rate." },
	{ OPTION_BARE_CALLBACK(set_no_header), .name = "no-header", .help = "print only the table" },
	{ OPTION_FLAG(struct report_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "print rows only, no headings and no warnings" },
	{ OPTION_COUNT(struct report_options, verbose), .letter = 'v', .name = "verbose",
	  .help = "print whole paths of programs and libraries" },
	OPTION_COLOR(struct report_options, color),
	{ OPTION_CHOICE(struct report_options, color), .name = "stdio-color", .placeholder = "WHEN",
	  .choices = color_choices, .hidden = true, .help = "perf's name of --color" },
	OPTION_PAGER(struct report_options, pager),

	/* Options of perf: accepted if they change nothing here, refused otherwise. */
	PERF_OPTION_FORCE,
	PERF_OPTION_MODULES,
	PERF_OPTIONS_OF_NAMES,
	PERF_OPTION_ITRACE(struct report_options, itrace),
	PERF_OPTIONS_SWITCH,
	{ OPTION_ACCEPTED, .name = "stdio" },
	{ OPTION_ACCEPTED, .name = "ignore-vmlinux" },
	{ OPTION_ACCEPTED, .name = "disable-order" },
	{ OPTION_ACCEPTED, .name = "skip-empty" },
	{ OPTION_ACCEPTED, .name = "samples",
	  .placeholder = "N" },                 /* of perf's text interface, as all up to */
	{ OPTION_ACCEPTED, .name = "asm-raw" }, /* --percent-type */
	{ OPTION_ACCEPTED, .name = "source" },
	{ OPTION_ACCEPTED, .letter = 'M', .name = "disassembler-style", .placeholder = "STYLE" },
	{ OPTION_ACCEPTED, .name = "objdump", .placeholder = "PATH" },
	{ OPTION_ACCEPTED, .name = "prefix", .placeholder = "PREFIX" },
	{ OPTION_ACCEPTED, .name = "prefix-strip", .placeholder = "N" },
	{ OPTION_ACCEPTED, .name = "percent-type", .placeholder = "TYPE" },
	{ TEXT_ONLY_REFUSED, .name = "tui" },
	{ TEXT_ONLY_REFUSED, .name = "gtk" },
	{ GROUPS_REFUSED, .name = "group" },
	{ GROUPS_REFUSED, .name = "group-sort-idx" },
	{ OPTION_REFUSED(
		  "each event has the call chains that were recorded with it; --event NAME chooses the one "
		  "that has them"),
	  .name = "show-ref-call-graph" },
	{ OPTION_REFUSED("--cpu chooses CPUs; 'lscpu -e' shows which of them are in that socket"),
	  .name = "socket-filter" },
	{ PARALLELISM_REFUSED, .name = "latency" },
	{ PARALLELISM_REFUSED, .name = "parallelism" },
	OPTION_END,
};

void report_options_fini(struct report_options *options)
{
	number_list_fini(&options->widths);
	sample_choice_fini(&options->samples);
	symbol_options_fini(&options->symbols);
}
