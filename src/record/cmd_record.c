/*
 * From options to a recording: run_record() checks the usage, chooses output and target, fills in the plan and parses the
 * events; record() runs the plan. Remarks for the user gather in `notices` and are printed once the recording is open. The
 * option table is in record_options.c; the recording itself is in recording.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_place.h"
#include "build_options.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "format/write/output_file.h"
#include "record/event/call_graph.h"
#include "record/event/event_filter.h"
#include "record/event/event_parser.h"
#include "record/machine_probe.h"
#include "record/record_options.h"
#include "record/recording.h"
#include "record/recording_messages.h"

enum { WORKLOAD_PATIENCE_MS = 2000 /* then say that xprof waits for the command to end */ };

/* Prints each line of `notices` as a message of its own. */
static void print_notices(struct strbuf *notices, bool quiet)
{
	for (const char *line = notices->bytes; !quiet && line && *line; line += strcspn(line, "\n") + 1)
		fprintf(stderr, "xprof: %.*s\n", (int)strcspn(line, "\n"), line);
	strbuf_reset(notices);
}

static int parse_events(struct event_specs *specs, struct record_options *options, struct error *err)
{
	const struct option_strings *texts = &options->events;

	if (texts->count == 0) {
		if (event_specs_parse(specs, "cycles", &event_sources_system, err) < 0)
			return -1;
		specs->items[0].precise_max = true;
		return event_cgroups_apply(&options->cgroup_lists, 0, specs, err);
	}
	if (event_cgroups_apply(&options->cgroup_lists, 0, specs, err) < 0)
		return -1;
	for (size_t i = 0; i < texts->count; i++) {
		const size_t first = specs->count;

		if (event_specs_parse(specs, texts->items[i], &event_sources_system, err) < 0 ||
		    event_filters_apply(&options->filters, i + 1, specs, first, &event_sources_system, err) <
			    0 ||
		    event_cgroups_apply(&options->cgroup_lists, i + 1, specs, err) < 0)
			return -1;
	}
	return 0;
}

/* Also applies the options that concern all events. */
static int parse_all_events(struct event_specs *specs, struct record_options *options, struct error *err)
{
	if (parse_events(specs, options, err) < 0)
		return -1;
	if (options->one_group)
		event_specs_group(specs);
	if (options->exclude_self)
		event_filters_exclude_process(specs, getpid());
	if (options->all_user || options->all_kernel)
		return event_specs_restrict(specs, options->all_user ? "u" : "k", err);
	return 0;
}

/*
 * The events of the command line and every context switch, for --off-cpu where BPF cannot time waits. Returns -1 if this machine
 * or this user has no tracepoints.
 */
static int parse_switches(struct event_specs *specs, struct record_options *options)
{
	struct error none;

	if (parse_all_events(specs, options, &none) < 0)
		return -1;
	return event_specs_parse(specs, "sched:sched_switch", &event_sources_system, &none);
}

/* As perf, takes a pipe on standard output for the recording, unless messages go into it as well ("2>&1 | tee log"). */
static void choose_output(struct recording_plan *plan, struct strbuf *notices)
{
	struct stat st;

	if (plan->output)
		return;
	plan->output = "perf.data";
	if (fstat(STDOUT_FILENO, &st) != 0 || !S_ISFIFO(st.st_mode) ||
	    output_file_leads_to("-", STDERR_FILENO))
		return;
	plan->output = "-";
	strbuf_adds(notices,
		    "standard output is a pipe: the recording goes there; -o perf.data writes a file\n");
}

static int check_output(const char *output, struct error *err)
{
	if (strcmp(output, "-") == 0 && isatty(STDOUT_FILENO))
		return cli_usage_error(
			err, "-o - writes binary data, and standard output is a terminal: redirect it");
	if (output_file_leads_to(output, STDERR_FILENO))
		return cli_usage_error(err,
				       "-o %s: standard error leads there too, and messages would destroy "
				       "the recording: leave out 2>&1, or choose another file",
				       output);
	return 0;
}

static bool is_special_output(const char *output)
{
	return strcmp(output, "-") == 0 || file_place_at(output) == FILE_PLACE_SPECIAL;
}

static int check_usage(const struct record_options *options, struct error *err)
{
	const struct recording_plan *plan = &options->plan;
	const struct sampling_options *sampling = &plan->options.sampling;

	if (sampling->period && options->rate.given)
		return cli_usage_error(err,
				       "-c and -F exclude each other: every N events, or HZ times a second");
	if (sampling->user_callchains && sampling->kernel_callchains)
		return cli_usage_error(err,
				       "--user-callchains and --kernel-callchains together leave nothing");
	if (options->all_user && options->all_kernel)
		return cli_usage_error(err, "--all-user and --all-kernel together leave nothing");
	if (plan->max_files && !plan->switches.given)
		return cli_usage_error(err, "--switch-max-files needs --switch-output");
	if (plan->options.overwrite && (plan->switches.size_bytes || plan->max_bytes))
		return cli_usage_error(
			err, "--overwrite cannot begin a new file at a size: use --switch-output=TIME or "
			     "--switch-output=signal");
	if (plan->switches.given && is_special_output(plan->output))
		return cli_usage_error(
			err, "--switch-output makes several files: give -o the name of a file, not a pipe or "
			     "a device");
	if (plan->off_cpu_period_ns &&
	    (plan->options.overwrite || plan->control || plan->sampling.span_count > 1))
		return cli_usage_error(
			err, "--off-cpu measures waits from start to end: leave out --overwrite, --control, "
			     "and all but one range of -D");
	return check_output(plan->output, err);
}

/* Fills in what follows from several options, or from none. */
static void complete_plan(struct record_options *options)
{
	struct recording_plan *plan = &options->plan;
	struct sampling_options *sampling = &plan->options.sampling;

	sampling->frequency = options->rate.frequency;
	sampling->rate_given = sampling->period || options->rate.given;
	sampling->extras.cgroup = sampling->cgroups;
	plan->version = XPROF_VERSION;
	plan->say = recording_messages_say;
	plan->time_in_name =
		plan->switches.given || (options->timestamp_filename && !is_special_output(plan->output));
	if (!options->quiet && plan->switches.given)
		plan->file_kept = recording_messages_file;
}

/* If the command outlives the recording, the user is told so. */
static void end_workload(struct recording *recording)
{
	const int pid = (int)recording_workload_pid(recording);
	enum workload_end end = recording_end_workload(recording, WORKLOAD_PATIENCE_MS);

	if (end == WORKLOAD_STAYS) {
		fprintf(stderr,
			"xprof: waiting for the command (process %d) to end after SIGTERM; another Ctrl-C "
			"leaves it running\n",
			pid);
		end = recording_end_workload(recording, -1);
	}
	if (end == WORKLOAD_IS_LEFT)
		fprintf(stderr, "xprof: the command (process %d) is still running\n", pid);
}

static int exit_status(const struct recording *recording)
{
	const int stopped_by = recording_stop_signal(recording);

	return stopped_by ? CLI_ENDS_BY_SIGNAL + stopped_by : recording_workload_status(recording);
}

/* Returns the exit status, or CLI_FAILED. */
static int record(const struct record_options *options, struct strbuf *notices, struct error *err)
{
	const struct recording_plan *plan = &options->plan;
	struct recording *recording = recording_open(plan, notices, err);
	struct recording_summary summary;
	struct progress progress;
	int status;

	print_notices(notices, options->quiet);
	if (!recording)
		return CLI_FAILED;
	summary = recording_summary(recording);
	if (options->verbose)
		recording_messages_opened(&summary, plan->events);
	progress_init(&progress, STDERR_FILENO, options->quiet);
	status = recording_run(recording, &progress, err);
	progress_erase(&progress);
	if (status == 0) {
		summary = recording_summary(recording);
		if (!options->quiet)
			recording_messages_summary(&summary, plan->output, options->verbose > 0);
	}
	end_workload(recording);
	status = status == 0 ? exit_status(recording) : CLI_FAILED;
	recording_close(recording);
	return status;
}

/* As perf: -p, -t or -u wins over -a, and -p or -t over -u. */
static void choose_target(struct target_request *target, struct strbuf *notices)
{
	const char *named = target->pids ? "-p" : target->tids ? "-t" : target->user ? "-u" : NULL;

	if (named && target->system_wide)
		strbuf_addf(notices, "-a is ignored: %s chooses what is recorded\n", named);
	if ((target->pids || target->tids) && target->user) {
		strbuf_addf(notices, "-u is ignored: %s chooses what is recorded\n", named);
		target->user = NULL;
	}
	target->system_wide &= !named;
}

/* For users who typed only "xprof record". */
static void add_whole_system_notice(const struct recording_plan *plan, struct strbuf *notices)
{
	char duration[PROGRESS_TEXT_SIZE];

	strbuf_adds(notices, "no command, -p, -t, -u or -C is given: recording the whole system (-a) ");
	if (plan->sampling.duration_ns)
		strbuf_addf(notices, "for %s; Ctrl-C ends it earlier\n",
			    progress_format_elapsed(duration, plan->sampling.duration_ns));
	else
		strbuf_adds(notices, "until Ctrl-C ends it\n");
}

/* The whole system, if nothing else is named. */
static void plan_target(struct recording_plan *plan, struct strbuf *notices)
{
	struct target_request *target = &plan->target;

	choose_target(target, notices);
	if (plan->workload || target->pids || target->tids || target->user || target->cpus)
		return;
	if (!target->system_wide)
		add_whole_system_notice(plan, notices);
	target->system_wide = true;
}

/* As perf: cgroup events count on whole CPUs, and the threads of a process may be in several cgroups. */
static int check_cgroups(const struct record_options *options, struct error *err)
{
	const struct recording_plan *plan = &options->plan;

	if (options->cgroup_lists.count == 0 || plan->target.system_wide ||
	    (plan->target.cpus && !plan->target.pids && !plan->target.tids && !plan->target.user))
		return 0;
	return cli_usage_error(err, "-G records cgroups on whole CPUs: add -a (or -C)%s",
			       plan->workload ? "; the command then says how long" :
						" instead of -p, -t or -u");
}

/* Lowers the rate to the kernel's limit; fails instead with --strict-freq. */
static int limit_rate(struct record_options *options, struct strbuf *notices, struct error *err)
{
	const uint64_t asked_hz = options->rate.frequency;

	sample_rate_limit(&options->rate, "/proc/sys/kernel/perf_event_max_sample_rate", notices);
	if (!options->strict_freq || options->rate.frequency >= asked_hz)
		return 0;
	return error_set(
		err,
		"%" PRIu64
		" Hz is more than the kernel allows: 'sysctl kernel.perf_event_max_sample_rate=%" PRIu64
		"' raises the limit",
		asked_hz, asked_hz);
}

static int check_branches(const struct event_specs *specs, const struct sampling_options *sampling,
			  struct error *err)
{
	for (size_t i = 0; i < specs->count; i++)
		if (event_attr_check_branches(&specs->items[i], sampling, err) < 0)
			return -1;
	return 0;
}

static int plan_and_record(struct record_options *options, struct event_specs *specs, struct strbuf *notices,
			   struct error *err)
{
	struct recording_plan *plan = &options->plan;
	struct event_specs switches = { 0 };
	int status = check_usage(options, err);

	if (status != 0)
		return status;
	if (limit_rate(options, notices, err) < 0)
		return CLI_FAILED;
	if (plan->options.sampling.call_graph.asked_bytes)
		strbuf_addf(notices, "--call-graph: stack dumps of %d bytes, no more fits into a record\n",
			    STACK_DUMP_MAX_BYTES);
	plan_target(plan, notices);
	status = check_cgroups(options, err);
	if (status != 0)
		return status;
	complete_plan(options);
	if (parse_all_events(specs, options, err) < 0 ||
	    check_branches(specs, &plan->options.sampling, err) != 0)
		return CLI_FAILED;
	if (plan->off_cpu_period_ns && parse_switches(&switches, options) == 0)
		plan->switch_events = &switches;
	status = options->dry_run ? 0 : record(options, notices, err);
	plan->switch_events = NULL;
	event_specs_fini(&switches);
	return status;
}

static int run_record(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct record_options *options = parsed;
	struct event_specs specs = { 0 };
	struct strbuf notices = STRBUF_INIT;
	int status;

	if (options->probe)
		return operand_count ?
			       cli_usage_error(err, "--probe records nothing: leave the command out") :
			       machine_probe_run();
	options->plan.events = &specs;
	options->plan.workload = operand_count ? operands : NULL;
	choose_output(&options->plan, &notices);
	status = plan_and_record(options, &specs, &notices, err);
	event_specs_fini(&specs);
	event_filters_fini(&options->filters);
	event_cgroups_fini(&options->cgroup_lists);
	strbuf_fini(&notices);
	free(options->events.items);
	return status;
}

const struct cli_command cmd_record = {
	.name = "record",
	.summary = "sample a command, processes or the whole system into perf.data",
	.usage = (const char *const[]){ "[OPTIONS] [--] COMMAND [ARGUMENT...]",
					"[OPTIONS] -a | -p PID | -t TID | -u USER | -C CPU", NULL },
	.description =
		(const char *const[]){
			"Runs COMMAND and samples what it executes, or samples what runs already, into a "
			"perf.data file that xprof and perf read alike. With -a, -p, -t, -u or -C, COMMAND "
			"only sets the duration: the recording ends when COMMAND ends. Without COMMAND it "
			"ends at Ctrl-C, after --duration, or when the recorded processes have ended.",
			"Any signal that would end a program ends the recording: the file is completed, and "
			"COMMAND gets SIGTERM. SIGUSR2 begins the next file with --switch-output; otherwise "
			"it is ignored.",
			"The file is readable at every moment, also after a crash. xprof counts and reports "
			"samples that the kernel could not deliver.",
			NULL },
	.options = record_option_table,
	.options_size = sizeof(struct record_options),
	.operands = CLI_OPERANDS_WORKLOAD,
	.examples =
		(const struct cli_example[]){
			{ "xprof record -g -- make -j4",
			  "A command and all that it starts, with call stacks." },
			{ "xprof record -a -g -F 999 --duration 10", "The whole system for ten seconds." },
			{ "xprof record -p 1234 --call-graph dwarf sleep 5",
			  "A running program without frame pointers for five seconds." },
			{ "xprof record -e page-faults,context-switches -c 1 -- ./program",
			  "Each page fault and each switch." },
			{ NULL, NULL } },
	.exit_statuses =
		(const struct cli_exit_status[]){
			{ "0",
			  "the recording was made, and COMMAND, if any, succeeded (or was ended by --duration)" },
			{ "N", "COMMAND's own exit status" },
			{ "128+N",
			  "COMMAND was killed by signal N, or signal N ended the recording (130: Ctrl-C)" },
			{ "1", "a failure that was explained on standard error" },
			{ "2", "wrong usage" },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-record(1)", "perf-list(1)", "perf_event_open(2)", NULL },
	.run = run_record,
};
