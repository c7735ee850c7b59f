/*
 * Each waiting sample is in two lists: a bucket by thread id, to find the oldest one of a thread, and a list by age, for
 * samples that are left at the end. Their number and bytes are limited; a sample beyond that is refused.
 */
#include "report/load/deferred_chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/callchain.h"

enum {
	BUCKETS = 1 << 12, /* a power of two; thread ids are mostly consecutive */
	MAX_WAITING =
		1
		<< 16, /* a sleeping thread may have a sample waiting, and machines have thousands of threads */
	MAX_WAITING_BYTES = 64 << 20, /* what a reader may need besides distinct stacks */
	COOKIE_WORDS = 2,             /* the marker and the cookie */
};

struct waiting {
	struct waiting *next; /* in the bucket, oldest first */
	struct waiting *older, *newer;
	struct deferred_sample sample;
	uint32_t tid;
};

struct bucket {
	struct waiting *first, *last;
};

struct deferred_chains {
	struct bucket buckets[BUCKETS];
	struct waiting *oldest, *newest;
	struct waiting *lent; /* the sample taken last */
	size_t count, bytes;
	struct strbuf joined;
};

struct deferred_chains *deferred_chains_create(void)
{
	struct deferred_chains *chains = xcalloc(1, sizeof(*chains));

	strbuf_init(&chains->joined);
	return chains;
}

static void destroy(struct waiting *waiting)
{
	if (waiting)
		free((uint8_t *)waiting->sample.event.payload);
	free(waiting);
}

void deferred_chains_destroy(struct deferred_chains *chains)
{
	if (!chains)
		return;
	while (chains->oldest) {
		struct waiting *newer = chains->oldest->newer;

		destroy(chains->oldest);
		chains->oldest = newer;
	}
	destroy(chains->lent);
	strbuf_fini(&chains->joined);
	free(chains);
}

bool deferred_chains_is_awaited(const struct sample *sample, uint64_t *cookie)
{
	const size_t count = sample->callchain_count;

	if (count < COOKIE_WORDS ||
	    sample_callchain_entry(sample, count - COOKIE_WORDS) != CALLCHAIN_USER_DEFERRED)
		return false;
	*cookie = sample_callchain_entry(sample, count - 1);
	return true;
}

static struct bucket *bucket_of(struct deferred_chains *chains, uint32_t tid)
{
	return &chains->buckets[tid & (BUCKETS - 1)];
}

static void append(struct deferred_chains *chains, struct waiting *waiting)
{
	struct bucket *bucket = bucket_of(chains, waiting->tid);

	*(bucket->last ? &bucket->last->next : &bucket->first) = waiting;
	bucket->last = waiting;
	waiting->older = chains->newest;
	if (chains->newest)
		chains->newest->newer = waiting;
	else
		chains->oldest = waiting;
	chains->newest = waiting;
	chains->count++;
	chains->bytes += waiting->sample.event.payload_size;
}

bool deferred_chains_add(struct deferred_chains *chains, const struct event *event,
			 const struct sample *sample, uint64_t time_ns)
{
	struct waiting *waiting;
	uint64_t cookie;

	if (!deferred_chains_is_awaited(sample, &cookie) || chains->count >= MAX_WAITING ||
	    chains->bytes + event->payload_size > MAX_WAITING_BYTES)
		return false;
	waiting = xcalloc(1, sizeof(*waiting));
	waiting->tid = sample->tid;
	waiting->sample = (struct deferred_sample){ .event = *event, .time_ns = time_ns, .cookie = cookie };
	waiting->sample.event.payload =
		memcpy(xmalloc(event->payload_size), event->payload, event->payload_size);
	append(chains, waiting);
	return true;
}

static void unlink_waiting(struct deferred_chains *chains, struct waiting *waiting)
{
	struct bucket *bucket = bucket_of(chains, waiting->tid);
	struct waiting *before = NULL;

	for (struct waiting *at = bucket->first; at != waiting; at = at->next)
		before = at;
	*(before ? &before->next : &bucket->first) = waiting->next;
	if (bucket->last == waiting)
		bucket->last = before;
	*(waiting->older ? &waiting->older->newer : &chains->oldest) = waiting->newer;
	*(waiting->newer ? &waiting->newer->older : &chains->newest) = waiting->older;
	chains->count--;
	chains->bytes -= waiting->sample.event.payload_size;
}

static int take(struct deferred_chains *chains, struct waiting *waiting, struct deferred_sample *sample)
{
	if (!waiting)
		return 0;
	unlink_waiting(chains, waiting);
	destroy(chains->lent);
	chains->lent = waiting;
	*sample = waiting->sample;
	return 1;
}

int deferred_chains_take_thread(struct deferred_chains *chains, uint32_t tid, struct deferred_sample *sample)
{
	struct waiting *waiting = bucket_of(chains, tid)->first;

	while (waiting && waiting->tid != tid)
		waiting = waiting->next;
	return take(chains, waiting, sample);
}

int deferred_chains_take_any(struct deferred_chains *chains, struct deferred_sample *sample)
{
	return take(chains, chains->oldest, sample);
}

int deferred_chains_decode(const struct event *event, struct deferred_record *record, struct error *err)
{
	struct byte_reader r = event_payload(event);
	uint64_t count;

	record->cookie = byte_reader_u64(&r);
	count = byte_reader_u64(&r);
	if (!byte_reader_ok(&r) || count > byte_reader_left(&r) / sizeof(uint64_t))
		return error_set(err, "CALLCHAIN_DEFERRED: its words do not fit into its size");
	record->count = (size_t)count;
	record->words = byte_reader_bytes(&r, record->count * sizeof(uint64_t));
	return 0;
}

void deferred_chains_join(struct deferred_chains *chains, struct sample *sample,
			  const struct deferred_record *record)
{
	strbuf_reset(&chains->joined);
	strbuf_add(&chains->joined, sample->callchain, sample->callchain_count * sizeof(uint64_t));
	strbuf_add(&chains->joined, record->words, record->count * sizeof(uint64_t));
	sample->callchain = (const uint8_t *)chains->joined.bytes;
	sample->callchain_count += record->count;
}
