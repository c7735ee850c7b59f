#ifndef XPROF_RECORD_WAIT_KERNEL_FUNCTIONS_H
#define XPROF_RECORD_WAIT_KERNEL_FUNCTIONS_H

/*
 * Classifies waits by their kernel stacks: functions in them tell what a thread waits for, and whether a waker is a thread or
 * an interrupt. The addresses of these functions are read once from /proc/kallsyms.
 */

#include <stddef.h>
#include <stdint.h>

#include "format/off_cpu_wait.h"

struct kernel_functions;

/* `kallsyms`: the text of /proc/kallsyms, ascending by address. If addresses are hidden (0), no function is known. */
struct kernel_functions *kernel_functions_create(const char *kallsyms);
void kernel_functions_destroy(struct kernel_functions *functions);

/* The kind of thing that the thread waits for. `frames` is its kernel stack, leaf first; `syscall` is its number, or -1. */
enum off_cpu_kind kernel_functions_kind(const struct kernel_functions *functions, const uint64_t *frames,
					size_t count, int32_t syscall);

/* The kind of waker, from the kernel stack on the CPU that woke the thread; a thread unless a function indicates an interrupt. */
enum off_cpu_waker kernel_functions_waker(const struct kernel_functions *functions, const uint64_t *frames,
					  size_t count);

/*
 * The number of frames up to the entry of the first interrupt; those behind belong to the interrupted code. All frames if there
 * is none.
 */
size_t kernel_functions_interrupt_frames(const struct kernel_functions *functions, const uint64_t *frames,
					 size_t count);

/* The number of innermost frames that belong to the wakeup itself and to its tracing. */
size_t kernel_functions_waking_frames(const struct kernel_functions *functions, const uint64_t *frames,
				      size_t count);

#endif
