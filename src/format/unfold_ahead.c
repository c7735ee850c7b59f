#include "format/unfold_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_pool.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"

enum {
	/* Together what a second-level cache holds: more would only be fetched from farther away. */
	BLOCKS = 8,
	BLOCK_BYTES = 64 * 1024,
};

struct block {
	uint64_t record_offset; /* of the record that it is a part of */
	size_t size, taken;
	uint8_t bytes[BLOCK_BYTES];
};

struct unfold_ahead {
	struct thread_pool *pool; /* of one thread */

	/* The thread's own, and who stopped it: */
	struct record_source records;
	unfold_step *step;
	void *stream;

	pthread_mutex_t lock; /* of what follows; the bytes of a block belong to whose turn it is */
	pthread_cond_t changed;
	struct block blocks[BLOCKS];
	size_t first, count;  /* blocks that are full: a ring */
	uint64_t done_offset; /* all records before it are decompressed */
	bool ended;           /* at done_offset */
	bool stopping;
	bool damaged; /* the record at done_offset is, behind what is in the queue */
	struct error damage;
};

struct byte_reader unfold_ahead_stream_bytes(const struct event *event)
{
	struct byte_reader r = event_payload(event);
	uint64_t size;

	if (event->type != PERF_RECORD_COMPRESSED2)
		return r;
	size = byte_reader_u64(&r);
	return size < byte_reader_left(&r) ? byte_reader_sub(&r, size) : r;
}

/* --- the thread -------------------------------------------------------------------- */

/* Those that are nothing but header.size bytes, and change nothing about how others are read. */
static bool is_ordinary(uint32_t type)
{
	return type < SIMPLEPERF_RECORD_TYPE_START && type != PERF_RECORD_AUXTRACE &&
	       type != PERF_RECORD_HEADER_TRACING_DATA;
}

/* Returns NULL once the reader has stopped. */
static struct block *wait_for_block(struct unfold_ahead *ahead)
{
	struct block *block = NULL;

	pthread_mutex_lock(&ahead->lock);
	while (ahead->count == BLOCKS && !ahead->stopping)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	if (!ahead->stopping)
		block = &ahead->blocks[(ahead->first + ahead->count) % BLOCKS];
	pthread_mutex_unlock(&ahead->lock);
	return block;
}

static void hand_over_block(struct unfold_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->count++;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
}

static void set_done(struct unfold_ahead *ahead, uint64_t file_offset, bool ended)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->done_offset = file_offset;
	ahead->ended = ended;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
}

/* True when the record's stream is used up. */
static bool unfold_record(struct unfold_ahead *ahead, const struct event *event)
{
	const struct byte_reader bytes = unfold_ahead_stream_bytes(event);
	struct unfold_piece piece = { .in = bytes.next, .in_size = byte_reader_left(&bytes) };
	int more = 1;

	while (more == 1) {
		struct block *block = wait_for_block(ahead);

		if (!block)
			return false;
		piece.out = block->bytes;
		piece.out_size = BLOCK_BYTES;
		piece.out_done = 0;
		do {
			more = ahead->step(ahead->stream, &piece, &ahead->damage);
		} while (more == 1 && piece.out_done < piece.out_size);
		block->record_offset = event->file_offset;
		block->size = piece.out_done;
		block->taken = 0;
		if (piece.out_done)
			hand_over_block(ahead);
	}
	ahead->damaged = more < 0;
	return more == 0;
}

static void run(void *context)
{
	struct unfold_ahead *ahead = context;
	uint64_t done_offset;
	struct event event;

	for (;;) {
		done_offset = ahead->records.file_offset;
		if (record_source_next(&ahead->records, &event, NULL) != RECORD_OK ||
		    !is_ordinary(event.type))
			break;
		if (event.type != PERF_RECORD_COMPRESSED && event.type != PERF_RECORD_COMPRESSED2)
			continue;
		if (!unfold_record(ahead, &event))
			break;
		set_done(ahead, ahead->records.file_offset, false);
	}
	set_done(ahead, done_offset, true);
}

/* --- the reader ---------------------------------------------------------------------- */

static void release(struct unfold_ahead *ahead)
{
	thread_pool_destroy(ahead->pool);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}

struct unfold_ahead *unfold_ahead_start(const struct record_source *records, unfold_step *step, void *stream)
{
	struct unfold_ahead *ahead = xmalloc(sizeof(*ahead));

	memset(ahead, 0, offsetof(struct unfold_ahead, blocks));
	ahead->records = *records;
	ahead->step = step;
	ahead->stream = stream;
	ahead->first = ahead->count = 0;
	ahead->done_offset = records->file_offset;
	ahead->ended = ahead->stopping = ahead->damaged = false;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	ahead->pool = thread_pool_create(1);
	if (thread_pool_threads(ahead->pool) == 0) {
		release(ahead);
		return NULL;
	}
	thread_pool_submit(ahead->pool, run, ahead);
	return ahead;
}

void unfold_ahead_stop(struct unfold_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->stopping = true;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	release(ahead);
}

static void drop_first(struct unfold_ahead *ahead)
{
	ahead->first = (ahead->first + 1) % BLOCKS;
	ahead->count--;
	pthread_cond_signal(&ahead->changed);
}

/* The first block of the record; NULL: there is none, and *status says why. */
static struct block *find_block(struct unfold_ahead *ahead, uint64_t file_offset, enum unfold_status *status)
{
	struct block *block = NULL;

	pthread_mutex_lock(&ahead->lock);
	for (;;) {
		while (ahead->count && ahead->blocks[ahead->first].record_offset < file_offset)
			drop_first(ahead);
		if (ahead->count || ahead->ended || ahead->done_offset > file_offset)
			break;
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	}
	if (ahead->count && ahead->blocks[ahead->first].record_offset == file_offset)
		block = &ahead->blocks[ahead->first];
	else if (ahead->done_offset > file_offset)
		*status = UNFOLD_END;
	else
		*status = ahead->damaged && ahead->done_offset == file_offset ? UNFOLD_DAMAGED :
										UNFOLD_YOURSELF;
	pthread_mutex_unlock(&ahead->lock);
	return block;
}

enum unfold_status unfold_ahead_take(struct unfold_ahead *ahead, uint64_t file_offset,
				     struct unfold_piece *piece, struct error *err)
{
	enum unfold_status status = UNFOLD_OK;
	struct block *block = find_block(ahead, file_offset, &status);
	size_t size;

	if (status == UNFOLD_DAMAGED && err)
		*err = ahead->damage;
	if (!block)
		return status;
	size = block->size - block->taken;
	if (size > piece->out_size - piece->out_done)
		size = piece->out_size - piece->out_done;
	memcpy(piece->out + piece->out_done, block->bytes + block->taken, size);
	piece->out_done += size;
	block->taken += size;
	if (block->taken < block->size)
		return UNFOLD_OK;
	pthread_mutex_lock(&ahead->lock);
	drop_first(ahead);
	pthread_mutex_unlock(&ahead->lock);
	return UNFOLD_OK;
}
