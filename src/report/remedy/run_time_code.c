/*
 * Finds the runtime that made the code in which a stack ends. Its files are looked for in the sampled stacks:
 * first those of the thread, as a process may run one program after another, then those of the process,
 * because a thread's stacks may all end at once.
 */
#include "report/remedy/run_time_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/remedy/runtime_advice.h"
#include "symbol/jitdump.h"

struct run_time_advice {
	const struct profile *profile;
	const char **of_thread;
};

bool run_time_code_is(const struct profile *profile, uint32_t dso)
{
	const struct profile_dso *found;
	const char *name;

	if (dso == PROFILE_NONE)
		return false;
	found = profile_dso_at(profile, dso);
	name = profile_text(profile, found->name);
	return found->is_jit || strncmp(name, "//anon", 6) == 0 || strncmp(name, "[JIT]", 5) == 0 ||
	       strncmp(profile_text(profile, found->path), "/memfd:", 7) == 0;
}

/* Code of a jitdump file: its runtime already does all that it can. */
static bool is_told(const struct profile *profile, uint32_t dso)
{
	return jitdump_is_path(profile_text(profile, profile_dso_at(profile, dso)->path));
}

/* By stack: the advice for its innermost file that has any. The caller frees the array. */
static const char **advice_of_stacks(const struct profile *profile)
{
	const char **of_dso = xcalloc((size_t)profile_dso_count(profile) + 1, sizeof(*of_dso));
	const char **of_stack = xcalloc((size_t)profile_stack_count(profile) + 1, sizeof(*of_stack));

	for (uint32_t i = 0; i < profile_dso_count(profile); i++)
		of_dso[i] = runtime_stack_advice(profile_text(profile, profile_dso_at(profile, i)->path));
	for (uint32_t i = 0; i < profile_stack_count(profile); i++) { /* callers have lower numbers */
		const struct profile_stack *node = profile_stack_at(profile, i);
		const uint32_t dso = profile_location_at(profile, node->location)->dso;

		if (dso != PROFILE_NONE)
			of_stack[i] = of_dso[dso];
		if (!of_stack[i] && node->parent != PROFILE_NONE)
			of_stack[i] = of_stack[node->parent];
	}
	free(of_dso);
	return of_stack;
}

struct process_advice {
	uint32_t pid;
	const char *advice;
};

static int by_pid(const void *a, const void *b)
{
	const struct process_advice *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* A thread whose stacks give no advice gets that of another thread of its process, else that for its name. */
static void fill_in(struct run_time_advice *advice)
{
	const struct profile *profile = advice->profile;
	const uint32_t count = profile_thread_count(profile);
	struct process_advice *known = xcalloc((size_t)count + 1, sizeof(*known));
	size_t known_count = 0;

	for (uint32_t i = 0; i < count; i++)
		if (advice->of_thread[i])
			known[known_count++] = (struct process_advice){ profile_thread_at(profile, i)->pid,
									advice->of_thread[i] };
	qsort(known, known_count, sizeof(*known), by_pid);
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_thread *thread = profile_thread_at(profile, i);
		const struct process_advice *found = bsearch(&(struct process_advice){ .pid = thread->pid },
							     known, known_count, sizeof(*known), by_pid);

		if (!advice->of_thread[i])
			advice->of_thread[i] =
				found ? found->advice :
					runtime_stack_advice(profile_text(profile, thread->comm));
	}
	free(known);
}

struct run_time_advice *run_time_advice_create(const struct profile *profile)
{
	struct run_time_advice *advice = xcalloc(1, sizeof(*advice));
	const char **of_stack = advice_of_stacks(profile);

	advice->profile = profile;
	advice->of_thread = xcalloc((size_t)profile_thread_count(profile) + 1, sizeof(*advice->of_thread));
	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		if (sample->stack != PROFILE_NONE && of_stack[sample->stack])
			advice->of_thread[sample->thread] = of_stack[sample->stack];
	}
	free(of_stack);
	fill_in(advice);
	return advice;
}

void run_time_advice_destroy(struct run_time_advice *advice)
{
	free(advice->of_thread);
	free(advice);
}

const char *run_time_advice_of(const struct run_time_advice *advice, uint32_t thread, uint32_t dso)
{
	if (!run_time_code_is(advice->profile, dso) || is_told(advice->profile, dso))
		return NULL;
	return advice->of_thread[thread];
}

/* --- for the header ------------------------------------------------------------------------- */

/* By stack: the file of its outermost frame. The caller frees the array. */
static uint32_t *find_outermost(const struct profile *profile)
{
	uint32_t *outermost = xcalloc((size_t)profile_stack_count(profile) + 1, sizeof(*outermost));

	for (uint32_t i = 0; i < profile_stack_count(profile); i++) {
		const struct profile_stack *node = profile_stack_at(profile, i);

		outermost[i] = node->parent != PROFILE_NONE ?
				       outermost[node->parent] :
				       profile_location_at(profile, node->location)->dso;
	}
	return outermost;
}

struct votes {
	struct {
		const char *advice; /* one of few texts, each once */
		uint64_t samples;
	} items[8];
	size_t count;
};

static void vote(struct votes *votes, const char *advice, uint64_t samples)
{
	size_t i = 0;

	while (i < votes->count && votes->items[i].advice != advice)
		i++;
	if (i == sizeof(votes->items) / sizeof(votes->items[0]))
		return;
	votes->count += i == votes->count;
	votes->items[i].advice = advice;
	votes->items[i].samples += samples;
}

const char *run_time_advice_for_most(const struct profile *profile)
{
	struct run_time_advice *advice = run_time_advice_create(profile);
	uint32_t *outermost = find_outermost(profile);
	struct votes votes = { .count = 0 };
	const char *found = NULL;
	uint64_t all = 0;

	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		if (sample->end != STACK_END_NO_CFI || sample->stack == PROFILE_NONE)
			continue;
		all += sample->count;
		vote(&votes, run_time_advice_of(advice, sample->thread, outermost[sample->stack]),
		     sample->count);
	}
	for (size_t i = 0; i < votes.count; i++)
		if (votes.items[i].samples > all / 2)
			found = votes.items[i].advice;
	free(outermost);
	run_time_advice_destroy(advice);
	return found;
}
