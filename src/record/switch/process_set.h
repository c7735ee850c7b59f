#ifndef XPROF_RECORD_PROCESS_SET_H
#define XPROF_RECORD_PROCESS_SET_H

/*
 * The processes in a recording of a command or of chosen processes: those at its beginning, and their
 * children. When there are many, those that have ended are forgotten.
 */

#include <stddef.h>
#include <stdint.h>

struct process_set;

/* `proc` is "/proc", borrowed; tests use another directory. */
struct process_set *process_set_create(const char *proc);
void process_set_destroy(struct process_set *set);

void process_set_add(struct process_set *set, uint32_t pid);

/*
 * Adds the process of a FORK, COMM, MMAP or MMAP2 record; other records are ignored. `record` is a whole
 * record of `size` bytes.
 */
void process_set_note(struct process_set *set, const uint8_t *record, size_t size);

/* Forgets the processes that have ended and calls `visit` for the others. */
void process_set_each(struct process_set *set, void (*visit)(int pid, void *context), void *context);

/* The number of processes, including ended ones that are not forgotten yet. */
size_t process_set_count(const struct process_set *set);

#endif
