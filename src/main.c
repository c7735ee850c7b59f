/* The command table, the two commands that are about xprof itself, and the other name it can be run under. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/xalloc.h"
#include "build_options.h"
#include "cli/cmd_help.h"
#include "cli/commands.h"
#include "cli/program_run.h"

struct version_options {
	bool build_options;
};

static const struct option version_table[] = {
	{ OPTION_FLAG(struct version_options, build_options), .name = "build-options",
	  .help = "also list the optional libraries and what each is good for" },
	OPTION_END,
};

static int run_version(void *parsed, int operand_count, char **operands, struct error *err)
{
	const struct version_options *options = parsed;

	(void)operand_count, (void)operands, (void)err;
	printf("xprof %s\n", XPROF_VERSION);
	if (!options->build_options)
		return 0;
#define BUILD_OPTION(name, on, what) printf("  %-20s %-4s %s\n", #name, (on) ? "on" : "off", what);
#include "build_options.h"
#undef BUILD_OPTION
	return 0;
}

static const struct cli_command cmd_version = {
	.name = "version",
	.summary = "print the version and what this xprof was built with",
	.usage = (const char *const[]){ "[--build-options]", NULL },
	.description =
		(const char *const[]){
			"Prints the version. With --build-options also prints each library that xprof can be built with, "
			"whether this one was, and the feature that depends on it.",
			NULL },
	.options = version_table,
	.examples = (const struct cli_example[]){ { "xprof version --build-options",
						    "What to put into a bug report." },
						  { NULL, NULL } },
	.options_size = sizeof(struct version_options),
	.run = run_version,
};

extern const struct cli_program xprof;

static const struct cli_command cmd_help = {
	.name = "help",
	.summary = "explain a command",
	.usage = help_usage,
	.description = help_description,
	.options = help_option_table,
	.options_size = sizeof(struct help_options),
	.defaults = &(const struct help_options){ .program = &xprof, .shell = HELP_NO_SHELL },
	.operands = CLI_OPERANDS_TOPICS,
	.max_operands = 1,
	.examples = help_examples,
	.run = help_run,
};

static const struct cli_command *const commands[] = {
	&cmd_record, &cmd_report,  &cmd_diff,    &cmd_flamegraph, &cmd_script, &cmd_export,
	&cmd_import, &cmd_archive, &cmd_convert, &cmd_dump,       &cmd_evlist, &cmd_buildid_list,
	&cmd_data,   &cmd_list,    &cmd_version, &cmd_help,       NULL,
};

/* perf's other commands: the equivalent in xprof, or the program to use. */
static const struct cli_term perf_commands[] = {
	{ "annotate",
	  "'xprof report -s symbol,srcline' shows the time of each source line, and 'perf annotate' reads the "
	  "same recordings" },
	{ "bench", "it does not measure the kernel; use 'perf bench'" },
	{ "buildid-cache",
	  "files are found by their build-ids without being added to a cache; --symfs, --debug-dir and "
	  "'xprof archive' bring files from elsewhere" },
	{ "c2c", "it has no view of shared cache lines; use 'perf c2c'" },
	{ "check", "use 'xprof version --build-options'" },
	{ "config", "it has no configuration file, only options" },
	{ "daemon", "run 'xprof record -a -g' as a service; its file can be read while it is written" },
	{ "ftrace", "it does not trace functions; use 'perf ftrace' or trace-cmd" },
	{ "inject",
	  "recordings need no such step: xprof reads build-ids, JIT code and compressed records as they are; "
	  "'xprof convert --build-ids' adds missing build-ids" },
	{ "iostat", "it has no view of I/O; use 'perf iostat' or iostat(1)" },
	{ "kallsyms", "use 'grep SYMBOL /proc/kallsyms'" },
	{ "kmem", "use 'xprof record -e kmem:kmalloc -ag' and 'xprof report', or 'perf kmem'" },
	{ "kvm", "it does not look into guests; use 'perf kvm'" },
	{ "kwork", "use 'xprof record -e 'irq:*' -e 'workqueue:*' -a' and 'xprof script', or 'perf kwork'" },
	{ "lock", "use 'xprof record -e lock:contention_begin -ag' and 'xprof report', or 'perf lock'" },
	{ "mem", "use 'xprof record -e cpu/mem-loads/P -d -W' where the CPU has that event, or 'perf mem'" },
	{ "probe",
	  "make probes with 'perf probe' or in tracefs, then record them: 'xprof record -e probe:NAME'" },
	{ "sched", "use 'xprof record -e sched:sched_switch -ag' and 'xprof report', or 'perf sched'" },
	{ "stat", "it samples and does not count; use 'perf stat'" },
	{ "test", "its tests come with its source: 'make check'" },
	{ "timechart", "'xprof flamegraph' shows a recording over time" },
	{ "top", "use 'xprof record -a -g --duration 5', then 'xprof report'" },
	{ "trace",
	  "use 'xprof record -e raw_syscalls:sys_enter -- COMMAND' and 'xprof script', or strace(1)" },
	{ NULL, NULL },
};

const struct cli_program xprof = {
	.name = "xprof",
	.version = XPROF_VERSION,
	.release_date = "2026-11-21",
	.summary = "a sampling profiler for Linux",
	.description =
		(const char *const[]){
			"xprof shows where programs spend their CPU time. It records, thousands of times a "
			"second, which code runs and which calls led to it, and draws tables, call trees and "
			"flame graphs from these samples. Programs need not be changed, rebuilt or restarted.",
			"Recordings are perf.data files: perf opens those of xprof, and xprof opens those of "
			"perf. Options that perf has, too, have perf's names.",
			NULL },
	.commands = commands,
	.elsewhere = perf_commands,
	.examples =
		(const struct cli_example[]){ { "xprof record -g -- ./program",
						"Record a program with its call stacks, into perf.data." },
					      { "xprof record -a -g --duration 10",
						"Record everything that runs for ten seconds." },
					      { NULL, NULL } },
	.exit_statuses =
		(const struct cli_exit_status[]){ { "0", "success" },
						  { "1", "a failure that was explained on standard error" },
						  { "2", "wrong usage" },
						  { NULL, NULL } },
	.environment =
		(const struct cli_term[]){
			{ "XPROF_PAGER",
			  "the program that shows long output on a terminal; if unset, that in PAGER, else less. "
			  "If it is empty or \"cat\", xprof uses no pager." },
			{ "NO_COLOR",
			  "if set and not empty, xprof uses no colours, except with --color=always." },
			{ NULL, NULL } },
	.files =
		(const struct cli_term[]){
			{ "perf.data",
			  "in the current directory: the recording that xprof writes and reads by default." },
			{ NULL, NULL } },
};

/* Tells a shell that runs a loop that Ctrl-C was meant for the whole loop. Leaves no core file, because nothing crashed. */
static int end_by_signal(int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	(void)prctl(PR_SET_DUMPABLE, 0);
	(void)signal(number, SIG_DFL);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	(void)raise(number);
	return 128 + number;
}

/* pprof runs a program with this name to read perf.data files: perf_to_profile -i FILE -o FILE -f. */
static bool is_perf_to_profile(const char *own_name)
{
	return own_name && strcmp(basename(own_name), "perf_to_profile") == 0;
}

static int run_perf_to_profile(int argc, char **argv)
{
	char export[] = "export", format[] = "--format=pprof", quiet[] = "--quiet";
	char **whole = xcalloc((size_t)argc + 4, sizeof(*whole));
	int status;

	whole[0] = argv[0];
	whole[1] = export;
	whole[2] = format;
	whole[3] = quiet;
	for (int i = 1; i < argc; i++)
		whole[i + 3] = argv[i];
	status = cli_program_run(&xprof, argc + 3, whole, stderr);
	free(whole);
	return status;
}

int main(int argc, char **argv)
{
	int status;

	xalloc_give_back();
	status = is_perf_to_profile(argv[0]) ? run_perf_to_profile(argc, argv) :
					       cli_program_run(&xprof, argc, argv, stderr);
	return status > CLI_ENDS_BY_SIGNAL ? end_by_signal(status - CLI_ENDS_BY_SIGNAL) : status;
}
