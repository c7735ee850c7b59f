#ifndef XPROF_UNWIND_EXIT_MEMO_H
#define XPROF_UNWIND_EXIT_MEMO_H

/*
 * Caches searches for a function's return (code_exit.h). Code that is read from a process again is mostly unchanged, but
 * belongs to another module; and each instruction is searched twice, for its rule and for the calls on the path. The result of
 * a search depends only on the bytes that it read, relative to its start, and on which of the places that it reached are among
 * the known bytes. If both are the same, the cached result is used.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/arch/unwind_arch.h"

enum {
	EXIT_TRAIL_MAX_SPANS = 512,
	/*
	 * This many bytes must be known around everything that a search read, so that no instruction was cut
	 * off.
	 */
	EXIT_TRAIL_BEFORE_BYTES = 16,
	EXIT_TRAIL_BEHIND_BYTES = 32,
};

/* Bytes, [start, end), counted from the place where a search begins. */
struct exit_span {
	int32_t start, end;
};

/* The bytes on which a search depends, collected during the search. */
struct exit_trail {
	size_t count;
	struct exit_span asked;               /* outermost places that the search found to be known */
	int32_t unknown_before, unknown_from; /* nearest places that it found to be unknown */
	bool is_unique; /* it depends on something else, or on too many bytes: not cached */
	struct exit_span spans[EXIT_TRAIL_MAX_SPANS]; /* spans whose values the search read */
};

void exit_trail_begin(struct exit_trail *trail);

/* For exit_trail_add(). */
void exit_trail_add_span(struct exit_trail *trail, int64_t start, int64_t end);

/* Notes that the search read bytes [start, end). */
static inline void exit_trail_add(struct exit_trail *trail, int64_t start, int64_t end)
{
	struct exit_span *last = &trail->spans[trail->count - (trail->count > 0)];

	if (trail->count && start == last->end)
		last->end = (int32_t)end;
	else
		exit_trail_add_span(trail, start, end);
}

/* Notes that the search checked whether the byte is known. */
void exit_trail_ask(struct exit_trail *trail, int64_t at, bool is_known);

struct exit_memo;

/* For one machine. Not thread-safe. Results have `result_bytes` bytes. */
struct exit_memo *exit_memo_create(size_t result_bytes);
void exit_memo_destroy(struct exit_memo *memo);

/*
 * The cached result of a search that begins at `code`; NULL if there is none. Valid until the next
 * exit_memo_put().
 */
const void *exit_memo_find(const struct exit_memo *memo, const struct code_bytes *code);

/* Caches a result, which is copied. The bytes of `code` are borrowed and must not change. */
void exit_memo_put(struct exit_memo *memo, const struct code_bytes *code, const struct exit_trail *trail,
		   const void *result);

#endif
