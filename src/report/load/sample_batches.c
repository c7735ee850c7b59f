/*
 * The batches are a ring: one is filled, those in front of it are unwound by helper threads, and finish_oldest() adds the
 * oldest to the profile. Without helper threads a batch has 16 samples and is finished as soon as it is full. begin_stacks()
 * and finish_group() have the steps of a group.
 */
#include "report/load/sample_batches.h"

#include <stdlib.h>

#include "base/usable_cpus.h"
#include "base/xalloc.h"
#include "report/load/unwind_pool.h"

enum {
	/* As many as the cache lines that a core can fetch at a time. */
	GROUP_SAMPLES = 16,
	/* With stack dumps, which other threads unwind meanwhile: more, so that threads rarely have to be woken. */
	BATCH_SAMPLES = 512,
	BATCH_BYTES = 8 * 1024 * 1024,
	/* threads that unwind: one keeps up with the other work on stacks, the rest with long stacks */
	MAX_LANES = 3,
};

struct batch {
	struct pending_sample *samples; /* room for BATCH_SAMPLES, as in `requests` */
	struct unwind_request *requests;
	size_t count, dumps, dump_bytes;
};

struct sample_batches {
	struct sample_batches_options options;
	struct unwind_pool *pool; /* NULL: no dump yet, or no helper threads */
	bool ahead_tried;
	struct batch batches[UNWIND_POOL_BATCHES];
	size_t oldest,
		begun; /* the batches[] that other threads unwind; the one behind them is being filled */
};

static struct batch *filling_of(struct sample_batches *batches)
{
	return &batches->batches[(batches->oldest + batches->begun) % UNWIND_POOL_BATCHES];
}

struct sample_batches *sample_batches_create(const struct sample_batches_options *options)
{
	struct sample_batches *batches = xcalloc(1, sizeof(*batches));

	batches->options = *options;
	for (size_t i = 0; i < UNWIND_POOL_BATCHES; i++) {
		struct batch *batch = &batches->batches[i];

		batch->samples = xmalloc(BATCH_SAMPLES * sizeof(*batch->samples));
		batch->requests = xmalloc(BATCH_SAMPLES * sizeof(*batch->requests));
	}
	return batches;
}

void sample_batches_destroy(struct sample_batches *batches)
{
	if (!batches)
		return;
	if (batches->pool)
		perf_file_on_stale(batches->options.file, NULL, NULL);
	unwind_pool_destroy(batches->pool);
	for (size_t i = 0; i < UNWIND_POOL_BATCHES; i++) {
		free(batches->batches[i].samples);
		free(batches->batches[i].requests);
	}
	free(batches);
}

/* --- helper threads -------------------------------------------------------------- */

static size_t lane_count(void)
{
	const size_t count = usable_cpus();

	return count - 1 < MAX_LANES ? count - 1 : MAX_LANES;
}

static void release_pages(void *context, const uint8_t *pages, size_t size_bytes)
{
	unwind_pool_release(context, pages, size_bytes);
}

/* Called for the first stack dump: chains need no unwinding. */
static void make_ahead(struct sample_batches *batches)
{
	const struct sample_batches_options *options = &batches->options;
	struct dump_unwinder *lanes[MAX_LANES];
	const size_t count = lane_count();

	batches->ahead_tried = true;
	if (!count || !options->threads)
		return;
	for (size_t i = 0; i < count; i++)
		lanes[i] = dump_unwinder_create_another(options->unwinder);
	batches->pool = unwind_pool_create(options->unwinder, lanes, count);
	for (size_t i = 0; !batches->pool && i < count; i++)
		dump_unwinder_destroy(lanes[i]);
	if (!batches->pool)
		return;
	perf_file_on_stale(options->file, release_pages, batches->pool);
	process_table_share(options->processes);
}

static void begin_unwinding(struct sample_batches *batches, struct batch *batch)
{
	const uint8_t *following;
	const size_t following_size = perf_file_following(batches->options.file, BATCH_BYTES, &following);

	for (size_t i = 0; i < batch->count; i++) {
		const struct pending_sample *pending = &batch->samples[i];

		batch->requests[i] =
			(struct unwind_request){ pending->sample.user_stack_size ? &pending->sample : NULL,
						 pending->question.key.state, pending->time_ns };
	}
	pthread_mutex_lock(batches->options.lock);
	process_table_settle(batches->options.processes);
	pthread_mutex_unlock(batches->options.lock);
	unwind_pool_begin(batches->pool, batch->requests, batch->count, following, following_size);
}

/* --- adding to the profile --------------------------------------------------------- */

static void begin_stack(struct sample_batches *batches, struct pending_sample *pending)
{
	const struct sample_batches_options *options = &batches->options;
	const struct perf_attr *attr = &perf_file_event(options->file, pending->file_event)->attr;

	if (pending->is_counted)
		pending->begun = stack_resolver_begin(options->resolver, &pending->sample, &pending->question,
						      attr, pending->time_ns);
	else
		stack_resolver_learn(options->resolver, &pending->sample, &pending->question,
				     pending->time_ns);
}

static void take_stack(const struct sample_batches_options *options, struct pending_sample *pending)
{
	struct stack_result stack;

	if (!pending->is_counted)
		return;
	stack = stack_resolver_result(options->resolver, &pending->question, &pending->begun);
	pending->stack =
		options->stacked ? options->stacked(options->context, pending, stack.node) : stack.node;
	pending->sum.stack = options->stacks_apart ? PROFILE_NONE : pending->stack;
	pending->sum.end = stack.end;
	raw_profile_prefetch(options->profile, &pending->sum);
}

/* `group`: samples of the batch, from number `first` on. */
static void begin_stacks(struct sample_batches *batches, struct pending_sample *group, size_t first,
			 size_t count)
{
	const struct sample_batches_options *options = &batches->options;

	for (size_t i = 0; i < count; i++)
		stack_resolver_prefetch(options->resolver, &group[i].question);
	for (size_t i = 0; i < count; i++) {
		if (batches->pool && group[i].sample.user_stack_size)
			group[i].question.unwound = unwind_pool_stack(batches->pool, first + i);
		else if (i + 1 < count && group[i + 1].sample.user_stack_size)
			dump_unwinder_prefetch_stack(options->unwinder, &group[i + 1].sample);
		begin_stack(batches, &group[i]);
	}
}

static void add_sums(struct sample_sums *sums, const struct pending_sample *group, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (group[i].is_counted)
			sample_sums_prefetch(sums, group[i].number, group[i].stack);
	for (size_t i = 0; i < count; i++)
		if (group[i].is_counted)
			sample_sums_prefetch_sum(sums, group[i].number, group[i].stack);
	for (size_t i = 0; i < count; i++)
		if (group[i].is_counted)
			sample_sums_add(sums, group[i].number, group[i].stack, group[i].weight);
}

static void finish_group(const struct sample_batches_options *options, struct pending_sample *group,
			 size_t count)
{
	stack_resolver_finish(options->resolver);
	for (size_t i = 0; i < count; i++)
		take_stack(options, &group[i]);
	for (size_t i = 0; i < count; i++)
		raw_profile_prefetch_sum(options->profile, &group[i].sum);
	for (size_t i = 0; i < count; i++)
		if (group[i].is_counted)
			group[i].number = raw_profile_add(options->profile, &group[i].sum);
	if (options->sums)
		add_sums(options->sums, group, count);
	for (size_t i = 0; i < count; i++)
		if (group[i].is_counted)
			options->added(options->context, &group[i]);
}

static void finish_batch(struct sample_batches *batches, struct batch *batch)
{
	for (size_t i = 0, count; i < batch->count; i += count) {
		count = batch->count - i < GROUP_SAMPLES ? batch->count - i : GROUP_SAMPLES;
		begin_stacks(batches, &batch->samples[i], i, count);
		finish_group(&batches->options, &batch->samples[i], count);
	}
	batch->count = batch->dumps = batch->dump_bytes = 0;
}

static void finish_oldest(struct sample_batches *batches)
{
	finish_batch(batches, &batches->batches[batches->oldest]);
	unwind_pool_end(batches->pool);
	batches->oldest = (batches->oldest + 1) % UNWIND_POOL_BATCHES;
	batches->begun--;
}

/* Without helper threads, finishes the batch. With them, begins it, and finishes the oldest one if enough are begun. */
static void hand_over(struct sample_batches *batches)
{
	struct batch *batch = filling_of(batches);

	if (!batches->pool) {
		finish_batch(batches, batch);
		return;
	}
	begin_unwinding(batches, batch);
	if (++batches->begun == UNWIND_POOL_BATCHES)
		finish_oldest(batches);
}

void sample_batches_finish(struct sample_batches *batches)
{
	if (filling_of(batches)->count)
		hand_over(batches);
	while (batches->begun)
		finish_oldest(batches);
}

void sample_batches_pause(struct sample_batches *batches)
{
	/* Records of a mapped file stay in place, and the process table knows the past. */
	if (!batches->pool || !perf_file_is_stable(batches->options.file))
		sample_batches_finish(batches);
}

/* --- adding ------------------------------------------------------------------------- */

static bool is_full(struct sample_batches *batches)
{
	const struct batch *batch = filling_of(batches);

	if (!batches->pool || !batch->dumps)
		return batch->count >= GROUP_SAMPLES;
	return batch->count == BATCH_SAMPLES || batch->dump_bytes >= BATCH_BYTES;
}

struct pending_sample *sample_batches_add(struct sample_batches *batches, const struct sample *sample,
					  size_t file_event, uint64_t time_ns)
{
	struct pending_sample *pending;
	struct batch *batch;

	if (is_full(batches))
		hand_over(batches);
	batch = filling_of(batches);
	pending = &batch->samples[batch->count++];
	pending->sample = *sample;
	pending->file_event = file_event;
	pending->time_ns = time_ns;
	pending->question =
		stack_resolver_ask(batches->options.resolver, sample, (uint32_t)file_event, time_ns);
	if (!sample->user_stack_size)
		return pending;
	if (!batches->ahead_tried)
		make_ahead(batches);
	batch->dumps++;
	batch->dump_bytes += sample->user_stack_size;
	return pending;
}
