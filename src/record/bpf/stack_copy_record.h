#ifndef XPROF_RECORD_BPF_STACK_COPY_RECORD_H
#define XPROF_RECORD_BPF_STACK_COPY_RECORD_H

/*
 * The record that the BPF program sends for each sample of a thread with user memory: this header, then the bytes of the stack
 * that the thread is on, then those of the outer stack, where its frames continue: the stack that a signal handler on an
 * alternate stack interrupted, or the goroutine's stack below Go's runtime. Shared by the program (compiled for BPF) and its
 * reader, so only fixed-size types.
 */

#include <linux/types.h>

enum {
	STACK_COPY_PAGE = 4096,
	/* below the stack pointer, x86-64 psABI 3.2.2: leaf functions keep words there */
	STACK_COPY_RED_ZONE = 128,
	/* Limits for the bytes copied of a stack: of the thread's own, and of one whose end is unknown. */
	STACK_COPY_MAX = 510 * 4096,
	STACK_COPY_MAX_UNSURE = 256 * 1024,
	STACK_COPY_MAX_OUTER = 64 * 1024, /* bytes of the interrupted stack */
	/* 512 pages: STACK_COPY_MAX and a partial page at either end; a power of two */
	STACK_COPY_HOLE_WORDS = 8,
};

/* A range of a thread's memory. */
struct stack_copy_part {
	__u64 address; /* address of the first byte */
	__u64 size;    /* bytes */
	/* bit n: page n, counted from the one that contains `address`, could not be read */
	__u64 holes[STACK_COPY_HOLE_WORDS];
};

struct stack_copy_record {
	/*
	 * The sample's time on the recording's clock or, if end_time is set, when the program began and ended, on
	 * CLOCK_MONOTONIC.
	 */
	__u64 time;
	__u64 end_time; /* 0: `time` is the sample's */
	__u32 pid, tid;
	struct stack_copy_part stack; /* from STACK_COPY_RED_ZONE bytes below the stack pointer on */
	struct stack_copy_part outer; /* the outer stack; size 0: none */
	/* Followed by the bytes of `stack` and, at the next multiple of eight, those of `outer`. */
};

/* Settings of the program: the only constant data of its object, filled in by the loader. */
struct stack_copy_settings {
	__u32 max_bytes; /* limit of the copy of a stack */
	__u32 by_clock;  /* the program cannot read the sample's time: store when it began and ended */
};

/* Counters of the program, by index in its map. */
enum stack_copy_count {
	STACK_COPY_DONE,
	STACK_COPY_NO_ROOM, /* the ring was full */
	/* the end of the stack is unknown: at most STACK_COPY_MAX_UNSURE bytes were copied */
	STACK_COPY_NO_END,
	STACK_COPY_COUNTS,
};

#endif
