/*
 * Most of the file is the table of options. print_samples() is the order of work: download, open, find the times of --time,
 * print; if no sample was printed, the recording is read once more, to say which samples there are.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/pager.h"
#include "report/dump/dump_run.h"
#include "report/dump/file_header.h"
#include "report/load/recording_file.h"
#include "report/load/sample_times.h"
#include "report/names/profile_namer.h"
#include "report/script/script_run.h"
#include "report/view/perf_options.h"
#include "report/view/recording_input.h"
#include "report/view/symbol_options.h"
#include "report/view/unwind_options.h"
#include "report/waits/sample_wait.h"

struct script_options {
	const char *itrace;
	const char *input;
	struct script_request request; /* what follows from several options is filled in by request_of() */
	bool has_fields;               /* false: use the defaults, which are no constant expression */
	bool hide_call_graph;
	struct text_list last_functions;
	bool header, header_only, header_at_length, dump;
	struct script_filter filter;
	struct symbol_options symbols;
	bool pager;
};

static void set_default_fields(struct script_options *options)
{
	if (!options->has_fields)
		options->request.style.fields = script_default_fields;
	options->has_fields = true;
}

static int parse_fields(void *parsed, const char *argument, struct error *err)
{
	struct script_options *options = parsed;

	set_default_fields(options);
	return script_fields_parse(&options->request.style.fields, argument, err);
}

#define SCRIPTS_REFUSED                                                                                      \
	OPTION_REFUSED("xprof runs no scripts and filters of perf's; 'perf script' does, of the same file. " \
		       "'xprof report --json' and 'xprof dump --json' are for programs of your own")
#define GUESTS_REFUSED \
	OPTION_REFUSED("xprof does not name the code of virtual machines; perf does, from the same file")

static const struct option script_table[] = {
	OPTION_GROUP("Input"),
	OPTION_RECORDING(struct script_options, input),

	{ OPTION_FLAG(struct script_options, header), .name = "header",
	  .help = "print the recording's header first: machine, command line, events" },
	{ OPTION_FLAG(struct script_options, header_only), .name = "header-only",
	  .help = "print only the recording's header" },
	{ OPTION_FLAG(struct script_options, header_at_length), .letter = 'I', .name = "show-info",
	  .help = "with --header or --header-only, also print topology, caches and memory of the machine" },
	{ OPTION_FLAG(struct script_options, dump), .letter = 'D', .name = "dump-raw-trace",
	  .help = "print the records of the file instead, as xprof dump does" },
	{ OPTION_FLAG(struct script_options, dump), .name = "dump-unsorted-raw-trace", .hidden = true,
	  .help = "the same: records come in the order of the file" },

	OPTION_GROUP("Filters"),
	SAMPLE_CHOICE_EVENT(struct script_options, filter.choice),
	SAMPLE_CHOICE_OPTIONS(struct script_options, filter.choice, 'c'),
	SAMPLE_CHOICE_DSOS_LONG(struct script_options, filter.choice),
	{ OPTION_U64(struct script_options, filter.address_range), .name = "addr-range",
	  .placeholder = "BYTES", .help = "with -S ADDRESS, also match the BYTES after the address" },
	SAMPLE_CHOICE_CPUS(struct script_options, filter.choice),
	SAMPLE_CHOICE_TIME(struct script_options, filter.choice),
	SAMPLE_CHOICE_WAITS(struct script_options, filter.choice),

	OPTION_GROUP("Output for each sample"),
	{ OPTION_CALLBACK(parse_fields), .letter = 'F', .name = "fields",
	  .placeholder = "[TYPE:]FIELD[,FIELD...]", .choices = script_field_names, .comma_list = true,
	  .help = "print these fields; +FIELD and -FIELD change the default",
	  .details =
		  "Fields are comm, tid, pid, time, cpu, event, trace, ip, sym, dso, addr, symoff, srcline, "
		  "period, iregs, uregs, brstack, brstacksym, brstackoff, brstackinsn, brstackinsnlen, brcntr, insn, "
		  "insnlen, data_src, weight, ins_lat, "
		  "bpf-output, phys_addr, data_page_size, code_page_size, misc, flags and tod (time of day, "
		  "of a recording with -k); ipc, synth, callindent, machine_pid and vcpu are accepted but "
		  "print nothing, because only perf's own decoders have these values. brcntr adds to "
		  "brstackinsn the events that were counted before each branch (record -j counter). A branch of brstack is "
		  "FROM/TO/PREDICTED/TRANSACTION/ABORT/CYCLES/TYPE, and /SPECULATION if the CPU recorded it.\n\n"
		  "TYPE restricts the choice to events of one type: hw, sw, trace, raw, break or synth; "
		  "without TYPE it applies to all events. Default fields that an event does not sample are "
		  "left out." },
	{ OPTION_FLAG(struct script_options, hide_call_graph), .letter = 'G', .name = "hide-call-graph",
	  .help = "print no call chains: one line per sample" },
	{ OPTION_TEXT_LIST(struct script_options, last_functions), .name = "stop-bt",
	  .placeholder = "SYMBOL[,SYMBOL...]", .comma_list = true,
	  .help = "end call chains with the first of these functions" },
	{ OPTION_UNSIGNED(struct script_options, request.style.stacks.max_stack), .name = "max-stack",
	  .placeholder = "N", .minimum = 1,
	  .help = "print at most N frames of a call chain, and N of a stack dump (default: all)" },
	UNWIND_OPTION_CHOICE(struct script_options, request.style.stacks),
	{ OPTION_FLAG(struct script_options, request.style.stacks.join_stacks), .name = "join-stacks",
	  .help = "continue stacks deeper than their dump with another stack of their thread, after a line "
		  "'# [joined]'",
	  .details = "See xprof report, where this is the default." },
	{ OPTION_FLAG(struct script_options, request.style.stacks.guess), .name = "guess",
	  .help = "guess callers where a stack dump cannot be unwound any farther, after a line '# [guessed]'" },
	{ OPTION_FLAG(struct script_options, request.style.nanoseconds), .name = "ns",
	  .help = "print times in nanoseconds" },
	{ OPTION_FLAG(struct script_options, request.style.relative_time), .name = "reltime",
	  .help = "print times since the first sample" },
	{ OPTION_FLAG(struct script_options, request.style.delta_time), .name = "deltatime",
	  .help = "print times since the previous sample" },

	OPTION_GROUP("Other records"),
	{ OPTION_FLAG(struct script_options, request.show_task_events), .name = "show-task-events",
	  .help = "print when threads started, exited and were renamed" },
	{ OPTION_FLAG(struct script_options, request.show_mmap_events), .name = "show-mmap-events",
	  .help = "print mappings" },
	{ OPTION_FLAG(struct script_options, request.show_switch_events), .name = "show-switch-events",
	  .help = "print context switches" },
	{ OPTION_FLAG(struct script_options, request.show_lost_events), .name = "show-lost-events",
	  .help = "print where samples were lost" },
	{ OPTION_FLAG(struct script_options, request.show_namespace_events), .name = "show-namespace-events",
	  .help = "print the namespaces of threads" },
	{ OPTION_FLAG(struct script_options, request.show_cgroup_events), .name = "show-cgroup-events",
	  .help = "print the cgroups" },
	{ OPTION_FLAG(struct script_options, request.show_bpf_events), .name = "show-bpf-events",
	  .help = "print BPF programs as they were loaded and unloaded, and new kernel symbols" },
	{ OPTION_FLAG(struct script_options, request.show_text_poke_events), .name = "show-text-poke-events",
	  .help = "print where the kernel changed its own code" },
	{ OPTION_FLAG(struct script_options, request.show_round_events), .name = "show-round-events",
	  .help = "print the ends of rounds; all output is then in the order of the file, not of time" },

	OPTION_GROUP("Names"),
	SYMBOL_OPTIONS(struct script_options, symbols),
	SYMBOL_OPTION_INLINE(struct script_options, symbols),
	{ OPTION_FLAG(struct script_options, request.style.full_source_path), .name = "full-source-path",
	  .help = "print whole paths in the field srcline" },
	{ OPTION_FLAG(struct script_options, request.style.counts_in_full), .letter = 'v', .name = "verbose",
	  .help = "in the field brcntr, print the name and count of each event instead of letters" },
	OPTION_PAGER(struct script_options, pager),

	/* Options of perf: accepted if they change nothing here, refused otherwise. */
	PERF_OPTION_FORCE,
	PERF_OPTIONS_OF_NAMES,
	PERF_OPTION_STITCH_LBR,
	PERF_OPTION_ITRACE(struct script_options, itrace),
	PERF_OPTIONS_SWITCH,
	{ OPTION_ACCEPTED, .letter = 'd', .name = "debug-mode" }, /* losses and damage are always reported */
	{ OPTION_ACCEPTED, .name = "merge-callchains" },          /* deferred chains are always merged */
	{ OPTION_ACCEPTED, .name = "show-kernel-path" },
	{ OPTION_ACCEPTED, .name = "max-blocks", .placeholder = "N" },
	{ PERF_TRACES_REFUSED, .name = "insn-trace" },
	{ PERF_TRACES_REFUSED, .name = "call-trace" },
	{ PERF_TRACES_REFUSED, .name = "call-ret-trace" },
	{ PERF_TRACES_REFUSED, .name = "graph-function" },
	{ PERF_TRACES_REFUSED, .name = "xed" },
	{ SCRIPTS_REFUSED, .letter = 'g', .name = "gen-script" },
	{ SCRIPTS_REFUSED, .letter = 's', .name = "script" },
	{ SCRIPTS_REFUSED, .letter = 'l', .name = "list" },
	{ SCRIPTS_REFUSED, .name = "dlfilter" },
	{ SCRIPTS_REFUSED, .name = "dlarg" },
	{ SCRIPTS_REFUSED, .name = "list-dlfilters" },
	{ GUESTS_REFUSED, .name = "guest-code" },
	{ GUESTS_REFUSED, .name = "guestkallsyms" },
	{ GUESTS_REFUSED, .name = "guestmodules" },
	{ GUESTS_REFUSED, .name = "guestmount" },
	{ GUESTS_REFUSED, .name = "guestvmlinux" },
	{ OPTION_REFUSED("xprof script reads recordings; 'xprof record -a' records all CPUs"), .letter = 'a',
	  .name = "all-cpus" },
	{ OPTION_REFUSED("xprof has no columns for them; -F +misc shows whether the kernel or a program ran"),
	  .letter = 'L', .name = "Latency" },
	{ OPTION_REFUSED(
		  "all samples go to standard output, with the name of their event; --event NAME prints one "
		  "event's"),
	  .name = "per-event-dump" },
	OPTION_END,
};

static struct script_request request_of(const struct script_options *options,
					const struct debug_downloads *downloads)
{
	struct script_request request = options->request;

	request.style.callchains = !options->hide_call_graph;
	request.style.inlines = options->symbols.inlines;
	if (options->last_functions.items)
		request.style.last_functions = &options->last_functions;
	request.filter = &options->filter;
	request.symbols = symbol_options_symbolizer(&options->symbols, downloads);
	request.out = stdout;
	request.to_terminal = isatty(STDOUT_FILENO);
	return request;
}

/* Says on stderr what is missing from the output, a line for each kind of loss. */
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
	if (perf_file_has_trace(file))
		fprintf(stderr, "xprof: %s: %s\n", perf_file_path(file), perf_options_traces_are_left_out);
}

static void print_header(const struct script_options *options, const struct perf_file *file)
{
	struct strbuf text = STRBUF_INIT;

	file_header_add(&text, file, options->header_at_length);
	fwrite(text.bytes, 1, text.size, stdout);
	strbuf_fini(&text);
}

static int print_file(struct script_options *options, const struct debug_downloads *downloads,
		      const struct recording_file *recording, uint64_t *samples, struct error *err)
{
	struct script_request request =
		request_of(options, downloads); /* before the pager replaces the terminal */
	struct script_losses losses;
	struct pager *pager = pager_start(options->pager);
	int result;

	request.symbols.archive = recording->archive;
	if (options->header || options->header_only)
		print_header(options, recording->file);
	result = options->header_only ? 0 : script_run(recording->file, &request, &losses, err);
	pager_finish(pager);
	if (result == 0 && !options->header_only)
		report_losses(recording->file, &losses);
	*samples = result == 0 && !options->header_only ? losses.samples : UINT64_MAX;
	return result;
}

/*
 * The hottest files are known only after the last sample, so samples are read twice if something can be
 * downloaded.
 */
static struct debug_downloads *download(const struct script_options *options)
{
	const unsigned int detail = options->symbols.inlines ? NAMING_INLINES : 0;
	struct debug_downloads *downloads = symbol_options_downloads(&options->symbols, detail, false);
	const struct recording_request request = {
		.path = options->input,
		.load.stacks = options->request.style.stacks,
		.load.detail = detail,
		.load.symbols = symbol_options_symbolizer(&options->symbols, downloads),
		.downloads = downloads,
	};

	recording_input_download(&request);
	return downloads;
}

/* Samples are printed as they are read. If none was printed, reads all of them once more to say which samples there are. */
static void warn_of_choice(const struct script_options *options, const struct debug_downloads *downloads)
{
	const struct recording_request request = {
		.path = options->input,
		.time = options->filter.choice.time,
		.choice = &options->filter.choice,
		.load.stacks = { .unwind = UNWIND_FP },
		.load.symbols = symbol_options_symbolizer(&options->symbols, downloads),
	};
	struct recording_input input;

	if (strcmp(options->input, "-") != 0 && recording_input_open(&input, &request, NULL) == 0)
		recording_input_close(&input);
}

/* Called after the last record: a pipe has its events among the records. */
static int check_waits(const struct script_options *options, const struct perf_file *file, struct error *err)
{
	if (!wait_choice_is_made(&options->filter.choice.waits))
		return 0;
	for (size_t i = 0; i < perf_file_event_count(file); i++)
		if (sample_wait_is_event(perf_file_event(file, i)->name))
			return 0;
	return error_set(err, "%s: --wait: time off the CPU was not recorded: use 'xprof record --off-cpu'",
			 options->input);
}

static int print_samples(struct script_options *options, struct error *err)
{
	struct debug_downloads *downloads = download(options);
	struct recording_file recording;
	uint64_t samples = UINT64_MAX;
	int result = CLI_FAILED;

	if (recording_file_open(&recording, options->input, err) == 0) {
		if (perf_options_check_traces(options->itrace, perf_file_has_trace(recording.file),
					      perf_file_path(recording.file), err) == 0 &&
		    sample_times_ranges(recording.file, options->filter.choice.time, &options->filter.times,
					err) == 0)
			result = print_file(options, downloads, &recording, &samples, err);
		if (samples == 0 && check_waits(options, recording.file, err)) {
			samples = UINT64_MAX;
			result = CLI_FAILED;
		}
		recording_file_close(&recording);
	}
	if (samples == 0)
		warn_of_choice(options, downloads);
	debug_downloads_destroy(downloads);
	return result;
}

static int print_records(const struct script_options *options, struct error *err)
{
	return dump_run(&(struct dump_request){ .input = options->input,
						.records = true,
						.offset_to = UINT64_MAX,
						.pager = options->pager },
			err);
}

static int run_script(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct script_options *options = parsed;
	int result;

	if (options->request.style.relative_time && options->request.style.delta_time)
		return cli_usage_error(err,
				       "--reltime and --deltatime: times are from one point or the other");
	if (operand_count && options->input)
		return cli_usage_error(err, "name the file once, with -i or without");
	if (operand_count)
		options->input = operands[0];
	if (!options->input)
		options->input = recording_file_default();
	set_default_fields(options);
	if (symbol_options_check(&options->symbols, err))
		result = CLI_FAILED;
	else
		result = options->dump ? print_records(options, err) : print_samples(options, err);
	text_list_fini(&options->last_functions);
	sample_choice_fini(&options->filter.choice);
	symbol_options_fini(&options->symbols);
	return result;
}

const struct cli_command cmd_script = {
	.name = "script",
	.summary = "print the samples of a recording as text, one by one",
	.usage = (const char *const[]){ "[-F FIELDS] [-G] [-i FILE] [FILE]", NULL },
	.description =
		(const char *const[]){
			"Prints each sample in order of time: thread, place, time, event, and the call chain "
			"below it. The layout is that of perf script, so programs that read its output read "
			"this: stackcollapse-perf.pl, the Firefox Profiler and many others.",
			"User addresses of call chains are printed as addresses in their file, as perf "
			"prints them, the kernel's as recorded. Stack dumps (record --call-graph dwarf) are "
			"unwound. A sample without a call chain is one line.",
			NULL },
	.options = script_table,
	.options_size = sizeof(struct script_options),
	.defaults = &(const struct script_options){ .symbols = SYMBOL_OPTION_DEFAULTS, .pager = true },
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof script | stackcollapse-perf.pl | flamegraph.pl >flames.svg",
			  "The classic." },
			{ "xprof script -G -F comm,tid,time,event,ip,sym",
			  "One line per sample, with these columns." },
			{ "xprof script -F +addr,+weight", "The default fields and two more." },
			{ "xprof script --time 10%-20% -c make", "What make did in the second tenth." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-script(1)", NULL },
	.run = run_script,
};
