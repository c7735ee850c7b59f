#ifndef XPROF_RECORD_PROCESS_SET_H
#define XPROF_RECORD_PROCESS_SET_H

/*
 * The processes that a recording of a command or of chosen processes follows: those that it began with, and their
 * children. Processes that have ended are forgotten when there are many of them.
 */

#include <stddef.h>
#include <stdint.h>

struct process_set;

/* `proc` is "/proc", borrowed; another directory in tests. */
struct process_set *process_set_create(const char *proc);
void process_set_destroy(struct process_set *set);

void process_set_add(struct process_set *set, uint32_t pid);

/* Adds the processes of FORK, COMM and MMAP records; other records change nothing. `record` is a whole one. */
void process_set_note(struct process_set *set, const uint8_t *record, size_t size);

/* Forgets those that have ended, and calls `visit` for all others. */
void process_set_each(struct process_set *set, void (*visit)(int pid, void *context), void *context);

/* With those that have ended and are not forgotten yet. */
size_t process_set_count(const struct process_set *set);

#endif
