#ifndef XPROF_REPORT_LOAD_UNWIND_POOL_H
#define XPROF_REPORT_LOAD_UNWIND_POOL_H

/*
 * A pool of threads that unwind the stack dumps of batches of samples, while the caller uses the finished
 * stacks one after the other, or reads the next batch. Instead of waiting, the caller unwinds, too. The
 * result is the same as with one thread, in the order of the samples; joining stacks, which depends on
 * earlier stacks, is left to the caller.
 *
 * When nothing is left to unwind, a thread reads ahead in the file, so that the next records are mapped when
 * they are needed, and gives back pages that are no longer needed: reading a file of stack dumps mostly costs
 * time in the kernel, which maps and unmaps pages.
 */

#include <stddef.h>
#include <stdint.h>

#include "report/load/dump_unwinder.h"

struct unwind_pool;

/* A sample with a stack dump; borrowed until the end of its batch. */
struct unwind_request {
	const struct sample *sample; /* NULL: there is nothing to unwind */
	struct process_state state;
	uint64_t time_ns;
};

/*
 * `own` is the caller's unwinder, `lanes` are those of as many threads, of which the pool takes ownership;
 * all of them were made with the same lock. Returns NULL if no thread can be started; ownership then stays
 * with the caller.
 */
struct unwind_pool *unwind_pool_create(struct dump_unwinder *own, struct dump_unwinder **lanes,
				       size_t lane_count);
void unwind_pool_destroy(struct unwind_pool *pool);

enum { UNWIND_POOL_BATCHES = 4 };

/*
 * Begins a batch. There may be UNWIND_POOL_BATCHES at a time, so that threads are busy while the stacks of
 * the first are used. The requests are borrowed until the unwind_pool_end() of the batch. Until then hold the
 * unwinders' lock to change the process table or JIT code. `following`: mapped bytes of the file to read
 * ahead until the next batch begins; NULL: none.
 */
void unwind_pool_begin(struct unwind_pool *pool, const struct unwind_request *requests, size_t count,
		       const uint8_t *following, size_t following_size);

/* Lets an idle thread give back pages of a mapped file (perf_file_on_stale()). */
void unwind_pool_release(struct unwind_pool *pool, const uint8_t *pages, size_t size_bytes);

/*
 * The stack of request `number` of the oldest batch, waiting for it if necessary. The request must have a
 * sample. The count is 0 if it could not be unwound. Valid until the batch ends.
 */
const struct unwind_stack *unwind_pool_stack(struct unwind_pool *pool, size_t number);

/* Ends the oldest batch. */
void unwind_pool_end(struct unwind_pool *pool);

#endif
