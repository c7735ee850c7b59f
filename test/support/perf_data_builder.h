#ifndef XPROF_TEST_SUPPORT_PERF_DATA_BUILDER_H
#define XPROF_TEST_SUPPORT_PERF_DATA_BUILDER_H

/*
 * Builds perf.data files in memory, byte by byte, in either byte order. Tests read these instead of recorded fixtures.
 *
 *	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
 *
 *	perf_data_builder_add_event(b, &(struct built_event){ .attr = { ... }, .name = "cycles" });
 *	perf_data_builder_comm(b, 100, 100, "worker", 1000);
 *	perf_data_builder_mmap2(b, &(struct built_mmap){ .pid = 100, .start = 0x400000, ... });
 *	perf_data_builder_sample(b, &(struct built_sample){ .ip = 0x400100, .time_ns = 2000, ... });
 *	perf_data_builder_finish_file(b);        file mode; or _finish_pipe()
 *	file = perf_data_builder_open(b);
 *
 * Records have the layout that their event's attr describes, and its sample_id trailer if it has sample_id_all.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "format/perf_file.h"

enum built_byte_order { BUILD_NATIVE, BUILD_SWAPPED };

struct built_event {
	struct perf_event_attr attr; /* its size member is written as attr.size; 0 stays 0 */
	const char *name;            /* NULL: no EVENT_DESC */
	uint64_t ids[8];
	size_t id_count;
};

struct built_mmap {
	uint32_t pid, tid;
	uint64_t start, length, file_offset;
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	uint32_t prot, flags;
	const uint8_t *build_id; /* NULL: device and inode are written; else build_id_size bytes */
	uint8_t build_id_size;
	uint16_t misc; /* cpumode; MMAP_BUILD_ID is set automatically */
	const char *path;
	uint64_t time_ns;
};

struct built_sample {
	size_t event; /* number of its event, whose sample_type decides what is written */
	uint16_t misc;
	uint64_t id; /* 0: the first id of the event */
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time_ns, addr, stream_id;
	uint32_t cpu;
	uint64_t period;
	const uint64_t *read_words; /* struct read_format, word by word */
	size_t read_word_count;
	const uint64_t *callchain;
	size_t callchain_count;
	const void *raw;
	uint32_t raw_size;
	uint64_t branch_hw_index;
	const uint64_t *branches; /* from, to and flags of each */
	size_t branch_count;
	const uint64_t *branch_counters; /* NULL: zeros */
	uint64_t user_regs_abi;
	const uint64_t *user_regs; /* one per bit in attr.sample_regs_user */
	const void *user_stack;
	uint64_t user_stack_size, user_stack_dumped;
	uint64_t weight, data_src, transaction;
	uint64_t intr_regs_abi;
	const uint64_t *intr_regs;
	uint64_t phys_addr, cgroup, data_page_size, code_page_size;
	const void *aux;
	uint64_t aux_size;
};

enum { BUILT_EVENTS_MAX = 16, BUILT_FEATURES_MAX = 256 };

struct perf_data_builder {
	bool swap;
	struct strbuf records; /* the data section so far */
	struct strbuf out;     /* the file, once finished */

	struct built_event events[BUILT_EVENTS_MAX];
	size_t event_count;
	struct strbuf features[BUILT_FEATURES_MAX];
	bool has_feature[BUILT_FEATURES_MAX];
	size_t record_start; /* of the present record */
	uint32_t trailer_cpu;

	/* A test may change these before finishing the file: */
	size_t attr_bytes;   /* size of an attr in the file; 0: sizeof(struct perf_event_attr) */
	size_t attr_stride;  /* distance between two; 0: attr_bytes + 16 */
	bool never_patched;  /* data.size is 0 and no feature table follows, as after the writer was killed */
	bool never_finished; /* data.size is right, but no feature table follows, as after xprof was killed */
	bool version1;       /* "PERFFILE" */
};

struct perf_data_builder *perf_data_builder_create(enum built_byte_order order);
void perf_data_builder_destroy(struct perf_data_builder *b);

/* Returns the event's number. */
size_t perf_data_builder_add_event(struct perf_data_builder *b, const struct built_event *event);

/* Adds the event cpu-clock, at 1000 Hz and with call chains. */
size_t perf_data_builder_add_clock(struct perf_data_builder *b);

/* Add state records of the kernel, which have the layout of event 0. */
void perf_data_builder_comm(struct perf_data_builder *b, uint32_t pid, uint32_t tid, const char *comm,
			    uint64_t time_ns);
void perf_data_builder_comm_exec(struct perf_data_builder *b, uint32_t pid, uint32_t tid, const char *comm,
				 uint64_t time_ns);
void perf_data_builder_mmap(struct perf_data_builder *b, const struct built_mmap *mmap);
void perf_data_builder_mmap2(struct perf_data_builder *b, const struct built_mmap *mmap);
void perf_data_builder_fork(struct perf_data_builder *b, uint32_t pid, uint32_t parent_pid, uint32_t tid,
			    uint32_t parent_tid, uint64_t time_ns);
void perf_data_builder_exit(struct perf_data_builder *b, uint32_t pid, uint32_t parent_pid, uint32_t tid,
			    uint32_t parent_tid, uint64_t time_ns);
void perf_data_builder_lost(struct perf_data_builder *b, uint64_t id, uint64_t lost, uint64_t time_ns);
void perf_data_builder_lost_samples(struct perf_data_builder *b, uint64_t lost, uint64_t time_ns);
void perf_data_builder_ksymbol(struct perf_data_builder *b, uint64_t address, uint32_t length, uint16_t type,
			       uint16_t flags, const char *name, uint64_t time_ns);
void perf_data_builder_switch(struct perf_data_builder *b, bool out, uint32_t pid, uint32_t tid,
			      uint64_t time_ns);
void perf_data_builder_sample(struct perf_data_builder *b, const struct built_sample *sample);
void perf_data_builder_finished_round(struct perf_data_builder *b);

/* Add HEADER_FEATURE and HEADER_BUILD_ID records. */
void perf_data_builder_feature_record(struct perf_data_builder *b, uint64_t feature, const void *bytes,
				      size_t size);
void perf_data_builder_build_id_record(struct perf_data_builder *b, uint16_t misc,
				       const uint8_t build_id[static 20], const char *path);

/* Any record: begin, add its contents, end. The latter fills in the size, without padding or trailer. */
void perf_data_builder_begin(struct perf_data_builder *b, uint32_t type, uint16_t misc);
void perf_data_builder_u16(struct perf_data_builder *b, uint16_t value);
void perf_data_builder_u32(struct perf_data_builder *b, uint32_t value);
void perf_data_builder_u64(struct perf_data_builder *b, uint64_t value);
void perf_data_builder_bytes(struct perf_data_builder *b, const void *bytes, size_t size);
void perf_data_builder_text(struct perf_data_builder *b,
			    const char *text); /* with a terminator, padded to eight */
void perf_data_builder_trailer(struct perf_data_builder *b, uint32_t pid, uint32_t tid, uint64_t time_ns);
void perf_data_builder_end(struct perf_data_builder *b);

/* Add sections to the feature table (file), or records (pipe). */
void perf_data_builder_feature(struct perf_data_builder *b, unsigned int feature, const void *bytes,
			       size_t size);
void perf_data_builder_feature_string(struct perf_data_builder *b, unsigned int feature, const char *text);

/* Build the file in b->out. */
void perf_data_builder_finish_file(struct perf_data_builder *b);
void perf_data_builder_finish_pipe(struct perf_data_builder *b);

/* Writes b->out to a new file at that path. Fails the test if it cannot. */
void perf_data_builder_save(const struct perf_data_builder *b, const char *path);

/* Opens the finished bytes as a file named "built". Fails the test if they cannot be opened. The builder must outlive it. */
struct perf_file *perf_data_builder_open(const struct perf_data_builder *b);

#endif
