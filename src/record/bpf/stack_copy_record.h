#ifndef XPROF_RECORD_BPF_STACK_COPY_RECORD_H
#define XPROF_RECORD_BPF_STACK_COPY_RECORD_H

/*
 * The record that the BPF program sends for each sample of a thread with user memory: this header, then the
 * bytes of the stack that the thread is on, then those of the stack on which its frames go on: the one that a signal
 * handler with its own stack interrupted, or the goroutine's below Go's runtime.
 * Shared by the program (compiled for BPF) and its reader, so only fixed-size types.
 */

#include <linux/types.h>

enum {
	STACK_COPY_PAGE = 4096,
	STACK_COPY_RED_ZONE =
		128, /* below the stack pointer, x86-64 psABI 3.2.2: leaf functions keep words there */
	/* Bytes of a stack that are copied at most: all of a thread's own, else, where it may go on far beyond the stack. */
	STACK_COPY_MAX = 510 * 4096,
	STACK_COPY_MAX_UNSURE = 256 * 1024,
	STACK_COPY_MAX_OUTER = 64 * 1024, /* bytes of the interrupted stack */
	STACK_COPY_HOLE_WORDS =
		8, /* 512 pages: STACK_COPY_MAX and a page begun at either end; a power of two */
};

/* A range of a thread's memory. */
struct stack_copy_part {
	__u64 address;                      /* of its first byte */
	__u64 size;                         /* bytes */
	__u64 holes[STACK_COPY_HOLE_WORDS]; /* bit n: page n, counted from the one `address` is in, could not be read */
};

struct stack_copy_record {
	/* Of the sample, of the recording's clock; or when the program began and ended, of CLOCK_MONOTONIC. */
	__u64 time;
	__u64 end_time; /* 0: `time` is the sample's */
	__u32 pid, tid;
	struct stack_copy_part stack; /* from STACK_COPY_RED_ZONE bytes below the stack pointer on */
	struct stack_copy_part outer; /* where the frames go on; size 0: on no other stack */
	/* The bytes of `stack`, then, at the next multiple of eight, those of `outer`. */
};

/* Settings from the loader for the program: the only constant data of its object. */
struct stack_copy_settings {
	__u32 max_bytes; /* of a stack */
	__u32 by_clock;  /* the sample's time is not known: say when the program runs */
};

/* Numbers that the program counts, by index in its map. */
enum stack_copy_count {
	STACK_COPY_DONE,
	STACK_COPY_NO_ROOM, /* the ring was full */
	STACK_COPY_NO_END, /* where the stack ends could not be found out: copied up to STACK_COPY_MAX_UNSURE */
	STACK_COPY_COUNTS,
};

#endif
