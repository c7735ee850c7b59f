#ifndef XPROF_TEST_KERNEL_PLAY_SCRIPT_H
#define XPROF_TEST_KERNEL_PLAY_SCRIPT_H

/* The text that describes the played kernel and the records that it writes into rings. README.md explains its words. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct words {
	uint64_t *items;
	size_t count, capacity;
};

enum play_kind {
	PLAY_SAMPLE,
	PLAY_MMAP,
	PLAY_COMM,
	PLAY_FORK,
	PLAY_EXIT,
	PLAY_LOST,
	PLAY_LOST_SAMPLES,
	PLAY_THROTTLE,
	PLAY_UNTHROTTLE,
};

/* Numbers that a line does not give are 0. */
enum play_number {
	NUMBER_CPU,
	NUMBER_EVENT, /* number of the sampler, in the order in which samplers were opened */
	NUMBER_PID,
	NUMBER_TID,
	NUMBER_PPID,
	NUMBER_TIME,
	NUMBER_IP,
	NUMBER_PERIOD,
	NUMBER_ADDR,
	NUMBER_WEIGHT,
	NUMBER_START,
	NUMBER_SIZE,
	NUMBER_OFFSET,
	NUMBER_COUNT,
	NUMBER_HW_INDEX,
	NUMBER_EXACT,
	PLAY_NUMBERS
};

enum play_list {
	LIST_CHAIN,    /* including PERF_CONTEXT_* */
	LIST_BRANCHES, /* struct perf_branch_entry, three words each */
	LIST_COUNTERS, /* one word for each branch */
	LIST_REGS,     /* number, value, number, value ... */
	LIST_STACK,    /* words from the stack pointer on */
	LIST_READS,    /* counts of the group's events */
	PLAY_LISTS
};

struct play_record {
	enum play_kind kind;
	uint64_t numbers[PLAY_NUMBERS];
	struct words lists[PLAY_LISTS];
	char *name; /* of a thread or a file; NULL if none */
};

/* perf_event_open() fails with `errno_value` if all conditions of the line hold; -1 and 0: no condition. */
struct play_refusal {
	int errno_value;
	int64_t after; /* this number of events is already open */
	int64_t cpu, type, precise;
	int64_t member;           /* 1: it joins a group, 0: it does not */
	uint64_t branch;          /* any of these bits of attr.branch_sample_type is set */
	uint64_t map_above_bytes; /* makes mmap() fail instead, for larger rings */
};

/* A file, also one in a directory, that the recorder sees instead of the machine's. */
struct play_file {
	char *path, *text;
};

struct play_script {
	char *machine;
	struct play_refusal *refusals;
	size_t refusal_count, refusal_capacity;
	struct play_file *files;
	size_t file_count, file_capacity;
	struct play_record *records;
	size_t record_count, record_capacity;
};

/* -1 with err, which names the line. */
int play_script_read(struct play_script *script, FILE *in, struct error *err);
void play_script_fini(struct play_script *script);

#endif
