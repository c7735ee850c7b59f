#include "record/cmd_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "build_options.h"
#include "cli/progress.h"
#include "format/write/output_file.h"
#include "record/event/branch_filter.h"
#include "record/event/call_graph.h"
#include "record/event/event_filter.h"
#include "record/event/event_parser.h"
#include "record/event/sample_rate.h"
#include "record/perf_record_options.h"
#include "record/recording.h"

enum {
	MAX_RING_PAGES = 1 << 20,    /* 4 GiB a CPU: more is a slip of the finger */
	WORKLOAD_PATIENCE_MS = 2000, /* until it is said that xprof waits for the command to end */
};

struct record_options {
	struct target_request target;
	struct option_strings events;
	struct event_filters filters;
	struct sample_rate rate;
	uint64_t period;
	struct call_graph call_graph;
	enum evidence_level evidence;
	uint64_t branch_filter;
	struct sample_clock clock;
	const char *output;
	uint64_t delay_ns, duration_ns;
	size_t ring_pages;
	unsigned int compression_level;
	unsigned int realtime_priority;
	unsigned int verbose;
	bool system_wide, quiet, idle, no_inherit;
	bool sample_cpu, sample_period, user_callchains, kernel_callchains;
	const char *pids, *tids, *user, *cpus;
	struct sample_extras extras;
	bool all_user, all_kernel, one_group, strict_freq, exclude_self, dry_run, timestamp_filename;
	bool no_samples, thread_stats, times;
	bool no_bpf, no_continue;
	bool data_mappings, context_switches, namespaces, cgroups;
};

static int set_frequency(void *parsed, const char *text, struct error *err)
{
	return sample_rate_parse(&((struct record_options *)parsed)->rate, text, err);
}

static int set_best_call_graph(void *parsed, const char *text, struct error *err)
{
	(void)text;
	(void)err;
	((struct record_options *)parsed)->call_graph = call_graph_best();
	return 0;
}

static int set_call_graph(void *parsed, const char *text, struct error *err)
{
	return call_graph_parse(&((struct record_options *)parsed)->call_graph, text, err);
}

static int set_branch_filter(void *parsed, const char *text, struct error *err)
{
	return branch_filter_parse(&((struct record_options *)parsed)->branch_filter, text, err);
}

static int set_any_branch(void *parsed, const char *text, struct error *err)
{
	(void)text;
	return set_branch_filter(parsed, "any", err);
}

/* A bare number is milliseconds, as in perf; with a unit it is what it says. */
static int set_delay(void *parsed, const char *text, struct error *err)
{
	struct record_options *options = parsed;
	uint64_t delay_ms;

	if (text[0] == '-')
		return error_set(
			err, "'%s' waits for --control, which xprof does not have; give milliseconds", text);
	if (strchr(text, '-'))
		return error_set(err, "'%s' has ranges of time; -D START --duration TIME records one", text);
	if (text[strspn(text, "0123456789")])
		return option_parse_duration(text, &options->delay_ns, err);
	if (option_parse_u64(text, &delay_ms, err) < 0)
		return -1;
	if (delay_ms > UINT64_MAX / 2000000)
		return error_set(err, "%s milliseconds are too long", text);
	options->delay_ns = delay_ms * 1000000;
	return 0;
}

/* A bare number is pages, with a unit it is bytes; both are rounded up to a power of two pages. */
static int set_ring_pages(void *parsed, const char *text, struct error *err)
{
	struct record_options *options = parsed;
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t pages;

	if (strchr(text, ','))
		return error_set(
			err,
			"'%s': the second number is of hardware traces, which xprof does not record; "
			"give the first alone",
			text);
	if (option_parse_size(text, &pages, err) < 0)
		return -1;
	if (text[strspn(text, "0123456789")])
		pages = (pages + page_bytes - 1) / page_bytes;
	if (pages == 0 || pages > MAX_RING_PAGES)
		return error_set(err, "'%s' is no size for a ring: 1 to %d pages, or a size such as 2M", text,
				 MAX_RING_PAGES);
	for (options->ring_pages = 1; options->ring_pages < pages;)
		options->ring_pages *= 2;
	return 0;
}

/* -z alone is -z1; 0 is none. */
static int set_compression(void *parsed, const char *text, struct error *err)
{
	uint64_t level = COMPRESS_LEVEL_DEFAULT;

	if (text && option_parse_u64(text, &level, err) < 0)
		return -1;
	if (level > COMPRESS_LEVEL_MAX)
		return error_set(err, "'%s' is no compression level: 1 (fast) to %d (small), 0 for none",
				 text, COMPRESS_LEVEL_MAX);
	((struct record_options *)parsed)->compression_level = (unsigned int)level;
	return 0;
}

static int add_filter(void *parsed, const char *text, struct error *err)
{
	struct record_options *options = parsed;

	return event_filters_add(&options->filters, text, options->events.count, err);
}

static int set_user_registers(void *parsed, const char *text, struct error *err)
{
	return sample_registers_parse(&((struct record_options *)parsed)->extras.user_registers, text, err);
}

static int set_interrupt_registers(void *parsed, const char *text, struct error *err)
{
	return sample_registers_parse(&((struct record_options *)parsed)->extras.interrupt_registers, text,
				      err);
}

static int set_clock(void *parsed, const char *text, struct error *err)
{
	return sample_clock_parse(&((struct record_options *)parsed)->clock, text, err);
}

static const char *const call_graph_choices[] = { "auto", "fp", "dwarf", NULL };
/* In the order of enum evidence_level. */
static const char *const evidence_choices[] = { "least", "all", "none", NULL };

static int set_evidence(void *parsed, const char *text, struct error *err)
{
	for (size_t i = 0; evidence_choices[i]; i++)
		if (strcmp(text, evidence_choices[i]) == 0) {
			((struct record_options *)parsed)->evidence = (enum evidence_level)i;
			return 0;
		}
	return error_set(err, "'%s' is neither least nor all nor none", text);
}

static const struct option record_table[] = {
	OPTION_GROUP("What to record"),
	{ OPTION_FLAG(struct record_options, system_wide), .letter = 'a', .name = "all-cpus",
	  .help = "the whole system (default if neither a command nor -p, -t or -u is given)" },
	{ OPTION_STRING(struct record_options, pids), .letter = 'p', .name = "pid",
	  .placeholder = "PID[,PID...]", .completes = OPTION_COMPLETES_PID, .comma_list = true,
	  .help = "these processes, with the threads and processes they start from now on" },
	{ OPTION_STRING(struct record_options, tids), .letter = 't', .name = "tid",
	  .placeholder = "TID[,TID...]", .completes = OPTION_COMPLETES_PID, .comma_list = true,
	  .help = "these threads" },
	{ OPTION_STRING(struct record_options, user), .letter = 'u', .name = "uid", .placeholder = "USER",
	  .completes = OPTION_COMPLETES_USER,
	  .help = "the processes that this user runs now (name or number)" },
	{ OPTION_STRING(struct record_options, cpus), .letter = 'C', .name = "cpu",
	  .placeholder = "CPU[,CPU-CPU...]", .completes = OPTION_COMPLETES_CPU, .comma_list = true,
	  .help = "only on these CPUs; every thread, unless -p, -t or -u is given too" },
	{ OPTION_FLAG(struct record_options, no_inherit), .letter = 'i', .name = "no-inherit",
	  .help = "do not follow into new threads and processes" },

	OPTION_GROUP("What to sample"),
	{ OPTION_STRINGS(struct record_options, events), .letter = 'e', .name = "event",
	  .placeholder = "EVENT[,EVENT...]", .completes = OPTION_COMPLETES_EVENT, .comma_list = true,
	  .help = "sample these events (default: cycles, else cpu-clock)",
	  .details =
		  "Hardware events (cycles, instructions, cache-misses), software events (cpu-clock, "
		  "page-faults, context-switches), cache events (L1-dcache-load-misses), raw events of the "
		  "CPU (rNNN, hexadecimal), tracepoints (sched:sched_switch, or all that match, 'sched:*'), "
		  "events of any PMU that sysfs describes (msr/tsc/, cpu/event=0x3c,umask=1/), and "
		  "breakpoints (mem:ADDRESS/BYTES:rw). 'xprof list' names them.\n\n"
		  "Modifiers follow a colon: u user space, k kernel, h hypervisor, G guest, H host, p to ppp "
		  "precise, P as precise as possible, D pinned, e exclusive, I not when idle. S, of a group, "
		  "writes the counts of all its events with each sample of the first; W does without the "
		  "group where it cannot be opened.\n\n"
		  "Terms stand between slashes, cpu-clock/freq=99,max-stack=2/: period=N, freq=HZ, "
		  "name=TEXT, call-graph=no|fp|dwarf|auto, stack-size=BYTES, max-stack=N, inherit, "
		  "no-inherit, branch_type=FILTER.\n\n"
		  "Braces make a group, {cycles,instructions}:u: its events count at the same times, and "
		  "perf report shows them side by side. The default is cycles; on a machine without hardware "
		  "counters xprof records cpu-clock instead and says so." },
	{ OPTION_CALLBACK(add_filter), .name = "filter", .placeholder = "FILTER",
	  .help = "record only matching hits of the preceding tracepoints, such as 'prev_prio < 100'",
	  .details =
		  "FILTER applies to the tracepoints of the last -e and is written in the kernel's filter "
		  "language: comparisons of fields (==, !=, <, <=, >, >=, &; for strings also ~ with a "
		  "pattern), joined by &&, || and parentheses. 'xprof list -v sched:sched_switch' shows the "
		  "fields." },
	{ OPTION_CALLBACK(set_frequency), .letter = 'F', .name = "freq", .placeholder = "HZ",
	  .help = "take HZ samples a second, or 'max' (default: 4000)",
	  .details =
		  "The kernel's limit is kernel.perf_event_max_sample_rate: xprof lowers a higher frequency "
		  "to it and says so. Every hit of a tracepoint is sampled unless -F or -c is given." },
	{ OPTION_U64(struct record_options, period), .letter = 'c', .name = "count", .placeholder = "N",
	  .minimum = 1, .help = "sample every N events instead" },
	{ OPTION_FLAG(struct record_options, idle), .name = "idle",
	  .help = "keep cpu-clock samples of idle CPUs",
	  .details =
		  "Hardware cycles do not count while a CPU sleeps, so cpu-clock leaves the idle task out as "
		  "well: shares are shares of busy time. With --idle they are shares of all time." },

	OPTION_GROUP("Call stacks"),
	{ OPTION_BARE_CALLBACK(set_best_call_graph), .letter = 'g',
	  .help = "record call stacks (--call-graph auto)" },
	{ OPTION_CALLBACK(set_call_graph), .name = "call-graph", .placeholder = "MODE[,BYTES]",
	  .choices = call_graph_choices,
	  .help = "record them by this method: auto[,BYTES], fp, or dwarf[,BYTES]; BYTES limits the stack dumps",
	  .details =
		  "auto: each sample comes with a copy of its whole stack, which xprof unwinds at once with "
		  "the programs' unwind tables. If it can follow the stack to the start of the thread it "
		  "writes the addresses alone. Otherwise it writes the registers and as much of the copy as "
		  "a record holds (up to 64 KiB) for the reader to unwind. Compiled programs need no frame "
		  "pointers for this. With BYTES, and where no BPF program may be loaded, the kernel copies "
		  "only the innermost BYTES (default: 16384).\n\n"
		  "fp: the kernel follows frame pointers and nothing else is recorded. Callers are missing "
		  "where programs and libraries are built with -fomit-frame-pointer, as most are. This "
		  "method costs least.\n\n"
		  "dwarf: every sample has the registers and a copy of the stack, for the reader to unwind. "
		  "Files become large.\n\n"
		  "BYTES may be as much as fits into a record of 64 KiB beside everything else; xprof lowers "
		  "a larger number and says so." },
	{ OPTION_FLAG(struct record_options, no_bpf), .name = "no-bpf",
	  .help = "let the kernel dump stacks (16384 bytes), as where no BPF program may be loaded",
	  .details =
		  "A BPF program copies stacks whole. It needs root (or CAP_BPF and CAP_PERFMON) and Linux "
		  "6.3. Otherwise, and with auto,BYTES, the kernel dumps the innermost BYTES of each stack; "
		  "-v says which of the two happens." },
	{ OPTION_FLAG(struct record_options, no_continue), .name = "no-continue-stacks",
	  .help = "let stacks end where the kernel's dumps end",
	  .details =
		  "If a dump is too short, xprof reads the rest of the stack from the process's memory, once "
		  "before and once after the sample. If both readings are equal and lead to the start of the "
		  "thread, the stack continues with them; xprof script prints the line '# [continued]' "
		  "before these frames. xprof does not read processes that it may not trace." },
	{ OPTION_CALLBACK(set_evidence), .name = "evidence", .placeholder = "WHICH",
	  .choices = evidence_choices,
	  .help = "how much of a stack --call-graph auto writes beside its addresses: least, all or none "
		  "(default: least)",
	  .details =
		  "least: only what is needed to see the whole stack later.\n\n"
		  "all: the chain of frame pointers, the registers and the copy of the stack with every "
		  "sample, as the kernel delivered them. Use it to compare methods of unwinding. perf shows "
		  "the user's part of such stacks twice.\n\n"
		  "none: only the addresses of every stack that xprof followed to its first function. Files "
		  "are smallest, but nothing is left to unwind these stacks by another method or to continue "
		  "deeper stacks of the same thread." },
	{ OPTION_BARE_CALLBACK(set_any_branch), .letter = 'b', .name = "branch-any",
	  .help = "record the last branches that were taken (--branch-filter any)" },
	{ OPTION_CALLBACK(set_branch_filter), .letter = 'j', .name = "branch-filter",
	  .placeholder = "FILTER[,FILTER...]", .choices = branch_filter_names, .comma_list = true,
	  .help = "record the last branches of these kinds",
	  .details =
		  "Needs a CPU that keeps them (Intel LBR, AMD BRS, Arm BRBE) and a hardware event. Kinds: "
		  "any, any_call, any_ret, ind_call, ind_jmp, call, cond, stack, in_tx, no_tx, abort_tx. "
		  "Where: u, k, hv (default: where the event counts). More fields of each branch: save_type, "
		  "priv, counter; fewer: no_flags, no_cycles." },
	{ OPTION_FLAG(struct record_options, user_callchains), .name = "user-callchains",
	  .help = "leave the kernel's part out of call stacks" },
	{ OPTION_FLAG(struct record_options, kernel_callchains), .name = "kernel-callchains",
	  .help = "leave the user's part out of call stacks" },
	{ OPTION_FLAG(struct record_options, sample_cpu), .name = "sample-cpu",
	  .help = "write the CPU into every sample (always with -a and -C)" },
	{ OPTION_FLAG(struct record_options, sample_period), .letter = 'P', .name = "period",
	  .help = "write the period into every sample (always without -c)" },
	{ OPTION_CALLBACK(set_clock), .letter = 'k', .name = "clockid", .placeholder = "CLOCK",
	  .choices = sample_clock_names, .help = "take times from this clock (default: the scheduler's)",
	  .details =
		  "Use it to compare samples with the logs of programs. The recording then relates its times "
		  "to the time of day. Hardware events take monotonic and monotonic_raw only." },

	OPTION_GROUP("When to record, and where to write"),
	{ OPTION_STRING(struct record_options, output), .letter = 'o', .name = "output",
	  .placeholder = "FILE", .completes = OPTION_COMPLETES_FILE,
	  .help = "write to FILE (default: perf.data, or standard output if that is a pipe); - is standard output",
	  .details =
		  "If the recording goes to standard output, xprof redirects COMMAND's standard output to "
		  "standard error. It writes into a FIFO or a device and never replaces it.\n\n"
		  "An older FILE is kept as FILE.old. The file can be read at any time; if xprof is killed, "
		  "at most the last quarter of a second is lost." },
	{ OPTION_CALLBACK(set_compression), .letter = 'z', .name = "compression-level",
	  .placeholder = "LEVEL", .argument_optional = true,
	  .help = "compress with zstd, level 1 (fast, and the default) to 22 (small)",
	  .details =
		  "Samples shrink to a fifth or less, at level 1 for some percent of a CPU at the default frequency; stack "
		  "dumps (--call-graph dwarf) shrink most. perf since Linux 5.2 reads such files; 'xprof convert "
		  "--decompress' makes plain ones of them." },
	{ OPTION_CALLBACK(set_delay), .letter = 'D', .name = "delay", .placeholder = "MS",
	  .help = "start sampling after MS milliseconds (or 2s, 1m)" },
	{ OPTION_DURATION(struct record_options, duration_ns), .name = "duration", .placeholder = "TIME",
	  .help = "stop after TIME: seconds, or 500ms, 5m; a command that still runs then is terminated" },
	{ OPTION_CALLBACK(set_ring_pages), .letter = 'm', .name = "mmap-pages", .placeholder = "PAGES",
	  .help = "size of the kernel's ring per CPU: pages, or a size such as 2M (default: 512K; with stack "
		  "dumps 8M; above 4 kHz or with every hit of an event up to 64M)" },
	{ OPTION_UNSIGNED(struct record_options, realtime_priority), .letter = 'r', .name = "realtime",
	  .placeholder = "PRIORITY", .minimum = 1, .maximum = 99,
	  .help = "record with this real-time priority (SCHED_FIFO)",
	  .details =
		  "Without this option xprof raises its own priority to nice -20 when permitted, so that "
		  "busy machines lose no samples; if it was started with nice, it keeps that priority. The "
		  "priority of the recorded command does not change." },
	{ OPTION_FLAG(struct record_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "print nothing but errors" },
	{ OPTION_COUNT(struct record_options, verbose), .letter = 'v', .name = "verbose",
	  .help = "print what is opened and synthesized" },

	{ OPTION_FLAG(struct record_options, extras.address), .letter = 'd', .name = "data", .seldom = true,
	  .help = "write the data address into every sample, and record data mappings" },
	{ OPTION_FLAG(struct record_options, extras.data_source), .name = "sample-mem-info", .seldom = true,
	  .help = "write where in the memory hierarchy data came from (memory access events)" },
	{ OPTION_FLAG(struct record_options, extras.physical_address), .name = "phys-data", .seldom = true,
	  .help = "write the physical address of the data into every sample" },
	{ OPTION_FLAG(struct record_options, extras.data_page_size), .name = "data-page-size", .seldom = true,
	  .help = "write the page size of the data into every sample" },
	{ OPTION_FLAG(struct record_options, extras.code_page_size), .name = "code-page-size", .seldom = true,
	  .help = "write the page size of the code into every sample" },
	{ OPTION_FLAG(struct record_options, extras.weight), .letter = 'W', .name = "weight", .seldom = true,
	  .help = "write the weight of each sample (memory access events: the latency)" },
	{ OPTION_FLAG(struct record_options, extras.transaction), .name = "transaction", .seldom = true,
	  .help = "write the flags of the transaction (hardware transaction events)" },
	{ OPTION_FLAG(struct record_options, extras.raw), .letter = 'R', .name = "raw-samples",
	  .seldom = true, .help = "record the raw data of every event; tracepoints have it anyway" },
	{ OPTION_FLAG(struct record_options, extras.identifier), .name = "sample-identifier", .seldom = true,
	  .help = "write the event's identifier into every sample, even if there is only one event" },
	{ OPTION_CALLBACK(set_user_registers), .name = "user-regs", .placeholder = "REG[,REG...]",
	  .argument_optional = true, .seldom = true,
	  .help = "write these user-space registers into every sample (default: all)" },
	{ OPTION_CALLBACK(set_interrupt_registers), .letter = 'I', .name = "intr-regs",
	  .placeholder = "REG[,REG...]", .argument_optional = true, .seldom = true,
	  .help = "write these registers, as they were at the interrupt, into every sample (default: all)" },
	{ OPTION_FLAG(struct record_options, all_user), .name = "all-user", .seldom = true,
	  .help = "sample all events in user space only, as with :u" },
	{ OPTION_FLAG(struct record_options, all_kernel), .name = "all-kernel", .seldom = true,
	  .help = "sample all events in the kernel only, as with :k" },
	{ OPTION_FLAG(struct record_options, one_group), .name = "group", .seldom = true,
	  .help = "put all events into one group, as braces do" },
	{ OPTION_FLAG(struct record_options, no_inherit), .name = "per-thread", .seldom = true,
	  .help = "as --no-inherit; the rings are per CPU nevertheless" },
	{ OPTION_FLAG(struct record_options, strict_freq), .name = "strict-freq", .seldom = true,
	  .help = "fail if the kernel does not allow the frequency of -F" },
	{ OPTION_FLAG(struct record_options, no_samples), .letter = 'n', .name = "no-samples", .seldom = true,
	  .help = "record no samples, only what processes do (start, map, exit)" },
	{ OPTION_FLAG(struct record_options, thread_stats), .letter = 's', .name = "stat", .seldom = true,
	  .help = "record each thread's count of each event, for 'report -T'" },
	{ OPTION_FLAG(struct record_options, times), .name = "running-time", .seldom = true,
	  .help = "write with each count how long its event was enabled and counted" },
	{ OPTION_FLAG(struct record_options, data_mappings), .name = "data-mmap", .seldom = true,
	  .help = "record also mappings that are not executable" },
	{ OPTION_FLAG(struct record_options, context_switches), .name = "switch-events", .seldom = true,
	  .help = "record every context switch" },
	{ OPTION_FLAG(struct record_options, context_switches), .name = "latency", .seldom = true,
	  .help = "the same as --switch-events; 'perf report --latency' needs it" },
	{ OPTION_FLAG(struct record_options, namespaces), .name = "namespaces", .seldom = true,
	  .help = "record the namespaces of processes" },
	{ OPTION_FLAG(struct record_options, cgroups), .name = "all-cgroups", .seldom = true,
	  .help = "write the cgroup into every sample, and record the names of cgroups" },
	{ OPTION_FLAG(struct record_options, exclude_self), .name = "exclude-perf", .seldom = true,
	  .help = "leave out tracepoint hits of xprof itself" },
	{ OPTION_FLAG(struct record_options, dry_run), .name = "dry-run", .seldom = true,
	  .help = "check options and events without recording" },
	{ OPTION_FLAG(struct record_options, timestamp_filename), .name = "timestamp-filename",
	  .seldom = true, .help = "write to FILE.TIME, as in perf.data.2026112107305912" },
	PERF_RECORD_OPTIONS_ACCEPTED,
	PERF_RECORD_OPTIONS_REFUSED,
	OPTION_END,
};

/* Each line of `notices` as a message of its own. */
static void print_notices(struct strbuf *notices, bool quiet)
{
	for (const char *line = notices->bytes; !quiet && line && *line; line += strcspn(line, "\n") + 1)
		fprintf(stderr, "xprof: %.*s\n", (int)strcspn(line, "\n"), line);
	strbuf_reset(notices);
}

static void print_opened(const struct recording_summary *summary, const struct event_specs *specs)
{
	for (size_t i = 0; i < specs->count; i++)
		fprintf(stderr, "xprof: event %s: type %" PRIu32 ", config 0x%" PRIx64 "\n",
			specs->items[i].name, specs->items[i].type, specs->items[i].config);
	fprintf(stderr,
		"xprof: %zu events open, %zu rings of %zu KiB; %zu processes with %zu executable mappings synthesized in "
		"%.1f ms\n",
		summary->events, summary->rings, summary->ring_bytes / 1024, summary->processes,
		summary->mappings, (double)summary->synthesis_ns / 1e6);
}

static void print_copies(const struct recording_summary *summary)
{
	if (summary->copier)
		fprintf(stderr,
			"xprof: stacks: copied by BPF (%s%s): %" PRIu64 " copies, %" PRIu64
			" found the ring full, %" PRIu64 " of unknown end; %" PRIu64 " samples without\n",
			summary->copier, summary->copies_by_clock ? ", paired by the clock" : "",
			summary->copies.copied, summary->copies.no_room, summary->copies.no_end,
			summary->evidence.uncopied);
	else if (summary->no_copies.message[0])
		fprintf(stderr, "xprof: stacks: dumped by the kernel: %s\n", summary->no_copies.message);
}

/* Stacks that are deeper than their dumps. */
static void print_continued(const struct evidence_counts *counts)
{
	if (counts->continued + counts->unconfirmed + counts->unreadable)
		fprintf(stderr,
			"xprof: stacks deeper than their dump: %" PRIu64
			" continued by reading on in the process, %" PRIu64 " not confirmed, %" PRIu64
			" not readable\n",
			counts->continued, counts->unconfirmed, counts->unreadable);
}

static void print_evidence(const struct evidence_counts *counts)
{
	uint64_t with_dump = counts->dumps + counts->unproved;
	char dumped[PROGRESS_TEXT_SIZE];

	if (counts->chains + with_dump)
		fprintf(stderr,
			"xprof: user stacks: %" PRIu64 " as chains, %" PRIu64
			" as dumps up to their start, %" PRIu64
			" as dumps that were not followed to their start; %s of dumps\n",
			counts->chains, counts->dumps, counts->unproved,
			progress_format_size(dumped, counts->dump_bytes));
	if (counts->foreign)
		fprintf(stderr,
			"xprof: of those not followed, %" PRIu64
			" are of 32-bit programs, which are not unwound on this machine\n",
			counts->foreign);
	if (counts->replaced)
		fprintf(stderr,
			"xprof: of those not followed, %" PRIu64
			" lead through run-time code that was replaced before it could be read\n",
			counts->replaced);
	if (counts->shortened)
		fprintf(stderr,
			"xprof: of the chains, %" PRIu64 " of stacks too deep for all of their frames\n",
			counts->shortened);
}

/* "0 lost", "7 lost", "7 samples and 3 other records lost"; "10 records lost" where the kernel tells no more. */
static void print_lost(const struct recorder_counts *counts)
{
	char samples[PROGRESS_TEXT_SIZE], others[PROGRESS_TEXT_SIZE];

	progress_format_count(samples, counts->lost_samples);
	if (counts->lost_others)
		fprintf(stderr, "%s sample%s and %s other record%s lost", samples,
			counts->lost_samples == 1 ? "" : "s",
			progress_format_count(others, counts->lost_others),
			counts->lost_others == 1 ? "" : "s");
	else if (counts->lost_records && !counts->lost_samples)
		fprintf(stderr, "%s record%s lost", progress_format_count(others, counts->lost_records),
			counts->lost_records == 1 ? "" : "s");
	else
		fprintf(stderr, "%s lost", samples);
}

static void print_summary(const struct recording_summary *summary, const char *output, bool verbose)
{
	char samples[PROGRESS_TEXT_SIZE], elapsed[PROGRESS_TEXT_SIZE], size[PROGRESS_TEXT_SIZE];
	const struct recorder_counts *counts = &summary->counts;

	fprintf(stderr, "xprof: %s: %s sample%s in %s, ",
		strcmp(output, "-") == 0 ? "standard output" : output,
		progress_format_count(samples, summary->counts.samples),
		summary->counts.samples == 1 ? "" : "s",
		progress_format_elapsed(elapsed, summary->elapsed_ns));
	print_lost(counts);
	fprintf(stderr, ", %s", progress_format_size(size, summary->data_bytes));
	if (summary->compression.packed_bytes)
		fprintf(stderr, ", compressed (original %s, ratio is %.3f)",
			progress_format_size(size, summary->compression.original_bytes),
			compression_ratio(summary->compression));
	fputc('\n', stderr);
	if (verbose) {
		print_copies(summary);
		print_evidence(&summary->evidence);
		print_continued(&summary->evidence);
	}
	if (counts->lost_others)
		fprintf(stderr,
			"xprof: the other records tell what was mapped, named and forked: names may be missing\n");
	if (counts->lost_samples || counts->lost_others || counts->lost_records)
		fprintf(stderr,
			"xprof: the rings were full: larger ones (-m), a lower frequency (-F)%s smaller stack dumps%s "
			"lose less\n",
			summary->comes_first ? " or" : ",",
			summary->comes_first ? "" : ", or recording as root, in front of other programs,");
	if (summary->counts.throttled)
		fprintf(stderr,
			"xprof: the kernel throttled the events %" PRIu64 " times: sample less often (-F)\n",
			summary->counts.throttled);
	if (summary->unseen_ns)
		fprintf(stderr,
			"xprof: the last %s are not recorded: the kernel takes the events off a command that gets other "
			"rights than yours (setuid, file capabilities): record as root\n",
			progress_format_elapsed(elapsed, summary->unseen_ns));
	if (summary->offline)
		fprintf(stderr, "xprof: %s\n", summary->offline);
	if (summary->cut_maps)
		fprintf(stderr,
			"xprof: %zu perf map%s larger than %d MB: names of code that was compiled late are only "
			"in /tmp, which an 'xprof archive' made now keeps\n",
			summary->cut_maps, summary->cut_maps == 1 ? " is" : "s are",
			MAP_SNAPSHOT_MAX_BYTES >> 20);
	if (summary->kernel_hidden)
		fprintf(stderr,
			"xprof: kernel addresses are hidden, so kernel samples will have no names: run as root, or "
			"'sysctl kernel.kptr_restrict=0'\n");
}

static int parse_events(struct event_specs *specs, const struct option_strings *texts,
			const struct event_filters *filters, struct error *err)
{
	if (texts->count == 0) {
		if (event_specs_parse(specs, "cycles", &event_sources_system, err) < 0)
			return -1;
		specs->items[0].precise_max = true;
		return 0;
	}
	for (size_t i = 0; i < texts->count; i++) {
		const size_t first = specs->count;

		if (event_specs_parse(specs, texts->items[i], &event_sources_system, err) < 0 ||
		    event_filters_apply(filters, i + 1, specs, first, &event_sources_system, err) < 0)
			return -1;
	}
	return 0;
}

/* Options that apply to all events. */
static int parse_all_events(struct event_specs *specs, const struct record_options *options,
			    struct error *err)
{
	if (parse_events(specs, &options->events, &options->filters, err) < 0)
		return -1;
	if (options->one_group)
		event_specs_group(specs);
	if (options->exclude_self)
		event_filters_exclude_process(specs, getpid());
	if (options->all_user || options->all_kernel)
		return event_specs_restrict(specs, options->all_user ? "u" : "k", err);
	return 0;
}

/* FILE.YYYYMMDDhhmmssCC, as perf names it. */
static char *name_with_time(const char *output)
{
	struct timeval now;
	struct tm local;
	char digits[32];

	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &local);
	strftime(digits, sizeof(digits), "%Y%m%d%H%M%S", &local);
	return xasprintf("%s.%s%02d", output, digits, (int)(now.tv_usec / 10000));
}

/* As in perf a pipe is meant for the recording, unless messages go into it as well ("2>&1 | tee log"). */
static void choose_output(struct record_options *options, struct strbuf *notices)
{
	struct stat st;

	if (options->output)
		return;
	options->output = "perf.data";
	if (fstat(STDOUT_FILENO, &st) != 0 || !S_ISFIFO(st.st_mode) ||
	    output_file_leads_to("-", STDERR_FILENO))
		return;
	options->output = "-";
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

static int check_usage(const struct record_options *options, struct error *err)
{
	if (options->period && options->rate.given)
		return cli_usage_error(err,
				       "-c and -F exclude each other: every N events, or HZ times a second");
	if (options->user_callchains && options->kernel_callchains)
		return cli_usage_error(err,
				       "--user-callchains and --kernel-callchains together leave nothing");
	if (options->all_user && options->all_kernel)
		return cli_usage_error(err, "--all-user and --all-kernel together leave nothing");
	return check_output(options->output, err);
}

static void plan_recording(struct recording_plan *plan, const struct record_options *options)
{
	plan->options = (struct event_set_options){
		.sampling = { .period = options->period,
			      .frequency = options->rate.frequency,
			      .rate_given = options->period || options->rate.given,
			      .call_graph = options->call_graph,
			      .branch_filter = options->branch_filter,
			      .no_inherit = options->no_inherit,
			      .idle = options->idle,
			      .sample_cpu = options->sample_cpu,
			      .sample_period = options->sample_period,
			      .user_callchains = options->user_callchains,
			      .kernel_callchains = options->kernel_callchains,
			      .clock = options->clock,
			      .extras = options->extras,
			      .no_samples = options->no_samples,
			      .thread_stats = options->thread_stats,
			      .times = options->times,
			      .data_mappings = options->data_mappings,
			      .context_switches = options->context_switches,
			      .namespaces = options->namespaces,
			      .cgroups = options->cgroups },
		.ring_pages = options->ring_pages,
	};
	plan->options.sampling.extras.cgroup = options->cgroups;
	plan->output = options->output;
	plan->version = XPROF_VERSION;
	plan->compression_level = options->compression_level;
	plan->realtime_priority = options->realtime_priority;
	plan->evidence = options->evidence;
	plan->no_bpf = options->no_bpf;
	plan->no_continue = options->no_continue;
	plan->delay_ns = options->delay_ns;
	plan->duration_ns = options->duration_ns;
}

/* The command is never left running without a word. */
static void end_workload(struct recording *recording)
{
	const int pid = (int)recording_workload_pid(recording);
	enum workload_end end = recording_end_workload(recording, WORKLOAD_PATIENCE_MS);

	if (end == WORKLOAD_STAYS) {
		fprintf(stderr,
			"xprof: the command (process %d) was asked to end (SIGTERM): waiting until it does, "
			"another Ctrl-C leaves it running\n",
			pid);
		end = recording_end_workload(recording, -1);
	}
	if (end == WORKLOAD_IS_LEFT)
		fprintf(stderr, "xprof: the command (process %d) goes on running\n", pid);
}

static int exit_status(const struct recording *recording)
{
	const int stopped_by = recording_stop_signal(recording);

	return stopped_by ? CLI_ENDS_BY_SIGNAL + stopped_by : recording_workload_status(recording);
}

/* Returns the exit status, or CLI_FAILED. */
static int record(const struct recording_plan *plan, const struct record_options *options,
		  struct strbuf *notices, struct error *err)
{
	struct recording *recording = recording_open(plan, notices, err);
	struct recording_summary summary;
	struct progress progress;
	int status;

	print_notices(notices, options->quiet);
	if (!recording)
		return CLI_FAILED;
	summary = recording_summary(recording);
	if (options->verbose)
		print_opened(&summary, plan->events);
	progress_init(&progress, STDERR_FILENO, options->quiet);
	status = recording_run(recording, &progress, err);
	progress_erase(&progress);
	if (status == 0) {
		summary = recording_summary(recording);
		if (!options->quiet)
			print_summary(&summary, plan->output, options->verbose > 0);
	}
	end_workload(recording);
	status = status == 0 ? exit_status(recording) : CLI_FAILED;
	recording_close(recording);
	return status;
}

/* As perf: who is named is recorded, whatever else is asked for. */
static void choose_target(struct record_options *options, struct strbuf *notices)
{
	const char *named = options->pids ? "-p" : options->tids ? "-t" : options->user ? "-u" : NULL;

	if (named && options->system_wide)
		strbuf_addf(notices, "-a is ignored: %s says what is recorded\n", named);
	if ((options->pids || options->tids) && options->user) {
		strbuf_addf(notices, "-u is ignored: %s says what is recorded\n", named);
		options->user = NULL;
	}
	options->system_wide &= !named;
}

/* For those who typed only "xprof record". */
static void add_whole_system_notice(const struct record_options *options, struct strbuf *notices)
{
	char duration[PROGRESS_TEXT_SIZE];

	strbuf_adds(notices, "no command, -p, -t, -u or -C is given: recording the whole system (-a) ");
	if (options->duration_ns)
		strbuf_addf(notices, "for %s; Ctrl-C ends it earlier\n",
			    progress_format_elapsed(duration, options->duration_ns));
	else
		strbuf_adds(notices, "until Ctrl-C ends it\n");
}

static int run_record(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct record_options *options = parsed;
	struct event_specs specs = { 0 };
	struct strbuf notices;
	struct recording_plan plan = { .events = &specs, .workload = operand_count ? operands : NULL };
	const uint64_t asked_hz = options->rate.frequency;
	char *named = NULL;
	int status;

	strbuf_init(&notices);
	choose_output(options, &notices);
	status = check_usage(options, err);
	if (status != 0) {
		strbuf_fini(&notices);
		return status;
	}
	sample_rate_limit(&options->rate, "/proc/sys/kernel/perf_event_max_sample_rate", &notices);
	if (options->strict_freq && options->rate.frequency < asked_hz) {
		strbuf_fini(&notices);
		return error_set(
			err,
			"%" PRIu64
			" Hz is more than the kernel takes: 'sysctl kernel.perf_event_max_sample_rate=%" PRIu64
			"' allows it",
			asked_hz, asked_hz);
	}
	if (options->call_graph.asked_bytes)
		strbuf_addf(&notices, "--call-graph: stack dumps of %d bytes, no more fits into a record\n",
			    STACK_DUMP_MAX_BYTES);
	choose_target(options, &notices);
	options->target = (struct target_request){ .system_wide = options->system_wide,
						   .pids = options->pids,
						   .tids = options->tids,
						   .user = options->user,
						   .cpus = options->cpus };
	if (!operand_count && !options->pids && !options->tids && !options->user && !options->cpus) {
		if (!options->system_wide)
			add_whole_system_notice(options, &notices);
		options->target.system_wide = true;
	}
	plan.target = options->target;
	if (options->timestamp_filename && strcmp(options->output, "-") != 0)
		options->output = named = name_with_time(options->output);
	plan_recording(&plan, options);
	status = CLI_FAILED;
	if (parse_all_events(&specs, options, err) == 0)
		status = options->dry_run ? 0 : record(&plan, options, &notices, err);
	event_specs_fini(&specs);
	event_filters_fini(&options->filters);
	free(named);
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
			"perf.data file that xprof and perf read alike. With -a, -p, -t, -u or -C a COMMAND "
			"only sets the duration: recording ends with it. Without one it ends with Ctrl-C, "
			"--duration, or the recorded processes.",
			"Each signal that ends programs ends the recording in a whole file, and COMMAND with it (SIGTERM); "
			"SIGUSR2 is ignored.",
			"The file is readable at every moment, also after a crash. Samples that the kernel could not deliver are "
			"counted and said.",
			NULL },
	.options = record_table,
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
