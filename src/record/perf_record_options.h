#ifndef XPROF_RECORD_PERF_RECORD_OPTIONS_H
#define XPROF_RECORD_PERF_RECORD_OPTIONS_H

/*
 * Options of perf record that need no work in xprof record: entries of its option table that are accepted,
 * because xprof always does what they ask for, or refused with a message that names a replacement.
 */

#include "cli/option.h"

/* clang-format off */
#define PERF_RECORD_OPTIONS_ACCEPTED \
	{ OPTION_ACCEPTED, .letter = 'T', .name = "timestamp", .help = "every sample has its time" }, \
	{ OPTION_ACCEPTED, .name = "timestamp-boundary", \
	  .help = "the times of the first and the last sample are always written" }, \
	{ OPTION_ACCEPTED, .letter = 'B', .name = "no-buildid", \
	  .help = "build-ids come with the mappings; leaving them out would save nothing" }, \
	{ OPTION_ACCEPTED, .letter = 'N', .name = "no-buildid-cache", .help = "nothing is copied into a cache" }, \
	{ OPTION_ACCEPTED, .name = "buildid-all", .help = "the build-ids of all mapped files are written" }, \
	{ OPTION_ACCEPTED, .name = "buildid-mmap", .help = "build-ids come with the mappings where the kernel can" }, \
	{ OPTION_ACCEPTED, .name = "no-bpf-event", .help = "each BPF program is named in a record of its own" }, \
	{ OPTION_ACCEPTED, .name = "no-buffering", \
	  .help = "samples can be read from the file within two seconds" }, \
	{ OPTION_ACCEPTED, .name = "tail-synthesize", .help = "existing processes are written first, which " \
		"takes milliseconds" }, \
	{ OPTION_ACCEPTED, .name = "synth", .placeholder = "WHAT", \
	  .help = "tasks and mappings are always written: names depend on them" }, \
	{ OPTION_ACCEPTED, .name = "num-thread-synthesize", .placeholder = "N", .help = "one thread is enough" }, \
	{ OPTION_ACCEPTED, .name = "proc-map-timeout", .placeholder = "MS", .help = "xprof never waits for " \
		"a process's maps" }, \
	{ OPTION_ACCEPTED, .name = "aio", .placeholder = "N", .argument_optional = true, \
	  .help = "xprof writes straight from the rings" }, \
	{ OPTION_ACCEPTED, .name = "affinity", .placeholder = "MODE", .help = "no effect: see --threads" }, \
	{ OPTION_ACCEPTED, .name = "mmap-flush", .placeholder = "BYTES", .help = "xprof reads a ring when it " \
		"is half full" }, \
	{ OPTION_ACCEPTED, .name = "debuginfod", .placeholder = "URLS", .argument_optional = true, \
	  .help = "debug files are fetched when a report needs them" }, \
	{ OPTION_ACCEPTED, .name = "no-call-graph", .help = "call stacks are recorded when -g or --call-graph asks for them" }

#define PERF_RECORD_AUX_REFUSED \
	OPTION_REFUSED("xprof records samples, not hardware traces (Intel PT, CoreSight, SPE); use 'perf record'")
#define PERF_RECORD_BPF_REFUSED \
	OPTION_REFUSED("xprof compiles no BPF scriptlets; record a probe instead: 'perf probe', then -e probe:NAME")
#define PERF_RECORD_SWITCH_EVENT_REFUSED \
	OPTION_REFUSED("xprof begins a new file by size, by time or on SIGUSR2: --switch-output=SIZE|TIME|signal")

#define PERF_RECORD_OPTIONS_REFUSED \
	{ PERF_RECORD_AUX_REFUSED, .letter = 'S', .name = "snapshot" }, \
	{ PERF_RECORD_AUX_REFUSED, .name = "aux-sample" }, \
	{ PERF_RECORD_BPF_REFUSED, .name = "clang-path" }, \
	{ PERF_RECORD_BPF_REFUSED, .name = "clang-opt" }, \
	{ OPTION_REFUSED("recording needs no kernel image; give it to the reader: 'xprof report -k FILE'"), \
	  .name = "vmlinux" }, \
	{ OPTION_REFUSED("samples are not filtered by BPF programs; --filter filters tracepoints"), \
	  .name = "setup-filter" }, \
	{ OPTION_REFUSED("a recording is one file and has no room for the kernel's code; 'xprof archive' packs what " \
			 "another machine needs to name it"), \
	  .name = "kcore" }, \
	{ PERF_RECORD_SWITCH_EVENT_REFUSED, .name = "switch-output-event" }, \
	{ OPTION_REFUSED("waits of a period or longer are sampled, shorter ones at random; --off-cpu=PERIOD sets it"), \
	  .name = "off-cpu-thresh" }
/* clang-format on */

#endif
