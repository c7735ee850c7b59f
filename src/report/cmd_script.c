#include "report/cmd_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/pager.h"
#include "report/script_run.h"

enum { MAX_STACK_DEPTH = 127 }; /* PERF_MAX_STACK_DEPTH */

struct script_options {
	const char *input;
	struct script_fields fields;
	bool has_fields; /* otherwise they are the defaults, which are no constant expression */
	bool hide_call_graph, nanoseconds, relative_time, delta_time;
	unsigned int max_stack; /* 0: not given */
	int unwind;             /* enum unwind_choice */
	bool join_stacks;
	bool guess;
	struct script_filter filter;
	const char *time;
	bool task_events, mmap_events, switch_events, lost_events;
	bool namespace_events, cgroup_events, bpf_events, text_poke_events, round_events;
	const char *symfs, *kallsyms, *vmlinux;
	struct text_list debug_dirs;
	bool demangle, cache, inlines, full_source_path, pager;
};

static const char *const unwind_choices[] = { "auto", "fp", "dwarf", NULL }; /* enum unwind_choice */

static void set_default_fields(struct script_options *options)
{
	if (!options->has_fields)
		options->fields = script_default_fields;
	options->has_fields = true;
}

static int parse_fields(void *parsed, const char *argument, struct error *err)
{
	struct script_options *options = parsed;

	set_default_fields(options);
	return script_fields_parse(&options->fields, argument, err);
}

static const struct option script_table[] = {
	OPTION_GROUP("What is read"),
	{ OPTION_STRING(struct script_options, input), .letter = 'i', .name = "input", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE, .help = "read FILE; - is standard input (default: perf.data)" },

	OPTION_GROUP("Which samples"),
	{ OPTION_TEXT_LIST(struct script_options, filter.comms), .letter = 'c', .name = "comms",
	  .placeholder = "COMM[,COMM...]", .comma_list = true,
	  .help = "only samples of threads with these command names" },
	{ OPTION_NUMBER_LIST(struct script_options, filter.pids), .name = "pid",
	  .placeholder = "PID[,PID...]", .comma_list = true, .help = "only samples of these processes" },
	{ OPTION_NUMBER_LIST(struct script_options, filter.tids), .name = "tid",
	  .placeholder = "TID[,TID...]", .comma_list = true, .help = "only samples of these threads" },
	{ OPTION_NUMBER_LIST(struct script_options, filter.cpus), .letter = 'C', .name = "cpu",
	  .placeholder = "CPU[,CPU...]", .comma_list = true, .completes = OPTION_COMPLETES_CPU,
	  .help = "only samples on these CPUs; ranges as in 0-3,8" },
	{ OPTION_TEXT_LIST(struct script_options, filter.symbols), .letter = 'S', .name = "symbols",
	  .placeholder = "SYMBOL[,SYMBOL...]", .comma_list = true,
	  .help = "only samples in these functions" },
	{ OPTION_STRING(struct script_options, time), .name = "time", .placeholder = "START,STOP",
	  .help = "only samples of this span, in seconds of the recording's clock, or percent of it (10%-20%)",
	  .details =
		  "Either end may be missing: 100.5, or ,101. Percentages refer to the first and the last sample, "
		  "as far as the recording says when they were." },

	OPTION_GROUP("What is printed of a sample"),
	{ OPTION_CALLBACK(parse_fields), .letter = 'F', .name = "fields",
	  .placeholder = "[TYPE:]FIELD[,FIELD...]", .choices = script_field_names, .comma_list = true,
	  .help = "print these fields; +FIELD and -FIELD change the default",
	  .details =
		  "Fields are comm, tid, pid, time, cpu, event, trace, ip, sym, dso, addr, symoff, srcline, period, iregs, uregs, "
		  "brstack, brstacksym, brstackoff, data_src, weight, ins_lat, bpf-output, phys_addr, data_page_size, "
		  "code_page_size, misc, flags and tod (time of day, of a recording with -k); ipc, synth, callindent, "
		  "machine_pid and vcpu are accepted, though only perf's own decoders have something to print there.\n\n"
		  "In front of a colon the type of the events that are meant: hw, sw, trace, raw, break or synth; "
		  "without one it is all of them. Fields of a default that an event does not sample are left out." },
	{ OPTION_FLAG(struct script_options, hide_call_graph), .letter = 'G', .name = "hide-call-graph",
	  .help = "no call chains: one line a sample" },
	{ OPTION_UNSIGNED(struct script_options, max_stack), .name = "max-stack", .placeholder = "N",
	  .minimum = 1,
	  .help = "at most N frames of a call chain (default: 127), and N of a stack dump (default: all)" },
	{ OPTION_CHOICE(struct script_options, unwind), .name = "unwind", .choices = unwind_choices,
	  .help = "how call chains of samples with a stack dump are found (default: auto)",
	  .details =
		  "\"dwarf\" unwinds the dump with the call frame information of the programs and libraries; "
		  "\"fp\" takes the call chain that the kernel recorded, and follows frame pointers through the "
		  "dump where it recorded none; \"auto\" unwinds the dump, except where the recorded chain gets "
		  "farther." },
	{ OPTION_FLAG(struct script_options, join_stacks), .name = "join-stacks",
	  .help = "stacks deeper than their dump go on by another stack of their thread, marked [joined]",
	  .details = "See xprof report, where this is the default." },
	{ OPTION_FLAG(struct script_options, guess), .name = "guess",
	  .help = "where a stack dump cannot be unwound any farther, guess callers, marked [guessed]" },
	{ OPTION_FLAG(struct script_options, nanoseconds), .name = "ns", .help = "times in nanoseconds" },
	{ OPTION_FLAG(struct script_options, relative_time), .name = "reltime",
	  .help = "times from the first sample on" },
	{ OPTION_FLAG(struct script_options, delta_time), .name = "deltatime",
	  .help = "times from the sample before" },

	OPTION_GROUP("What else is printed"),
	{ OPTION_FLAG(struct script_options, task_events), .name = "show-task-events",
	  .help = "when threads began, ended and were renamed" },
	{ OPTION_FLAG(struct script_options, mmap_events), .name = "show-mmap-events",
	  .help = "what was mapped" },
	{ OPTION_FLAG(struct script_options, switch_events), .name = "show-switch-events",
	  .help = "context switches" },
	{ OPTION_FLAG(struct script_options, lost_events), .name = "show-lost-events",
	  .help = "where samples were lost" },
	{ OPTION_FLAG(struct script_options, namespace_events), .name = "show-namespace-events",
	  .help = "which namespaces threads were in" },
	{ OPTION_FLAG(struct script_options, cgroup_events), .name = "show-cgroup-events",
	  .help = "which cgroups there were" },
	{ OPTION_FLAG(struct script_options, bpf_events), .name = "show-bpf-events",
	  .help = "BPF programs that were loaded and unloaded, and symbols that the kernel got" },
	{ OPTION_FLAG(struct script_options, text_poke_events), .name = "show-text-poke-events",
	  .help = "where the kernel changed its own code" },
	{ OPTION_FLAG(struct script_options, round_events), .name = "show-round-events",
	  .help = "where rounds of records end; all is in the order of the file then, not of time" },

	OPTION_GROUP("Names"),
	{ OPTION_STRING(struct script_options, symfs), .name = "symfs", .placeholder = "DIRECTORY",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "look for programs and libraries below this directory" },
	{ OPTION_TEXT_LIST(struct script_options, debug_dirs), .name = "debug-dir",
	  .placeholder = "DIRECTORY[,DIRECTORY...]", .completes = OPTION_COMPLETES_FILE,
	  .help = "separate debug files are in these directories instead of /usr/lib/debug" },
	{ OPTION_STRING(struct script_options, kallsyms), .name = "kallsyms", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "the kernel's symbols are in this copy of /proc/kallsyms" },
	{ OPTION_STRING(struct script_options, vmlinux), .letter = 'k', .name = "vmlinux",
	  .placeholder = "FILE", .completes = OPTION_COMPLETES_FILE,
	  .help = "the kernel's symbols are in this file" },
	{ OPTION_NEGATABLE(struct script_options, demangle), .name = "demangle",
	  .help = "C++, Rust and D names as in the source (default)" },
	{ OPTION_NEGATABLE(struct script_options, cache), .name = "cache",
	  .help = "keep what was found in large debug information for the next time, in ~/.cache/xprof "
		  "(default)" },
	{ OPTION_NEGATABLE(struct script_options, inlines), .name = "inline",
	  .help = "functions that were inlined are frames of call chains, marked (inlined), where there is debug "
		  "information (default)" },
	{ OPTION_FLAG(struct script_options, full_source_path), .name = "full-source-path",
	  .help = "whole paths in the field srcline" },
	OPTION_PAGER(struct script_options, pager),
	OPTION_END,
};

static int parse_times(struct script_options *options, const struct perf_file *file, struct error *err)
{
	const struct perf_features *features = perf_file_features(file);

	if (!options->time)
		return 0;
	if (time_ranges_parse(&options->filter.times, options->time, features->first_sample_ns,
			      features->last_sample_ns, err) != 0)
		return error_wrap(err, "--time");
	return 0;
}

static struct script_request request_of(const struct script_options *options)
{
	return (struct script_request){
		.style = { .fields = options->fields,
			   .callchains = !options->hide_call_graph,
			   .nanoseconds = options->nanoseconds,
			   .relative_time = options->relative_time,
			   .delta_time = options->delta_time,
			   .max_stack = options->max_stack ? options->max_stack : MAX_STACK_DEPTH,
			   .max_frames = options->max_stack,
			   .unwind = (enum unwind_choice)options->unwind,
			   .inlines = options->inlines,
			   .full_source_path = options->full_source_path,
			   .join_stacks = options->join_stacks,
			   .guess = options->guess },
		.filter = &options->filter,
		.symbols = { .symfs = options->symfs,
			     .debug_dirs = options->debug_dirs.items,
			     .kallsyms_path = options->kallsyms,
			     .vmlinux_path = options->vmlinux,
			     .cache = options->cache,
			     .demangle = options->demangle },
		.out = stdout,
		.to_terminal = isatty(STDOUT_FILENO),
		.show_task_events = options->task_events,
		.show_mmap_events = options->mmap_events,
		.show_switch_events = options->switch_events,
		.show_lost_events = options->lost_events,
		.show_namespace_events = options->namespace_events,
		.show_cgroup_events = options->cgroup_events,
		.show_bpf_events = options->bpf_events,
		.show_text_poke_events = options->text_poke_events,
		.show_round_events = options->round_events,
	};
}

/* What is missing from the output is said beside it, in one line. */
static void report_losses(const struct perf_file *file, const struct script_losses *losses)
{
	const struct perf_file_damage *damage = perf_file_damage(file);

	if (damage->first_reason[0])
		fprintf(stderr,
			"xprof: %s: %s (offset 0x%" PRIx64 "; %" PRIu64
			" records skipped); 'xprof dump --summary' says more\n",
			perf_file_path(file), damage->first_reason, damage->first_offset,
			damage->skipped_records);
	if (losses->damaged_records || losses->unknown_event_samples)
		fprintf(stderr,
			"xprof: %s: left out: %" PRIu64 " records that are damaged, %" PRIu64
			" samples of no known event; 'xprof dump' shows them\n",
			perf_file_path(file), losses->damaged_records, losses->unknown_event_samples);
}

static int print_file(struct script_options *options, struct perf_file *file, struct error *err)
{
	const struct script_request request =
		request_of(options); /* before the pager takes the terminal's place */
	struct script_losses losses;
	struct pager *pager = pager_start(options->pager);
	int result = script_run(file, &request, &losses, err);

	pager_finish(pager);
	if (result == 0)
		report_losses(file, &losses);
	return result;
}

static void fini_filter(struct script_filter *filter)
{
	text_list_fini(&filter->comms);
	text_list_fini(&filter->symbols);
	number_list_fini(&filter->pids);
	number_list_fini(&filter->tids);
	number_list_fini(&filter->cpus);
}

static int run_script(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct script_options *options = parsed;
	struct perf_file *file;
	int result = CLI_FAILED;

	if (options->relative_time && options->delta_time)
		return cli_usage_error(err,
				       "--reltime and --deltatime: times are from one point or the other");
	if (operand_count && options->input)
		return cli_usage_error(err, "name the file once, with -i or without");
	if (operand_count)
		options->input = operands[0];
	set_default_fields(options);
	file = perf_file_open(options->input ? options->input : "perf.data", err);
	if (file && parse_times(options, file, err) == 0)
		result = print_file(options, file, err);
	perf_file_close(file);
	fini_filter(&options->filter);
	text_list_fini(&options->debug_dirs);
	return result;
}

const struct cli_command cmd_script = {
	.name = "script",
	.summary = "print the samples of a recording as text, one by one",
	.usage = (const char *const[]){ "[-F FIELDS] [-G] [-i FILE] [FILE]", NULL },
	.description =
		(const char *const[]){
			"Prints each sample in order of time: who, where, when, which event, and the call chain below it. "
			"The layout is that of perf script, so that what reads its output reads this: "
			"stackcollapse-perf.pl, the Firefox Profiler and many others.",
			"User addresses of call chains are addresses in their file, as perf prints them, the kernel's are "
			"as they were. Stack dumps (record --call-graph dwarf) are unwound. Samples that a recording has no call "
			"chain for are one line each.",
			NULL },
	.options = script_table,
	.options_size = sizeof(struct script_options),
	.defaults =
		&(const struct script_options){
			.demangle = true, .cache = true, .inlines = true, .pager = true },
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof script | stackcollapse-perf.pl | flamegraph.pl >flames.svg",
			  "The classic." },
			{ "xprof script -G -F comm,tid,time,event,ip,sym",
			  "One line a sample, with these columns." },
			{ "xprof script -F +addr,+weight", "The default and two more." },
			{ "xprof script --time 10%-20% -c make", "What make did in the second tenth." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-script(1)", NULL },
	.run = run_script,
};
