/*
 * A test for each kind of filter; filter_counts() and filter_passes() combine them. An inlined leaf counts as the function
 * that was compiled, hence profile_compiled_stack().
 */
#include "profile/filter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool number_listed(const uint32_t *numbers, size_t count, uint32_t number)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

static bool text_listed(const char *const *texts, const char *text)
{
	for (; *texts; texts++)
		if (!strcmp(*texts, text))
			return true;
	return false;
}

static bool thread_passes(const struct filter *filter, const struct profile *profile, uint32_t number)
{
	const struct profile_thread *thread = profile_thread_at(profile, number);

	if (filter->comms && !text_listed(filter->comms, profile_text(profile, thread->comm)))
		return false;
	if (filter->pid_count && !number_listed(filter->pids, filter->pid_count, thread->pid))
		return false;
	return !filter->tid_count || number_listed(filter->tids, filter->tid_count, thread->tid);
}

static bool dso_passes(const struct filter *filter, const struct profile *profile, uint32_t number)
{
	const struct profile_dso *dso;

	if (number == PROFILE_NONE)
		return false;
	dso = profile_dso_at(profile, number);
	return text_listed(filter->dsos, profile_text(profile, dso->name)) ||
	       text_listed(filter->dsos, profile_text(profile, dso->path));
}

static bool function_passes(const struct filter *filter, const struct profile *profile, uint32_t number)
{
	const struct profile_function *function;
	char start[24];

	if (number == PROFILE_NONE)
		return false;
	function = profile_function_at(profile, number);
	if (text_listed(filter->symbols, profile_text(profile, function->name)))
		return true;
	snprintf(start, sizeof(start), "0x%" PRIx64, function->start);
	return text_listed(filter->symbols, start);
}

static bool leaf_passes(const struct filter *filter, const struct profile *profile, uint32_t stack)
{
	const struct profile_location *leaf;

	stack = profile_compiled_stack(profile, stack);
	if (stack == PROFILE_NONE)
		return false;
	leaf = profile_location_at(profile, profile_stack_at(profile, stack)->location);
	if (filter->dsos && !dso_passes(filter, profile, leaf->dso))
		return false;
	return !filter->symbols || function_passes(filter, profile, leaf->function);
}

static bool leaf_is_named(const struct profile *profile, uint32_t stack)
{
	stack = profile_compiled_stack(profile, stack);
	if (stack == PROFILE_NONE)
		return false;
	return profile_location_is_named(
		profile, profile_location_at(profile, profile_stack_at(profile, stack)->location));
}

bool filter_counts(const struct filter *filter, const struct profile *profile,
		   const struct profile_sample *sample)
{
	if (filter->named_only && !leaf_is_named(profile, sample->stack))
		return false;
	if (filter->taken_stacks && sample->stack != PROFILE_NONE && filter->taken_stacks[sample->stack])
		return false;
	return !filter->cpu_count || number_listed(filter->cpus, filter->cpu_count, sample->cpu);
}

bool filter_passes(const struct filter *filter, const struct profile *profile,
		   const struct profile_sample *sample)
{
	if (!filter_counts(filter, profile, sample))
		return false;
	if ((filter->comms || filter->pid_count || filter->tid_count) &&
	    !thread_passes(filter, profile, sample->thread))
		return false;
	if (filter->cgroups && !text_listed(filter->cgroups, profile_text(profile, sample->cgroup)))
		return false;
	if (filter->stacks && !(sample->stack != PROFILE_NONE && filter->stacks[sample->stack]))
		return false;
	return (!filter->dsos && !filter->symbols) || leaf_passes(filter, profile, sample->stack);
}
