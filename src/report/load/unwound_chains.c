/*
 * Unwinds like profile_loader, but one sample at a time and without looking up names. The stacks are those
 * that report shows by default.
 */
#include "report/load/unwound_chains.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "format/callchain.h"
#include "format/perf_abi.h"
#include "report/load/recorded_machine.h"
#include "symbol/symbolizer.h"

struct unwound_chains {
	struct recorded_machine machine;
	uint64_t *words;
	size_t count, capacity;
};

struct unwound_chains *unwound_chains_create(const struct perf_file *file,
					     const struct symbol_archive *archive)
{
	struct unwound_chains *chains = xcalloc(1, sizeof(*chains));

	recorded_machine_init(
		&chains->machine, file,
		symbolizer_options_search(&(struct symbolizer_options){ .symfs = "", .archive = archive }));
	chains->machine.unwinder = recorded_machine_unwinder(
		&chains->machine, &(struct unwind_options){ .join_stacks = true }, NULL, NULL);
	return chains;
}

void unwound_chains_destroy(struct unwound_chains *chains)
{
	if (!chains)
		return;
	recorded_machine_fini(&chains->machine);
	free(chains->words);
	free(chains);
}

void unwound_chains_apply(struct unwound_chains *chains, const struct event *event, uint64_t time_ns)
{
	(void)recorded_machine_apply(&chains->machine, event, time_ns);
}

static void add_word(struct unwound_chains *chains, uint64_t word)
{
	*ARRAY_ADD(chains->words, chains->count, chains->capacity) = word;
}

/* Adds the recorded chain, or only what precedes its user part. Returns the number of its user frames. */
static size_t add_recorded(struct unwound_chains *chains, const struct sample *sample, bool with_user)
{
	bool is_user = false;
	size_t user_frames = 0;

	for (size_t i = 0; i < sample->callchain_count; i++) {
		uint64_t word = sample_callchain_entry(sample, i);

		if (word == CALLCHAIN_USER_DEFERRED) {
			i++; /* the cookie */
			word = (uint64_t)PERF_CONTEXT_USER;
		}
		if (callchain_is_marker(word))
			is_user = word == (uint64_t)PERF_CONTEXT_USER;
		else
			user_frames += is_user;
		/* The rest of a chain that came later begins with its own marker: skips it. */
		if (chains->count && word == (uint64_t)PERF_CONTEXT_USER &&
		    chains->words[chains->count - 1] == word)
			continue;
		if (with_user || !is_user)
			add_word(chains, word);
	}
	return user_frames;
}

static const struct unwind_stack *unwind(struct unwound_chains *chains, const struct sample *sample,
					 uint64_t time_ns, size_t user_frames)
{
	struct process_state state;

	if (!sample->user_stack_size && !dump_unwinder_dump_failed(sample))
		return NULL;
	state = process_table_state(chains->machine.processes, sample->pid, time_ns);
	return dump_unwinder_choose(chains->machine.unwinder, sample, &state, time_ns, UNWIND_AUTO,
				    user_frames, NULL);
}

struct unwound_chain unwound_chains_make(struct unwound_chains *chains, const struct sample *sample,
					 uint64_t time_ns)
{
	const struct unwind_stack *stack;

	chains->count = 0;
	stack = unwind(chains, sample, time_ns, add_recorded(chains, sample, true));
	if (!stack)
		return (struct unwound_chain){ .words = chains->words, .count = chains->count };
	chains->count = 0;
	add_recorded(chains, sample, false);
	if (chains->count == 0 && (sample->misc & RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL) {
		add_word(chains, (uint64_t)PERF_CONTEXT_KERNEL);
		add_word(chains, sample->ip);
	}
	add_word(chains, (uint64_t)PERF_CONTEXT_USER);
	for (size_t i = 0; i < stack->count; i++)
		add_word(chains, stack->frames[i].address);
	return (struct unwound_chain){ .words = chains->words, .count = chains->count, .is_unwound = true };
}
