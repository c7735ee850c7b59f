#ifndef XPROF_FORMAT_PERF_ABI_H
#define XPROF_FORMAT_PERF_ABI_H

/*
 * Numbers of the perf.data format that <linux/perf_event.h> does not have: records and features of the tools
 * (tools/perf/util/event.h and header.h, documented in tools/perf/Documentation/perf.data-file-format.txt),
 * and numbers that the oldest supported header lacks. The latter have a prefix of our own, because newer
 * headers define the kernel's names as enumerators.
 */

#include <linux/perf_event.h>

#define PERF_FILE_MAGIC2 0x32454c4946524550u /* "PERFILE2" read in the file's own byte order */
#define PERF_FILE_MAGIC1 0x454c494646524550u /* "PERFFILE", before Linux 2.6.36 */

enum {
	PERF_FILE_HEADER_SIZE = 104,
	PERF_PIPE_HEADER_SIZE = 16,
	PERF_RECORD_HEADER_SIZE = 8,
};

enum { /* kernel records that older headers lack */
       RECORD_AUX_OUTPUT_HW_ID = 21,
       RECORD_CALLCHAIN_DEFERRED = 22, /* Linux 6.19 */
};

enum {                             /* bits of branch_sample_type that older headers lack */
       BRANCH_HW_INDEX = 1 << 17,  /* Linux 5.7 */
       BRANCH_PRIV_SAVE = 1 << 18, /* Linux 6.1 */
       BRANCH_COUNTERS = 1 << 19,  /* Linux 6.8 */
};

enum perf_user_record {
	PERF_RECORD_USER_TYPE_START = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65, /* obsolete */
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_AUXTRACE_ERROR = 72,
	PERF_RECORD_THREAD_MAP = 73,
	PERF_RECORD_CPU_MAP = 74,
	PERF_RECORD_STAT_CONFIG = 75,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_STAT_ROUND = 77,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_TIME_CONV = 79,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_FINISHED_INIT = 82,
	PERF_RECORD_COMPRESSED2 = 83, /* perf 6.16 */
	PERF_RECORD_BPF_METADATA = 84,
	PERF_RECORD_SCHEDSTAT_CPU = 85,
	PERF_RECORD_SCHEDSTAT_DOMAIN = 86,
};

/*
 * simpleperf's own records, system/extras/simpleperf/record.h. Their header has the upper half of
 * a 32-bit size where others have misc.
 */
enum simpleperf_record {
	SIMPLEPERF_RECORD_TYPE_START = 32768,
	SIMPLEPERF_RECORD_KERNEL_SYMBOL,
	SIMPLEPERF_RECORD_DSO,
	SIMPLEPERF_RECORD_SYMBOL,
	SIMPLEPERF_RECORD_SPLIT,     /* a piece of a record of more than 64 KiB */
	SIMPLEPERF_RECORD_SPLIT_END, /* the pieces before this are one record */
	SIMPLEPERF_RECORD_EVENT_ID,
	SIMPLEPERF_RECORD_CALLCHAIN,
	SIMPLEPERF_RECORD_UNWINDING_RESULT,
	SIMPLEPERF_RECORD_TRACING_DATA,
	SIMPLEPERF_RECORD_DEBUG,
};

enum perf_feature_number {
	HEADER_TRACING_DATA = 1,
	HEADER_BUILD_ID,
	HEADER_HOSTNAME,
	HEADER_OSRELEASE,
	HEADER_VERSION,
	HEADER_ARCH,
	HEADER_NRCPUS, /* available, then online */
	HEADER_CPUDESC,
	HEADER_CPUID,
	HEADER_TOTAL_MEM, /* KiB */
	HEADER_CMDLINE,
	HEADER_EVENT_DESC,
	HEADER_CPU_TOPOLOGY,
	HEADER_NUMA_TOPOLOGY,
	HEADER_BRANCH_STACK,
	HEADER_PMU_MAPPINGS,
	HEADER_GROUP_DESC,
	HEADER_AUXTRACE,
	HEADER_STAT,
	HEADER_CACHE,
	HEADER_SAMPLE_TIME,
	HEADER_MEM_TOPOLOGY,
	HEADER_CLOCKID,
	HEADER_DIR_FORMAT,
	HEADER_BPF_PROG_INFO,
	HEADER_BPF_BTF,
	HEADER_COMPRESSED,
	HEADER_CPU_PMU_CAPS,
	HEADER_CLOCK_DATA,
	HEADER_HYBRID_TOPOLOGY,
	HEADER_PMU_CAPS,
	HEADER_FEATURE_COUNT_KNOWN,
	/* simpleperf's, record_file_format.h */
	HEADER_SIMPLEPERF_FILE = 128,
	HEADER_SIMPLEPERF_META_INFO,
	HEADER_SIMPLEPERF_DEBUG_UNWIND,
	HEADER_SIMPLEPERF_DEBUG_UNWIND_FILE,
	HEADER_SIMPLEPERF_FILE2,
	HEADER_SIMPLEPERF_ETM_BRANCH_LIST,
	HEADER_SIMPLEPERF_INIT_MAP, /* records to be read before the data */
	HEADER_FEATURE_BITS = 256,
};

/* header.misc of MMAP, MMAP2, COMM, FORK: bit 13, meaning depends on the type; bit 14 on MMAP2: build-id inline. */
enum {
	RECORD_MISC_CPUMODE_MASK = 7,
	RECORD_MISC_COMM_EXEC = 1 << 13,
	RECORD_MISC_MMAP_DATA = 1 << 13,
	RECORD_MISC_MMAP_BUILD_ID = 1 << 14,
	RECORD_MISC_LOST_SAMPLES_BPF = 1 << 15, /* dropped by perf's BPF filter at the user's request */
};

#endif
