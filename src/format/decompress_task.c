/*
 * The thread and the reader share a ring of eight blocks under one lock. The thread fills blocks in run() and raises
 * `done_offset` after each finished record; the reader takes the blocks of its record in decompress_task_take(). Bytes of a
 * block are accessed without the lock, by the side whose turn it is.
 */
#include "format/decompress_task.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_pool.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"

enum {
	/* Together they fit into a second-level cache: beyond that, memory is slower. */
	BLOCKS = 8,
	BLOCK_BYTES = 64 * 1024,
};

struct block {
	uint64_t record_offset; /* of the compressed record that it is a part of */
	size_t size, taken;
	uint8_t bytes[BLOCK_BYTES];
};

struct decompress_task {
	struct thread_pool *pool; /* of one thread */

	/* Used by the thread, and after its end by the reader that stopped it: */
	struct record_source records;
	decompress_step *step;
	void *stream;

	/* guards the fields below; the bytes of a block belong to the side whose turn it is */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct block blocks[BLOCKS];
	size_t first, count;  /* of full blocks: a ring */
	uint64_t done_offset; /* all records before it are decompressed */
	bool ended;           /* at done_offset */
	bool stopping;
	bool damaged; /* the record at done_offset is damaged after the bytes in the blocks */
	struct error damage;
};

struct byte_reader decompress_task_stream_bytes(const struct event *event)
{
	struct byte_reader r = event_payload(event);
	uint64_t size;

	if (event->type != PERF_RECORD_COMPRESSED2)
		return r;
	size = byte_reader_u64(&r);
	return size < byte_reader_left(&r) ? byte_reader_sub(&r, size) : r;
}

/* --- the thread -------------------------------------------------------------------- */

/* Records that end after header.size bytes and do not change how others are read. */
static bool is_ordinary(uint32_t type)
{
	return type < SIMPLEPERF_RECORD_TYPE_START && type != PERF_RECORD_AUXTRACE &&
	       type != PERF_RECORD_HEADER_TRACING_DATA;
}

/* NULL once the reader has stopped the thread. */
static struct block *wait_for_block(struct decompress_task *task)
{
	struct block *block = NULL;

	pthread_mutex_lock(&task->lock);
	while (task->count == BLOCKS && !task->stopping)
		pthread_cond_wait(&task->changed, &task->lock);
	if (!task->stopping)
		block = &task->blocks[(task->first + task->count) % BLOCKS];
	pthread_mutex_unlock(&task->lock);
	return block;
}

static void hand_over_block(struct decompress_task *task)
{
	pthread_mutex_lock(&task->lock);
	task->count++;
	pthread_cond_signal(&task->changed);
	pthread_mutex_unlock(&task->lock);
}

static void set_done(struct decompress_task *task, uint64_t file_offset, bool ended)
{
	pthread_mutex_lock(&task->lock);
	task->done_offset = file_offset;
	task->ended = ended;
	pthread_cond_signal(&task->changed);
	pthread_mutex_unlock(&task->lock);
}

/* True if all of the record's stream was decompressed. */
static bool decompress_record(struct decompress_task *task, const struct event *event)
{
	const struct byte_reader bytes = decompress_task_stream_bytes(event);
	struct decompress_piece piece = { .in = bytes.next, .in_size = byte_reader_left(&bytes) };
	int more = 1;

	while (more == 1) {
		struct block *block = wait_for_block(task);

		if (!block)
			return false;
		piece.out = block->bytes;
		piece.out_size = BLOCK_BYTES;
		piece.out_done = 0;
		do {
			more = task->step(task->stream, &piece, &task->damage);
		} while (more == 1 && piece.out_done < piece.out_size);
		block->record_offset = event->file_offset;
		block->size = piece.out_done;
		block->taken = 0;
		if (piece.out_done)
			hand_over_block(task);
	}
	task->damaged = more < 0;
	return more == 0;
}

static void run(void *context)
{
	struct decompress_task *task = context;
	uint64_t done_offset;
	struct event event;

	for (;;) {
		done_offset = task->records.file_offset;
		if (record_source_next(&task->records, &event, NULL) != RECORD_OK || !is_ordinary(event.type))
			break;
		if (event.type != PERF_RECORD_COMPRESSED && event.type != PERF_RECORD_COMPRESSED2)
			continue;
		if (!decompress_record(task, &event))
			break;
		set_done(task, task->records.file_offset, false);
	}
	set_done(task, done_offset, true);
}

/* --- the reader ---------------------------------------------------------------------- */

static void release(struct decompress_task *task)
{
	thread_pool_destroy(task->pool);
	pthread_cond_destroy(&task->changed);
	pthread_mutex_destroy(&task->lock);
	free(task);
}

struct decompress_task *decompress_task_start(const struct record_source *records, decompress_step *step,
					      void *stream)
{
	struct decompress_task *task = xmalloc(sizeof(*task));

	memset(task, 0, offsetof(struct decompress_task, blocks));
	task->records = *records;
	task->step = step;
	task->stream = stream;
	task->first = task->count = 0;
	task->done_offset = records->file_offset;
	task->ended = task->stopping = task->damaged = false;
	pthread_mutex_init(&task->lock, NULL);
	pthread_cond_init(&task->changed, NULL);
	task->pool = thread_pool_create(1);
	if (thread_pool_threads(task->pool) == 0) {
		release(task);
		return NULL;
	}
	thread_pool_submit(task->pool, run, task);
	return task;
}

void decompress_task_stop(struct decompress_task *task)
{
	if (!task)
		return;
	pthread_mutex_lock(&task->lock);
	task->stopping = true;
	pthread_cond_signal(&task->changed);
	pthread_mutex_unlock(&task->lock);
	release(task);
}

static void drop_first(struct decompress_task *task)
{
	task->first = (task->first + 1) % BLOCKS;
	task->count--;
	pthread_cond_signal(&task->changed);
}

/* The first block of the record; NULL if there is none, and *status says why. */
static struct block *find_block(struct decompress_task *task, uint64_t file_offset,
				enum decompress_status *status)
{
	struct block *block = NULL;

	pthread_mutex_lock(&task->lock);
	for (;;) {
		while (task->count && task->blocks[task->first].record_offset < file_offset)
			drop_first(task);
		if (task->count || task->ended || task->done_offset > file_offset)
			break;
		pthread_cond_wait(&task->changed, &task->lock);
	}
	if (task->count && task->blocks[task->first].record_offset == file_offset)
		block = &task->blocks[task->first];
	else if (task->done_offset > file_offset)
		*status = DECOMPRESS_END;
	else
		*status = task->damaged && task->done_offset == file_offset ? DECOMPRESS_DAMAGED :
									      DECOMPRESS_YOURSELF;
	pthread_mutex_unlock(&task->lock);
	return block;
}

enum decompress_status decompress_task_take(struct decompress_task *task, uint64_t file_offset,
					    struct decompress_piece *piece, struct error *err)
{
	enum decompress_status status = DECOMPRESS_OK;
	struct block *block = find_block(task, file_offset, &status);
	size_t size;

	if (status == DECOMPRESS_DAMAGED && err)
		*err = task->damage;
	if (!block)
		return status;
	size = block->size - block->taken;
	if (size > piece->out_size - piece->out_done)
		size = piece->out_size - piece->out_done;
	memcpy(piece->out + piece->out_done, block->bytes + block->taken, size);
	piece->out_done += size;
	block->taken += size;
	if (block->taken < block->size)
		return DECOMPRESS_OK;
	pthread_mutex_lock(&task->lock);
	drop_first(task);
	pthread_mutex_unlock(&task->lock);
	return DECOMPRESS_OK;
}
