#ifndef XPROF_FORMAT_PERF_FEATURES_H
#define XPROF_FORMAT_PERF_FEATURES_H

/*
 * The features of a recording: facts about the machine on which it was made
 * (tools/perf/Documentation/perf.data-file-format.txt, HEADER_*). Decoded from feature sections and from
 * HEADER_FEATURE records. Strings live as long as the file; NULL or 0 when absent.
 */

#include <stddef.h>
#include <stdint.h>

struct build_id_entry { /* HEADER_BUILD_ID */
	uint32_t pid;   /* -1 for the host */
	uint16_t misc;  /* cpumode: kernel or user */
	uint8_t build_id[20];
	uint8_t build_id_size;
	const char *path;
};

struct perf_features {
	uint64_t present[4]; /* bit n: feature n was read (256 bits) */
	const char *hostname;
	const char *os_release;
	const char *perf_version;
	const char *arch;
	uint32_t cpus_available, cpus_online;
	const char *cpu_description;
	const char *cpu_id;
	uint64_t total_memory_kib;
	const char *const *command_line;
	size_t command_line_count;
	const struct build_id_entry *build_ids;
	size_t build_id_count;
	uint64_t first_sample_ns, last_sample_ns; /* SAMPLE_TIME */
	int32_t clock_id;                         /* CLOCK_DATA; -1 when absent */
	uint64_t clock_wall_ns, clock_clockid_ns; /* the same moment, on the wall clock and on clock_id */
	uint32_t compression_level, compression_ratio;
};

#endif
