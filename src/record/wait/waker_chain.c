/*
 * A thread that wakes another passes its chain on: waker_chains_extend() puts the new waking before those that the waker's own
 * last wait ended with. Chains share their wakings by references, so passing them on copies no stack. The last chains are in a
 * table of fixed size, in which a thread's place is given by its tid; another thread with the same place removes it.
 */
#include "record/wait/waker_chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	PLACES = 1024,
	/* Words of all stacks after the first in one sample: the size of a record has 16 bits. */
	MAX_FURTHER_WORDS = 2048,
};

struct place {
	uint32_t tid;
	struct waker_chain chain;
};

struct waker_chains {
	struct place places[PLACES];
};

struct waking *waking_create(const struct off_cpu_waking *waker, const uint64_t *words, size_t count)
{
	struct waking *waking = xmalloc(sizeof(*waking) + count * sizeof(*words));

	*waking = (struct waking){ .references = 1, .waker = *waker, .word_count = count };
	if (count)
		memcpy(waking->words, words, count * sizeof(*words));
	return waking;
}

void waking_release(struct waking *waking)
{
	if (waking && --waking->references == 0)
		free(waking);
}

void waker_chain_fini(struct waker_chain *chain)
{
	for (size_t i = 0; i < chain->count; i++)
		waking_release(chain->wakings[i]);
	chain->count = 0;
}

static void append(struct waker_chain *chain, struct waking *waking)
{
	waking->references++;
	chain->wakings[chain->count++] = waking;
}

void waker_chain_describe(const struct waker_chain *chain, struct off_cpu_wait *wait)
{
	size_t further_words = 0;

	for (size_t i = 0; i < chain->count; i++) {
		const struct waking *waking = chain->wakings[i];

		further_words += i ? waking->word_count : 0;
		if (further_words > MAX_FURTHER_WORDS)
			return;
		wait->wakers[i] = waking->waker;
		wait->wakers[i].chain = (const uint8_t *)waking->words;
		wait->wakers[i].chain_count = waking->word_count;
		wait->further_count = i;
	}
}

struct waker_chains *waker_chains_create(void)
{
	return xcalloc(1, sizeof(struct waker_chains));
}

void waker_chains_destroy(struct waker_chains *chains)
{
	if (!chains)
		return;
	for (size_t i = 0; i < PLACES; i++)
		waker_chain_fini(&chains->places[i].chain);
	free(chains);
}

/* The chain of the thread's last sampled wait; NULL if that is not known. */
static const struct waker_chain *chain_of(const struct waker_chains *chains, uint32_t tid)
{
	const struct place *place = &chains->places[tid % PLACES];

	return place->tid == tid && place->chain.count ? &place->chain : NULL;
}

struct waker_chain waker_chains_extend(const struct waker_chains *chains, struct waking *waking,
				       uint64_t waker_woken_ns, uint64_t begin_ns)
{
	struct waker_chain chain = { .wakings = { waking }, .count = 1 };
	const struct waker_chain *before = NULL;

	if (waking->waker.kind == OFF_CPU_WAKER_THREAD)
		before = chain_of(chains, waking->waker.tid);
	if (!before || before->wakings[0]->waker.woken_ns != waker_woken_ns)
		return chain;
	for (size_t i = 0; i < before->count && chain.count < OFF_CPU_CHAIN_WAKERS; i++) {
		const struct off_cpu_waking *waker = &before->wakings[i]->waker;

		if (waker->woken_ns <= begin_ns || waker->kind == OFF_CPU_WAKER_UNKNOWN)
			break;
		append(&chain, before->wakings[i]);
	}
	return chain;
}

void waker_chains_note(struct waker_chains *chains, uint32_t tid, const struct waker_chain *chain)
{
	struct place *place = &chains->places[tid % PLACES];

	waker_chain_fini(&place->chain);
	place->tid = tid;
	for (size_t i = 0; i < chain->count; i++)
		append(&place->chain, chain->wakings[i]);
}
