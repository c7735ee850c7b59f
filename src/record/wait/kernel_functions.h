#ifndef XPROF_RECORD_WAIT_KERNEL_FUNCTIONS_H
#define XPROF_RECORD_WAIT_KERNEL_FUNCTIONS_H

/*
 * Kernel stacks of waits: functions in them tell for what a thread sleeps, and whether a waker is a thread
 * or an interrupt. Their addresses are read once from /proc/kallsyms.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/off_cpu_wait.h"

struct kernel_functions;

/* `kallsyms`: the text of /proc/kallsyms, in ascending addresses; hidden addresses, of 0, give no functions. */
struct kernel_functions *kernel_functions_create(const char *kallsyms);
void kernel_functions_destroy(struct kernel_functions *functions);

/* For what the thread sleeps: `frames` is its kernel stack, leaf first; `syscall` is its number, or -1. */
enum off_cpu_kind kernel_functions_kind(const struct kernel_functions *functions, const uint64_t *frames,
					size_t count, int32_t syscall);

/* The kind of waker, by the kernel stack of the CPU where a thread was woken: a thread, where nothing speaks against it. */
enum off_cpu_waker kernel_functions_waker(const struct kernel_functions *functions, const uint64_t *frames,
					  size_t count);

/* The number of frames up to the entry of the first interrupt: those behind it are of what it interrupted. All, if there is none. */
size_t kernel_functions_interrupt_frames(const struct kernel_functions *functions, const uint64_t *frames,
					 size_t count);

/* The number of innermost frames that belong to the waking itself and to what traces it. */
size_t kernel_functions_waking_frames(const struct kernel_functions *functions, const uint64_t *frames,
				      size_t count);

#endif
