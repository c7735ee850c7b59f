#ifndef XPROF_UNWIND_EXIT_MEMO_H
#define XPROF_UNWIND_EXIT_MEMO_H

/*
 * Remembers searches for a function's return (code_exit.h). Code that is read out of a process again is mostly what it was, in
 * another module, and the same instruction is asked about twice: for its rule, and for the calls on the way. The
 * result of a search depends on the bytes that it looked at, counted from the place where it began, and on whether places that
 * it was led to lie among the known bytes. Where both are the same the search is not repeated.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/arch/unwind_arch.h"

enum {
	EXIT_TRAIL_MAX_SPANS = 512,
	/* This much has to be known around all that a search looked at, so that no instruction was cut off. */
	EXIT_TRAIL_BEFORE_BYTES = 16,
	EXIT_TRAIL_BEHIND_BYTES = 32,
};

/* Bytes, [start, end), counted from the place where a search begins. */
struct exit_span {
	int32_t start, end;
};

/* The bytes that a search depends on, collected while it is made. */
struct exit_trail {
	size_t count;
	struct exit_span asked;               /* the outermost of which it counts that they are known */
	int32_t unknown_before, unknown_from; /* the nearest of which it counts that they are not known */
	bool is_unique; /* it depends on something else, or on too much: it is not remembered */
	struct exit_span spans[EXIT_TRAIL_MAX_SPANS]; /* of which the values count */
};

void exit_trail_begin(struct exit_trail *trail);

/* For exit_trail_add(). */
void exit_trail_add_span(struct exit_trail *trail, int64_t start, int64_t end);

/* The values of bytes [start, end) were looked at. */
static inline void exit_trail_add(struct exit_trail *trail, int64_t start, int64_t end)
{
	struct exit_span *last = &trail->spans[trail->count - (trail->count > 0)];

	if (trail->count && start == last->end)
		last->end = (int32_t)end;
	else
		exit_trail_add_span(trail, start, end);
}

/* It was asked whether the byte is one of those that are known. */
void exit_trail_ask(struct exit_trail *trail, int64_t at, bool is_known);

struct exit_memo;

/* Of one machine, for one thread at a time; results have `result_bytes`. */
struct exit_memo *exit_memo_create(size_t result_bytes);
void exit_memo_destroy(struct exit_memo *memo);

/* The result of a search that begins at `code`; NULL: it is not remembered. Valid until the next is put. */
const void *exit_memo_find(const struct exit_memo *memo, const struct code_bytes *code);

/* Copies the result; the bytes of `code` are borrowed, and have to stay what they are. */
void exit_memo_put(struct exit_memo *memo, const struct code_bytes *code, const struct exit_trail *trail,
		   const void *result);

#endif
