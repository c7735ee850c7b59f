#include "support/full_sample.h"

#include <linux/perf_event.h>

enum { HW_INDEX = 1 << 17, COUNTERS = 1 << 19 }; /* PERF_SAMPLE_BRANCH_…: Linux 5.7, 6.8 */

const struct perf_event_attr full_sample_attr = {
	.size = sizeof(full_sample_attr),
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
		       PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
		       PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
		       PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
		       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
	.branch_sample_type = HW_INDEX | COUNTERS,
	.sample_regs_user = 1 << 3 | 1 << 8,
	.sample_regs_intr = 1 << 3 | 1 << 8,
	.sample_id_all = 1,
};

static const uint64_t read_words[] = { 2 /* number of counters */, 1000, 7, 2000, 8 };
static const uint64_t callchain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER, 0x400100,
				      0x400200 };
static const uint64_t branches[] = { 0x10, 0x20, 1, 0x30, 0x40, 2 };
static const uint64_t branch_counters[] = { 5, 6 };
static const uint64_t user_regs[] = { 333, 888 };
static const uint64_t intr_regs[] = { 111, 112 };

const struct built_sample full_sample = {
	.misc = PERF_RECORD_MISC_USER,
	.id = 7,
	.ip = 0x400100,
	.pid = 10,
	.tid = 11,
	.time_ns = 12345,
	.addr = 0xadd0,
	.stream_id = 9,
	.cpu = 5,
	.period = 250000,
	.read_words = read_words,
	.read_word_count = 5,
	.callchain = callchain,
	.callchain_count = 5,
	.raw = "rawdata!rawd",
	.raw_size = 12,
	.branch_hw_index = 17,
	.branches = branches,
	.branch_count = 2,
	.branch_counters = branch_counters,
	.user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
	.user_regs = user_regs,
	.user_stack = "stack bytes here",
	.user_stack_size = 16,
	.user_stack_dumped = 12,
	.weight = (uint64_t)3 << 48 | (uint64_t)2 << 32 | 1,
	.data_src = 21,
	.transaction = 22,
	.intr_regs_abi = PERF_SAMPLE_REGS_ABI_64,
	.intr_regs = intr_regs,
	.phys_addr = 23,
	.cgroup = 24,
	.data_page_size = 4096,
	.code_page_size = 2097152,
	.aux = "auxtrace",
	.aux_size = 8,
};
