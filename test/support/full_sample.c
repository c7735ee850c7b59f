#include "support/full_sample.h"

#include <linux/perf_event.h>

static const uint64_t read_words[] = { 2, 500, /* nr, enabled */ 1000, 7, 2000, 8 };
static const uint64_t callchain[] = { PERF_CONTEXT_USER, 0x400100, 0x400200 };
static const uint64_t branches[] = { 0x10, 0x20, 1, 0x30, 0x40, 2 };
static const uint64_t branch_counters[] = { 5, 6 };
static const uint64_t user_regs[] = { 333, 888 };
static const uint64_t intr_regs[] = { 111 };

const struct built_sample full_sample = {
	.misc = PERF_RECORD_MISC_USER,
	.id = 7,
	.ip = 0x400100,
	.pid = 100,
	.tid = 101,
	.time_ns = 12345,
	.addr = 0xadd0,
	.stream_id = 9,
	.cpu = 5,
	.period = 250000,
	.read_words = read_words,
	.read_word_count = 6,
	.callchain = callchain,
	.callchain_count = 3,
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
