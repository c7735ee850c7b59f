/*
 * Questions are sorted by unit and cut into one job per unit. Workers, the calling thread among them, take jobs from a
 * shared counter and collect answers of their own, so no lock is needed; the caller receives the results after all
 * threads have ended.
 */
#include "symbol/dwarf/source_workers.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread_pool.h"
#include "base/usable_cpus.h"
#include "base/xalloc.h"
#include "symbol/dwarf/unit_reader.h"

/* Questions about one unit, answered by one thread. */
struct job {
	size_t first, count;
};

struct job_queue {
	const struct unit_context *context;
	const uint64_t *vaddrs; /* by unit, then by address */
	const struct source_question *questions;
	const struct job *jobs;
	size_t job_count;
	atomic_size_t next;
};

struct worker {
	struct job_queue *queue;
	struct unit_reader reader;
	struct source_answers answers;
};

static void answer_job(struct worker *worker, struct unit_source *source, const struct job *job)
{
	const struct job_queue *queue = worker->queue;
	const struct dwarf_unit *unit =
		dwarf_file_unit(queue->context->file, queue->questions[job->first].unit);
	struct unit_frame frames[INLINE_MAX_DEPTH];
	struct error why = { .errno_value = 0 };

	unit_reader_make_room(&worker->reader, unit);
	if (unit_source_read(source, unit, queue->context, &worker->reader.handle, queue->vaddrs + job->first,
			     job->count, &why) < 0)
		source_answers_note_missing(&worker->answers, &why);
	for (size_t i = job->first; i < job->first + job->count; i++)
		source_answers_add(&worker->answers, queue->vaddrs[i], frames,
				   unit_source_find(source, queue->vaddrs[i], worker->answers.texts, frames));
}

static void work(void *argument)
{
	struct worker *worker = argument;
	struct job_queue *queue = worker->queue;
	struct unit_source source = { 0 };
	size_t job;

	while ((job = atomic_fetch_add(&queue->next, 1)) < queue->job_count)
		answer_job(worker, &source, &queue->jobs[job]);
	unit_source_fini(&source);
	dwarf_handle_close(&worker->reader.handle);
}

/* More threads would wait for memory more than they read. */
enum { MAX_WORKERS = 8, JOBS_PER_WORKER = 4 };

static size_t worker_count(size_t jobs)
{
	const size_t cpus = usable_cpus();
	size_t count = cpus > 1 ? cpus : 1;

	if (count > MAX_WORKERS)
		count = MAX_WORKERS;
	return jobs / JOBS_PER_WORKER + 1 < count ? jobs / JOBS_PER_WORKER + 1 : count;
}

/* The calling thread is one of the workers, so the work gets done even if no thread can be started. */
static void run_jobs(struct job_queue *queue, source_workers_take *take, void *taker)
{
	struct worker workers[MAX_WORKERS] = { 0 };
	const size_t count = worker_count(queue->job_count);
	struct thread_pool *pool = thread_pool_create(count - 1);

	for (size_t i = 0; i < count; i++) {
		workers[i].queue = queue;
		workers[i].reader.file = queue->context->file;
		source_answers_init(&workers[i].answers);
		if (i > 0)
			thread_pool_submit(pool, work, &workers[i]);
	}
	work(&workers[0]);
	thread_pool_destroy(pool);
	for (size_t i = 0; i < count; i++) {
		take(taker, &workers[i].answers);
		source_answers_fini(&workers[i].answers);
	}
}

static int compare_questions(const void *one, const void *other)
{
	const struct source_question *a = one, *b = other;

	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

/* Sorts and removes duplicates; returns the number left. */
static size_t sort_questions(struct source_question *questions, size_t count)
{
	size_t unique = 0;

	if (count)
		qsort(questions, count, sizeof(*questions), compare_questions);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || questions[i].vaddr != questions[i - 1].vaddr)
			questions[unique++] = questions[i];
	return unique;
}

void source_workers_ask(const struct unit_context *context, struct source_question *questions, size_t count,
			source_workers_take *take, void *taker)
{
	uint64_t *sorted = xmalloc((count + 1) * sizeof(*sorted));
	struct job *jobs = xmalloc((count + 1) * sizeof(*jobs));
	size_t unique = sort_questions(questions, count), job_count = 0;
	struct job_queue queue = {
		.context = context, .vaddrs = sorted, .questions = questions, .jobs = jobs
	};

	for (size_t i = 0; i < unique; i++) {
		sorted[i] = questions[i].vaddr;
		if (i == 0 || questions[i].unit != questions[i - 1].unit)
			jobs[job_count++] = (struct job){ i, 0 };
		jobs[job_count - 1].count++;
	}
	queue.job_count = job_count;
	if (job_count)
		run_jobs(&queue, take, taker);
	free(jobs);
	free(sorted);
}
