#include "profile/profile.h"

#include <stdlib.h>

#include "base/xalloc.h"

/*
 * Every kind is walked in the order of its numbers, strings first, so that the
 * numbers of merge(merge(a, b), c) and merge(a, merge(b, c)) agree as well as
 * the sums do: what a view prints does not depend on which worker met what.
 */

/* New numbers by old ones, for each kind. */
struct renumbering {
	uint32_t *strings;
	uint32_t *dsos;
	uint32_t *functions;
	uint32_t *locations;
	uint32_t *stacks;
	uint32_t *threads;
	uint32_t *events;
};

static uint32_t *new_numbers(uint32_t count)
{
	return xcalloc((size_t)count + 1, sizeof(uint32_t)); /* + 1: an empty kind is no empty allocation */
}

static uint32_t renumbered(const uint32_t *numbers, uint32_t old)
{
	return old == PROFILE_NONE ? PROFILE_NONE : numbers[old];
}

static void merge_strings(struct profile *into, const struct profile *from, struct renumbering *now)
{
	uint32_t count = profile_string_count(from), i;

	now->strings = new_numbers(count);
	for (i = 0; i < count; i++)
		now->strings[i] = profile_string(into, profile_text(from, i));
}

static void merge_dsos(struct profile *into, const struct profile *from, struct renumbering *now)
{
	uint32_t count = profile_dso_count(from), i;

	now->dsos = new_numbers(count);
	for (i = 0; i < count; i++) {
		const struct profile_dso *dso = profile_dso_at(from, i);

		now->dsos[i] = profile_dso(into, profile_text(from, dso->name), profile_text(from, dso->path),
					   profile_text(from, dso->build_id));
		if (dso->is_jit)
			profile_set_dso_jit(into, now->dsos[i]);
	}
}

static uint32_t merge_function(struct profile *into, const struct profile *from,
			       const struct profile_function *function, uint32_t dso)
{
	const char *name = profile_text(from, function->name);

	if (function->nameless)
		return profile_nameless_function(into, dso, function->start);
	return function->inlined ? profile_inlined_function(into, dso, name, function->start) :
				   profile_function(into, dso, name, function->start);
}

static void merge_functions(struct profile *into, const struct profile *from, struct renumbering *now)
{
	uint32_t count = profile_function_count(from), i;

	now->functions = new_numbers(count);
	for (i = 0; i < count; i++) {
		const struct profile_function *function = profile_function_at(from, i);

		now->functions[i] =
			merge_function(into, from, function, renumbered(now->dsos, function->dso));
	}
}

/* Where both sides know the function of a location the older answer stays. */
static void merge_locations(struct profile *into, const struct profile *from, struct renumbering *now)
{
	uint32_t count = profile_location_count(from), i;

	now->locations = new_numbers(count);
	for (i = 0; i < count; i++) {
		const struct profile_location *location = profile_location_at(from, i);
		uint32_t number =
			profile_inlined_location(into, renumbered(now->dsos, location->dso),
						 location->address, location->mode, location->inline_depth);

		now->locations[i] = number;
		if (profile_location_at(into, number)->function == PROFILE_NONE)
			profile_set_function(into, number, renumbered(now->functions, location->function));
		if (!profile_location_at(into, number)->line)
			profile_set_line(into, number, now->strings[location->file], location->line);
	}
}

static void merge_stacks(struct profile *into, const struct profile *from, struct renumbering *now)
{
	uint32_t count = profile_stack_count(from), i;

	now->stacks = new_numbers(count);
	for (i = 0; i < count; i++) { /* parents have smaller numbers, so they are known already */
		const struct profile_stack *stack = profile_stack_at(from, i);

		now->stacks[i] = profile_stack(into, renumbered(now->stacks, stack->parent),
					       renumbered(now->locations, stack->location),
					       (enum frame_origin)stack->origin);
	}
}

static void merge_threads(struct profile *into, const struct profile *from, struct renumbering *now)
{
	uint32_t count = profile_thread_count(from), i;

	now->threads = new_numbers(count);
	for (i = 0; i < count; i++) {
		const struct profile_thread *thread = profile_thread_at(from, i);

		now->threads[i] = profile_thread(into, thread->pid, thread->tid, now->strings[thread->comm]);
	}
}

static void merge_events(struct profile *into, const struct profile *from, struct renumbering *now)
{
	uint32_t count = profile_event_count(from), i;

	now->events = new_numbers(count);
	for (i = 0; i < count; i++) {
		const struct profile_event *event = profile_event_at(from, i);

		now->events[i] = profile_event(into, profile_text(from, event->name), event->frequency,
					       event->period_or_freq);
	}
}

/* What each event's squares come to: merged samples do not tell them any more. */
static double *add_weight_squares(const struct profile *into, const struct profile *from,
				  const struct renumbering *now)
{
	uint32_t count = profile_event_count(from), i;
	double *sums = xcalloc((size_t)profile_event_count(into) + 1, sizeof(*sums));

	for (i = 0; i < profile_event_count(into); i++)
		sums[i] = profile_event_at(into, i)->weight_squares;
	for (i = 0; i < count; i++)
		sums[now->events[i]] += profile_event_at(from, i)->weight_squares;
	return sums;
}

/* Event totals come out right by themselves: they are what profile_add() added. */
static void merge_samples(struct profile *into, const struct profile *from, const struct renumbering *now)
{
	double *weight_squares = add_weight_squares(into, from, now);
	uint32_t count = profile_sample_count(from), i;

	for (i = 0; i < count; i++) {
		struct profile_sample sample = *profile_sample_at(from, i);

		sample.event = now->events[sample.event];
		sample.thread = renumbered(now->threads, sample.thread);
		sample.stack = renumbered(now->stacks, sample.stack);
		sample.cgroup = now->strings[sample.cgroup];
		profile_add(into, &sample);
	}
	for (i = 0; i < profile_event_count(into); i++)
		profile_set_weight_squares(into, i, weight_squares[i]);
	free(weight_squares);
}

void profile_merge(struct profile *profile, const struct profile *other)
{
	struct renumbering now;

	merge_strings(profile, other, &now);
	merge_dsos(profile, other, &now);
	merge_functions(profile, other, &now);
	merge_locations(profile, other, &now);
	merge_stacks(profile, other, &now);
	merge_threads(profile, other, &now);
	merge_events(profile, other, &now);
	merge_samples(profile, other, &now);

	free(now.strings);
	free(now.dsos);
	free(now.functions);
	free(now.locations);
	free(now.stacks);
	free(now.threads);
	free(now.events);
}
