/* The option table of xprof record, and the functions that parse the values of its options. */
#include "record/record_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_options.h"
#include "record/event/branch_filter.h"
#include "record/event/call_graph.h"
#include "record/perf_record_options.h"

enum { MAX_RING_PAGES = 1 << 20 /* 4 GiB per CPU: a larger number is a typing error */ };

static int set_frequency(void *parsed, const char *text, struct error *err)
{
	return sample_rate_parse(&((struct record_options *)parsed)->rate, text, err);
}

static int set_best_call_graph(void *parsed, const char *text, struct error *err)
{
	(void)text;
	(void)err;
	((struct record_options *)parsed)->plan.options.sampling.call_graph = call_graph_best();
	return 0;
}

static int set_call_graph(void *parsed, const char *text, struct error *err)
{
	return call_graph_parse(&((struct record_options *)parsed)->plan.options.sampling.call_graph, text,
				err);
}

static int set_branch_filter(void *parsed, const char *text, struct error *err)
{
	return branch_filter_parse(&((struct record_options *)parsed)->plan.options.sampling.branch_filter,
				   text, err);
}

static int set_any_branch(void *parsed, const char *text, struct error *err)
{
	(void)text;
	return set_branch_filter(parsed, "any", err);
}

static int set_delay(void *parsed, const char *text, struct error *err)
{
	return sampling_plan_parse(&((struct record_options *)parsed)->plan.sampling, text, err);
}

static int set_duration(void *parsed, const char *text, struct error *err)
{
	return option_parse_duration(text, &((struct record_options *)parsed)->plan.sampling.duration_ns,
				     err);
}

static int set_switch(void *parsed, const char *text, struct error *err)
{
	return switch_condition_parse(&((struct record_options *)parsed)->plan.switches, text, err);
}

/* A bare number is pages, a number with a unit is bytes; rounded up to a power of two pages. */
static int set_ring_pages(void *parsed, const char *text, struct error *err)
{
	struct record_options *options = parsed;
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t pages;

	if (strchr(text, ','))
		return error_set(
			err,
			"'%s': the second number is for hardware traces, which xprof does not record; give "
			"only the first",
			text);
	if (option_parse_size(text, &pages, err) < 0)
		return -1;
	if (text[strspn(text, "0123456789")])
		pages = (pages + page_bytes - 1) / page_bytes;
	if (pages == 0 || pages > MAX_RING_PAGES)
		return error_set(err, "'%s' is not a size for a ring: 1 to %d pages, or a size such as 2M",
				 text, MAX_RING_PAGES);
	for (options->plan.options.ring_pages = 1; options->plan.options.ring_pages < pages;)
		options->plan.options.ring_pages *= 2;
	return 0;
}

/* -z alone means -z3, -z0 turns compression off. */
static int set_compression(void *parsed, const char *text, struct error *err)
{
	struct record_options *options = parsed;
	uint64_t level = COMPRESS_LEVEL_DEFAULT;

	if (text && option_parse_u64(text, &level, err) < 0)
		return -1;
	if (level > COMPRESS_LEVEL_MAX)
		return error_set(err, "'%s' is not a compression level: 1 (fast) to %d (small), 0 for none",
				 text, COMPRESS_LEVEL_MAX);
	options->plan.compression_given = true;
	options->plan.compression_level = (unsigned int)level;
	return 0;
}

static const char *const thread_choices[] = { "cpu", "core", "package", "numa", NULL };

/* As perf: one thread for each CPU by default. */
static int set_threads(void *parsed, const char *text, struct error *err)
{
	struct record_options *options = parsed;

	options->plan.threads = text && text[0] ? text : thread_choices[0];
	return drain_spec_check(options->plan.threads, err);
}

/* --off-cpu alone means 1ms: one stack per millisecond off the CPU. */
static int set_off_cpu(void *parsed, const char *text, struct error *err)
{
	enum { DEFAULT_NS = 1000000, LEAST_NS = 10000 };
	struct record_options *options = parsed;
	char *unit;
	unsigned long long number;

	options->plan.off_cpu_period_ns = DEFAULT_NS;
	if (!text)
		return 0;
	number = strtoull(text, &unit, 10);
	if (unit != text && (strcmp(unit, "us") == 0) && number < UINT64_MAX / 1000)
		options->plan.off_cpu_period_ns = number * 1000;
	else if (option_parse_duration(text, &options->plan.off_cpu_period_ns, err) < 0)
		return -1;
	if (options->plan.off_cpu_period_ns < LEAST_NS)
		return error_set(err, "'%s' is too short: use a period of 10us or longer", text);
	return 0;
}

static int add_filter(void *parsed, const char *text, struct error *err)
{
	struct record_options *options = parsed;

	return event_filters_add(&options->filters, text, options->events.count, err);
}

static int add_cgroups(void *parsed, const char *text, struct error *err)
{
	struct record_options *options = parsed;

	(void)err;
	event_cgroups_add(&options->cgroup_lists, text, options->events.count);
	return 0;
}

static int set_user_registers(void *parsed, const char *text, struct error *err)
{
	return sample_registers_parse(
		&((struct record_options *)parsed)->plan.options.sampling.extras.user_registers, text, err);
}

static int set_interrupt_registers(void *parsed, const char *text, struct error *err)
{
	return sample_registers_parse(
		&((struct record_options *)parsed)->plan.options.sampling.extras.interrupt_registers, text,
		err);
}

static int set_clock(void *parsed, const char *text, struct error *err)
{
	return sample_clock_parse(&((struct record_options *)parsed)->plan.options.sampling.clock, text, err);
}

static const char *const call_graph_choices[] = { "auto", "fp", "lbr", "dwarf", NULL };
/* In the order of enum evidence_level. */
static const char *const evidence_choices[] = { "least", "all", "none", NULL };

static int set_evidence(void *parsed, const char *text, struct error *err)
{
	for (size_t i = 0; evidence_choices[i]; i++)
		if (strcmp(text, evidence_choices[i]) == 0) {
			((struct record_options *)parsed)->plan.evidence = (enum evidence_level)i;
			return 0;
		}
	return error_set(err, "'%s' is neither least nor all nor none", text);
}

#define SAMPLING_FLAG(name) OPTION_FLAG(struct record_options, plan.options.sampling.name)

const struct option record_option_table[] = {
	OPTION_GROUP("What to record"),
	{ OPTION_FLAG(struct record_options, plan.target.system_wide), .letter = 'a', .name = "all-cpus",
	  .help = "the whole system (default if neither a command nor -p, -t or -u is given)" },
	{ OPTION_STRING(struct record_options, plan.target.pids), .letter = 'p', .name = "pid",
	  .placeholder = "PID[,PID...]", .completes = OPTION_COMPLETES_PID, .comma_list = true,
	  .help = "these processes, by number or name, with the threads and processes they start from now on",
	  .details = "A name selects all processes with this name when the recording begins. The name is the "
		     "one shown by 'ps -o comm', or the file name of the program." },
	{ OPTION_STRING(struct record_options, plan.target.tids), .letter = 't', .name = "tid",
	  .placeholder = "TID[,TID...]", .completes = OPTION_COMPLETES_PID, .comma_list = true,
	  .help = "these threads" },
	{ OPTION_STRING(struct record_options, plan.target.user), .letter = 'u', .name = "uid",
	  .placeholder = "USER", .completes = OPTION_COMPLETES_USER,
	  .help = "the processes that this user runs now (name or number)" },
	{ OPTION_STRING(struct record_options, plan.target.cpus), .letter = 'C', .name = "cpu",
	  .placeholder = "CPU[,CPU-CPU...]", .completes = OPTION_COMPLETES_CPU, .comma_list = true,
	  .help = "only on these CPUs: all threads, or those of -p, -t or -u" },
	{ OPTION_STRING(struct record_options, plan.comms), .name = "filter-comm",
	  .placeholder = "NAME[,NAME...]", .comma_list = true,
	  .help = "write only samples of threads with these names",
	  .details =
		  "The name is the thread's at the time of the sample, as in 'report --comms'. The kernel "
		  "still takes all samples, and xprof drops the others. For a tracepoint, --filter 'comm == "
		  "\"NAME\"' costs less." },
	{ OPTION_CALLBACK(add_cgroups), .letter = 'G', .name = "cgroup", .placeholder = "CGROUP[,CGROUP...]",
	  .comma_list = true, .help = "only what runs in this cgroup, with -a or -C",
	  .details =
		  "CGROUP is a path below the cgroup mount (/sys/fs/cgroup). Give -G after -e. One name "
		  "applies to all events before it. Of several, the first applies to the first event, the "
		  "second to the second, and so on; an empty name sets no cgroup. Child cgroups are "
		  "included. With --off-cpu xprof records the waits of threads in any of the named cgroups, "
		  "which must be of version 2." },
	{ SAMPLING_FLAG(no_inherit), .letter = 'i', .name = "no-inherit",
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
		  "precise, P as precise as possible, D pinned, e exclusive, I not when idle. S, in a group, "
		  "writes the counts of all its events with each sample of the first; W opens the events "
		  "without a group if the group cannot be opened.\n\n"
		  "Terms are written between slashes, as in cpu-clock/freq=99,max-stack=2/: period=N, "
		  "freq=HZ, name=TEXT, call-graph=no|fp|dwarf|auto, stack-size=BYTES, max-stack=N, inherit, "
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
	{ OPTION_U64(struct record_options, plan.options.sampling.period), .letter = 'c', .name = "count",
	  .placeholder = "N", .minimum = 1,
	  .help = "take a sample every N events, instead of by frequency (-F)" },
	{ OPTION_CALLBACK(set_off_cpu), .name = "off-cpu", .placeholder = "PERIOD", .argument_optional = true,
	  .help = "also sample time off the CPU: where threads wait, for what, and what woke them",
	  .details =
		  "BPF programs measure how long each thread is off the CPU. A wait of PERIOD (default: 1ms; "
		  "100us, 10ms) or longer is always sampled, with its real duration. Shorter waits are "
		  "sampled at random, so that sums are right on average. The samples belong to the event "
		  "offcpu-time, whose period is in nanoseconds. Each one tells whether the thread slept, "
		  "waited for a disk, or was ready but without a CPU, for how long, and which thread or "
		  "interrupt woke it, with the stacks of both. With -e dummy nothing else is recorded.\n\n"
		  "Needs root, or CAP_BPF and CAP_PERFMON. Before Linux 6.18, down to 5.19, user stacks are copied "
		  "at the end of system calls, which costs more." },
	{ SAMPLING_FLAG(idle), .name = "idle", .help = "keep cpu-clock samples of idle CPUs",
	  .details = "Hardware cycles do not count while a CPU sleeps, so xprof leaves the idle task out of "
		     "cpu-clock as well: percentages then refer to busy time. With --idle they refer to all "
		     "time." },

	OPTION_GROUP("Call stacks"),
	{ OPTION_BARE_CALLBACK(set_best_call_graph), .letter = 'g',
	  .help = "record call stacks (--call-graph auto)" },
	{ OPTION_CALLBACK(set_call_graph), .name = "call-graph", .placeholder = "MODE[,BYTES]",
	  .choices = call_graph_choices,
	  .help = "record call stacks by this method: auto[,BYTES], fp[,defer], lbr, or dwarf[,BYTES]; BYTES "
		  "limits the stack dumps",
	  .details =
		  "auto: each sample comes with a copy of its whole stack, which xprof unwinds at once with "
		  "the programs' unwind tables. If it can follow the stack to the start of the thread it "
		  "writes the addresses alone. Otherwise it writes the registers and as much of the copy as "
		  "a record holds (up to 64 KiB) for the reader to unwind. Compiled programs need no frame "
		  "pointers for this. With BYTES, and where no BPF program may be loaded, the kernel copies "
		  "only the innermost BYTES (default: 16384).\n\n"
		  "fp: the kernel follows frame pointers and nothing else is recorded. Callers are missing "
		  "where programs and libraries are built with -fomit-frame-pointer, as most are. This "
		  "method costs least. With fp,defer the kernel (Linux 6.19) walks the user stack when the "
		  "thread returns to user space, once for all samples since it entered the kernel; it can "
		  "then read pages from disk. perf before 6.19 does not see the user stacks of such "
		  "files.\n\n"
		  "lbr: the CPU itself keeps the calls that have not returned (Intel since Haswell; 8 to 32 of "
		  "them), and the kernel follows frame pointers. xprof report takes the innermost frames from "
		  "the CPU, and the outer frames from frame pointers. User space only.\n\n"
		  "dwarf: every sample has the registers and a copy of the stack, for the reader to unwind. "
		  "Files become large.\n\n"
		  "BYTES is limited by the record size of 64 KiB, which includes all other fields; xprof "
		  "lowers a larger number and says so." },
	{ OPTION_FLAG(struct record_options, plan.no_bpf), .name = "no-bpf",
	  .help = "let the kernel dump stacks (16384 bytes), as where no BPF program may be loaded",
	  .details =
		  "A BPF program copies stacks whole. It needs root (or CAP_BPF and CAP_PERFMON) and Linux "
		  "6.3. Otherwise, and with auto,BYTES, the kernel dumps the innermost BYTES of each stack; "
		  "-v prints which of the two is used." },
	{ OPTION_FLAG(struct record_options, plan.no_continue), .name = "no-continue-stacks",
	  .help = "do not continue stacks beyond the kernel's dumps",
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
		  "Needs a CPU that records branches (Intel LBR, AMD BRS or LBRv2, Arm BRBE) and a hardware "
		  "event. Kinds: any, any_call, any_ret, ind_call, ind_jmp, call, cond, stack, in_tx, no_tx, "
		  "abort_tx. Where: u, k, hv (default: where the event counts). More fields of each branch: "
		  "save_type, priv, counter, hw_index; fewer: no_flags, no_cycles. xprof leaves out fields "
		  "that the CPU or the kernel does not have, and says so." },
	{ SAMPLING_FLAG(user_callchains), .name = "user-callchains",
	  .help = "leave the kernel's part out of call stacks" },
	{ SAMPLING_FLAG(kernel_callchains), .name = "kernel-callchains",
	  .help = "leave the user's part out of call stacks" },
	{ SAMPLING_FLAG(sample_cpu), .name = "sample-cpu",
	  .help = "write the CPU into every sample (-a and -C always do)" },
	{ SAMPLING_FLAG(sample_period), .letter = 'P', .name = "period",
	  .help = "write the period into every sample (always done unless -c is given)" },
	{ OPTION_CALLBACK(set_clock), .letter = 'k', .name = "clockid", .placeholder = "CLOCK",
	  .choices = sample_clock_names, .help = "take times from this clock (default: the scheduler's)",
	  .details =
		  "Use it to compare samples with the logs of programs. The recording then relates its times "
		  "to the time of day. Hardware events take monotonic and monotonic_raw only." },

	OPTION_GROUP("When to record, and where to write"),
	{ OPTION_STRING(struct record_options, plan.output), .letter = 'o', .name = "output",
	  .placeholder = "FILE", .completes = OPTION_COMPLETES_FILE,
	  .help = "write to FILE (default: perf.data, or standard output if that is a pipe); - is standard output",
	  .details =
		  "If the recording goes to standard output, xprof redirects COMMAND's standard output to "
		  "standard error. It writes into a FIFO or a device and never replaces it.\n\n"
		  "An older FILE is kept as FILE.old. The file can be read at any time; if xprof is killed, "
		  "at most the last two seconds are lost." },
	{ OPTION_CALLBACK(set_compression), .letter = 'z', .name = "compression-level",
	  .placeholder = "LEVEL", .argument_optional = true,
	  .help = "compress with zstd, level 1 (fast) to 22 (small), 3 by default; 0: not at all",
	  .details =
		  "Files with call stacks are compressed unless -z0 forbids it: they shrink to a fifth or less. "
		  "Recordings without stacks, or into a pipe, are compressed if -z asks for it. perf since Linux 5.2 "
		  "reads such files, if it was built with zstd. Some other programs do not, such as Debian's hotspot: "
		  "record with -z0 for them, or make a plain file with 'xprof convert --decompress'." },
	{ OPTION_CALLBACK(set_delay), .letter = 'D', .name = "delay", .placeholder = "MS",
	  .help = "start sampling after MS milliseconds (or 2s, 1m); -1: not until --control enables it; or "
		  "sample in ranges (10-20,30-40)",
	  .details =
		  "Ranges are milliseconds since the beginning; the recording ends with the last of them." },
	{ OPTION_CALLBACK(set_duration), .name = "duration", .placeholder = "TIME",
	  .help = "stop after TIME: seconds, or 500ms, 5m; a command that still runs then is terminated" },
	{ OPTION_CALLBACK(set_switch), .name = "switch-output", .placeholder = "SIZE|TIME|signal",
	  .argument_optional = true,
	  .help = "begin a new file at SIZE (100M), every TIME (30s, 5m, 1h, 1d), or on SIGUSR2 (signal, the default)",
	  .details =
		  "While a file is written it has the name FILE; then it gets the name FILE.YYYYMMDDhhmmssCC, the "
		  "local time with hundredths of seconds. Each file can be read without the others, and no "
		  "sample is lost at the switch. SIGUSR2 begins a new file also with SIZE and TIME. SIZE and "
		  "TIME need their unit: B, K, M or G; s, m, h or d." },
	{ OPTION_UNSIGNED(struct record_options, plan.max_files), .name = "switch-max-files",
	  .placeholder = "N", .minimum = 1, .maximum = 1000000,
	  .help = "keep only the latest N complete files of --switch-output" },
	{ OPTION_SIZE(struct record_options, plan.max_bytes), .name = "max-size", .placeholder = "SIZE",
	  .minimum = 1,
	  .help = "end the recording when its file (with --switch-output any of them) has SIZE: 500K, 100M, 2G" },
	{ OPTION_FLAG(struct record_options, plan.options.overwrite), .name = "overwrite",
	  .help = "keep only the latest samples (flight recorder): a file gets the samples that are in the "
		  "rings when it ends",
	  .details =
		  "The kernel overwrites the oldest samples in its rings, and xprof reads them only when a file ends: "
		  "on SIGUSR2 or each TIME with --switch-output, and with the recording. How many seconds the "
		  "rings hold depends on their size (-m), the frequency (-F) and the call stacks: --call-graph fp "
		  "needs least. Stacks are dumped by the kernel, as with --no-bpf." },
	{ OPTION_STRING(struct record_options, plan.control), .name = "control",
	  .placeholder = "fifo:CTL[,ACK]",
	  .help = "take commands from this FIFO (or descriptors, fd:CTL[,ACK]) while recording: enable, disable, stop, ...",
	  .details =
		  "A command is a line: enable and disable start and stop sampling, also of one event (enable "
		  "NAME); snapshot begins the next file of --switch-output; stop ends the recording; ping does "
		  "nothing; evlist prints the events, with -F their frequencies, with -g their groups, with -v "
		  "more. After each command 'ack' and a newline are written to ACK. With -D -1 nothing is sampled "
		  "until enable comes." },
	{ OPTION_CALLBACK(set_ring_pages), .letter = 'm', .name = "mmap-pages", .placeholder = "PAGES",
	  .help = "size of the kernel's ring per CPU: pages, or a size such as 2M (default: 512K; with stack "
		  "dumps 8M; above 4 kHz or with every hit of an event up to 64M)" },
	{ OPTION_CALLBACK(set_threads), .name = "threads", .placeholder = "SPEC", .argument_optional = true,
	  .choices = thread_choices, .seldom = true,
	  .help = "use several threads to read the rings: one per cpu (default), core, package or numa node, "
		  "or one for each of CPUS:CPUS:...",
	  .details =
		  "Without this option xprof starts a thread for each NUMA node, and for 32 CPUs of a large node, as soon as "
		  "one thread cannot follow. There is one file however many threads there are (perf writes a directory "
		  "then). CPUS is a list such as 0-15; as in perf, CPUS/CPUS is allowed, but the thread always runs on the CPUs "
		  "whose rings it reads." },
	{ OPTION_UNSIGNED(struct record_options, plan.realtime_priority), .letter = 'r', .name = "realtime",
	  .placeholder = "PRIORITY", .minimum = 1, .maximum = 99,
	  .help = "record with this real-time priority (SCHED_FIFO)",
	  .details =
		  "Without this option xprof raises its own priority to nice -20 when permitted, so that "
		  "busy machines lose no samples; if it was started with nice, it keeps that priority. The "
		  "priority of the recorded command does not change." },
	{ OPTION_FLAG(struct record_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "print nothing but errors" },
	{ OPTION_COUNT(struct record_options, verbose), .letter = 'v', .name = "verbose",
	  .help = "print the opened events and rings, the number of existing processes, and how stacks were "
		  "recorded" },

	{ SAMPLING_FLAG(extras.address), .letter = 'd', .name = "data", .seldom = true,
	  .help = "write the data address into every sample, and record data mappings" },
	{ SAMPLING_FLAG(extras.data_source), .name = "sample-mem-info", .seldom = true,
	  .help = "write where in the memory hierarchy data came from (memory access events)" },
	{ SAMPLING_FLAG(extras.physical_address), .name = "phys-data", .seldom = true,
	  .help = "write the physical address of the data into every sample" },
	{ SAMPLING_FLAG(extras.data_page_size), .name = "data-page-size", .seldom = true,
	  .help = "write the page size of the data into every sample" },
	{ SAMPLING_FLAG(extras.code_page_size), .name = "code-page-size", .seldom = true,
	  .help = "write the page size of the code into every sample" },
	{ SAMPLING_FLAG(extras.weight), .letter = 'W', .name = "weight", .seldom = true,
	  .help = "write the weight of each sample (memory access events: the latency)" },
	{ SAMPLING_FLAG(extras.transaction), .name = "transaction", .seldom = true,
	  .help = "write the flags of the transaction (hardware transaction events)" },
	{ SAMPLING_FLAG(extras.raw), .letter = 'R', .name = "raw-samples", .seldom = true,
	  .help = "record the raw data of every event; tracepoints have it anyway" },
	{ SAMPLING_FLAG(extras.identifier), .name = "sample-identifier", .seldom = true,
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
	{ SAMPLING_FLAG(no_inherit), .name = "per-thread", .seldom = true,
	  .help = "the same as --no-inherit; rings are still per CPU" },
	{ OPTION_FLAG(struct record_options, strict_freq), .name = "strict-freq", .seldom = true,
	  .help = "fail if the kernel does not allow the frequency of -F" },
	{ SAMPLING_FLAG(no_samples), .letter = 'n', .name = "no-samples", .seldom = true,
	  .help = "record no samples, only what processes do (start, map, exit)" },
	{ SAMPLING_FLAG(thread_stats), .letter = 's', .name = "stat", .seldom = true,
	  .help = "record each thread's count of each event, for 'report -T'" },
	{ SAMPLING_FLAG(times), .name = "running-time", .seldom = true,
	  .help = "write with each count how long its event was enabled and counted" },
	{ SAMPLING_FLAG(data_mappings), .name = "data-mmap", .seldom = true,
	  .help = "record also mappings that are not executable" },
	{ SAMPLING_FLAG(context_switches), .name = "switch-events", .seldom = true,
	  .help = "record every context switch" },
	{ SAMPLING_FLAG(context_switches), .name = "latency", .seldom = true,
	  .help = "the same as --switch-events; 'perf report --latency' needs it" },
	{ SAMPLING_FLAG(namespaces), .name = "namespaces", .seldom = true,
	  .help = "record the namespaces of processes" },
	{ SAMPLING_FLAG(cgroups), .name = "all-cgroups", .seldom = true,
	  .help = "write the cgroup into every sample, and record the names of cgroups" },
	{ OPTION_FLAG(struct record_options, exclude_self), .name = "exclude-perf", .seldom = true,
	  .help = "leave out tracepoint hits of xprof itself" },
	{ OPTION_FLAG(struct record_options, probe), .name = "probe",
	  .help = "record nothing; print what this machine can record, and the effect of each missing feature" },
	{ OPTION_FLAG(struct record_options, dry_run), .name = "dry-run", .seldom = true,
	  .help = "check options and events without recording" },
	{ OPTION_FLAG(struct record_options, timestamp_filename), .name = "timestamp-filename",
	  .seldom = true, .help = "rename FILE to FILE.TIME at the end, as in perf.data.2026112107305912" },
	PERF_RECORD_OPTIONS_ACCEPTED,
	PERF_RECORD_OPTIONS_REFUSED,
	OPTION_END,
};
