/* Finds cached searches for a return by the bytes on which they depend, see exit_memo.h. */

#include "unwind/code/exit_memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	SETS = 512,
	SET_SIZE = 4, /* many places begin with the same instructions: a set keeps the last searches */
	KEY_BYTES = 16,
};

struct entry {
	const uint8_t *at;      /* start of the search */
	struct exit_span known; /* bytes that must be known */
	int32_t unknown_before, unknown_from;
	size_t span_count;
	struct exit_span spans[]; /* followed by the result */
};

struct exit_memo {
	size_t result_bytes;
	uint8_t next[SETS]; /* the entry to replace */
	struct entry *entries[SETS][SET_SIZE];
};

/* --- the bytes that a search depends on ------------------------------------------------------------------ */

void exit_trail_begin(struct exit_trail *trail)
{
	trail->count = 0;
	trail->asked = (struct exit_span){ 0, 1 };
	trail->unknown_before = INT32_MIN;
	trail->unknown_from = INT32_MAX;
	trail->is_unique = false;
}

void exit_trail_add_span(struct exit_trail *trail, int64_t start, int64_t end)
{
	trail->is_unique |= trail->count == EXIT_TRAIL_MAX_SPANS;
	if (!trail->is_unique)
		trail->spans[trail->count++] = (struct exit_span){ (int32_t)start, (int32_t)end };
}

void exit_trail_ask(struct exit_trail *trail, int64_t at, bool is_known)
{
	if (at <= INT32_MIN || at >= INT32_MAX) {
		trail->is_unique = true;
	} else if (is_known) {
		if (at < trail->asked.start)
			trail->asked.start = (int32_t)at;
		if (at >= trail->asked.end)
			trail->asked.end = (int32_t)at + 1;
	} else if (at < 0) {
		if (at >= trail->unknown_before)
			trail->unknown_before = (int32_t)at + 1;
	} else if (at < trail->unknown_from) {
		trail->unknown_from = (int32_t)at;
	}
}

/* The range of bytes that must be known. */
static struct exit_span known_of(const struct exit_trail *trail)
{
	struct exit_span known = trail->asked;

	for (size_t i = 0; i < trail->count; i++) {
		if (known.start > trail->spans[i].start - EXIT_TRAIL_BEFORE_BYTES)
			known.start = trail->spans[i].start - EXIT_TRAIL_BEFORE_BYTES;
		if (known.end < trail->spans[i].end + EXIT_TRAIL_BEHIND_BYTES)
			known.end = trail->spans[i].end + EXIT_TRAIL_BEHIND_BYTES;
	}
	return known;
}

/* --- the memo ------------------------------------------------------------------------------------- */

struct exit_memo *exit_memo_create(size_t result_bytes)
{
	struct exit_memo *memo = xcalloc(1, sizeof(*memo));

	memo->result_bytes = result_bytes;
	return memo;
}

void exit_memo_destroy(struct exit_memo *memo)
{
	if (!memo)
		return;
	for (size_t set = 0; set < SETS; set++)
		for (size_t i = 0; i < SET_SIZE; i++)
			free(memo->entries[set][i]);
	free(memo);
}

static bool knows(const struct code_bytes *code, struct exit_span known)
{
	return -(int64_t)code->before <= known.start && known.end <= (int64_t)code->after;
}

static size_t set_of(const struct code_bytes *code)
{
	return hash_bytes(code->at, KEY_BYTES) % SETS;
}

static bool is_same_search(const struct entry *entry, const struct code_bytes *code)
{
	if (!knows(code, entry->known) || -(int64_t)code->before < entry->unknown_before ||
	    (int64_t)code->after > entry->unknown_from)
		return false;
	for (size_t i = 0; entry->at != code->at && i < entry->span_count; i++) {
		const struct exit_span span = entry->spans[i];

		if (memcmp(entry->at + span.start, code->at + span.start, (size_t)(span.end - span.start)) !=
		    0)
			return false;
	}
	return true;
}

const void *exit_memo_find(const struct exit_memo *memo, const struct code_bytes *code)
{
	struct entry *const *set;

	if (code->after < KEY_BYTES)
		return NULL;
	set = memo->entries[set_of(code)];
	for (size_t i = 0; i < SET_SIZE && set[i]; i++)
		if (is_same_search(set[i], code))
			return set[i]->spans + set[i]->span_count;
	return NULL;
}

void exit_memo_put(struct exit_memo *memo, const struct code_bytes *code, const struct exit_trail *trail,
		   const void *result)
{
	const struct exit_span known = known_of(trail);
	const size_t spans_bytes = trail->count * sizeof(*trail->spans);
	struct entry *entry, **place;
	size_t set;

	if (trail->is_unique || code->after < KEY_BYTES || !knows(code, known))
		return;
	entry = xmalloc(sizeof(*entry) + spans_bytes + memo->result_bytes);
	*entry = (struct entry){ .at = code->at,
				 .known = known,
				 .unknown_before = trail->unknown_before,
				 .unknown_from = trail->unknown_from,
				 .span_count = trail->count };
	memcpy(entry->spans, trail->spans, spans_bytes);
	memcpy(entry->spans + trail->count, result, memo->result_bytes);
	set = set_of(code);
	place = &memo->entries[set][memo->next[set]];
	memo->next[set] = (uint8_t)((memo->next[set] + 1) % SET_SIZE);
	free(*place);
	*place = entry;
}
