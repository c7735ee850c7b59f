/*
 * An imported profile is built by the same calls as that of a recording. A location with an address is that address of its
 * module; if a profile has two functions at one address, as with run-time code that all has address 0, the second is known only
 * by its name.
 */
#include "report/import/import_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturating.h"
#include "base/xalloc.h"
#include "profile/event_unit.h"
#include "report/load/time_range.h"

void import_model_init(struct import_model *model, struct timeline *timeline)
{
	*model = (struct import_model){ .profile = profile_create(),
					.timeline = timeline,
					.unknown_stack = PROFILE_NONE };
	profile_facts_init(&model->facts);
}

void import_model_fini(struct import_model *model)
{
	profile_destroy(model->profile);
	profile_facts_fini(&model->facts);
	model->profile = NULL;
}

/* Often only the name of a kernel module is known, in brackets: "[ext4]". */
bool import_module_is_kernel(const char *path)
{
	static const char *const users[] = { "[vdso]", "[vdso32]", "[vsyscall]",
					     "[heap]", "[stack]",  "[unknown]" };
	const size_t length = strlen(path);

	for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++)
		if (!strcmp(path, users[i]))
			return false;
	return (length > 3 && !strcmp(path + length - 3, ".ko")) ||
	       (length > 2 && path[0] == '[' && path[length - 1] == ']');
}

struct import_thread import_thread_of(const char *name, char *comm, size_t size)
{
	const char *blank = name ? strrchr(name, ' ') : NULL;
	unsigned int pid, tid;
	int length = 0;

	snprintf(comm, size, "%s", name ? name : "");
	if (!blank || sscanf(blank, " %u/%u%n", &pid, &tid, &length) != 2 || blank[length] ||
	    (size_t)(blank - name) >= size)
		return (struct import_thread){ .comm = comm };
	comm[blank - name] = '\0';
	return (struct import_thread){ comm, pid, tid };
}

static const char *text_or_empty(const char *text)
{
	return text ? text : "";
}

uint32_t import_model_recorded_event(struct import_model *model, const char *name)
{
	return profile_event(model->profile, name, false, 0);
}

uint32_t import_model_event(struct import_model *model, const char *name, const char *unit)
{
	struct profile *profile = model->profile;
	const char *said = *text_or_empty(unit) ? unit : EVENT_UNIT_UNKNOWN,
		   *called = *text_or_empty(name) ? name :
			     *text_or_empty(unit) ? unit :
						    "samples";
	const uint32_t known = profile_event_count(profile);
	uint32_t event = profile_event(profile, called, false, 0);
	char *both;

	if (event < known && strcmp(event_unit_of(profile, event), said) != 0) {
		both = xasprintf("%s (%s)", called, said);
		event = profile_event(profile, both, false, 0);
		free(both);
	}
	profile_set_event_unit(profile, event, said);
	return event;
}

uint32_t import_model_thread(struct import_model *model, const struct import_thread *thread)
{
	return profile_thread(model->profile, thread->pid, thread->tid,
			      profile_string(model->profile, text_or_empty(thread->comm)));
}

static const char *short_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return *path == '[' || !slash || !slash[1] ? path : slash + 1;
}

static uint32_t dso_of(struct import_model *model, const struct import_frame *frame)
{
	uint32_t dso;

	if (!*text_or_empty(frame->module))
		return PROFILE_NONE;
	dso = profile_dso(model->profile, short_name(frame->module), frame->module,
			  text_or_empty(frame->build_id));
	if (frame->is_jit)
		profile_set_dso_jit(model->profile, dso);
	return dso;
}

static void set_line(struct import_model *model, uint32_t location, const struct import_frame *frame)
{
	if (*text_or_empty(frame->file))
		profile_set_line(model->profile, location, profile_string(model->profile, frame->file),
				 frame->line);
}

/* PROFILE_NONE if another function is known at this address. */
static uint32_t location_with_address(struct import_model *model, uint32_t dso,
				      const struct import_frame *frame)
{
	struct profile *profile = model->profile;
	const uint32_t before = profile_location_count(profile);
	const uint32_t location =
		profile_inlined_location(profile, dso, frame->address, frame->mode, frame->inline_depth);
	uint32_t function = PROFILE_NONE;

	if (*text_or_empty(frame->function))
		function = frame->is_inlined ? profile_inlined_function(profile, dso, frame->function, 0) :
					       profile_function(profile, dso, frame->function, 0);
	if (location < before)
		return profile_location_at(profile, location)->function == function ? location : PROFILE_NONE;
	if (function != PROFILE_NONE)
		profile_set_function(profile, location, function);
	set_line(model, location, frame);
	return location;
}

uint32_t import_model_location(struct import_model *model, const struct import_frame *frame)
{
	const bool is_named = *text_or_empty(frame->function) != '\0';
	const uint32_t dso = dso_of(model, frame);
	uint32_t location = PROFILE_NONE, before;

	if (frame->has_address || !is_named)
		location = location_with_address(model, dso, frame);
	if (location != PROFILE_NONE)
		return location;
	before = profile_location_count(model->profile);
	location = profile_named_location(model->profile, dso, is_named ? frame->function : "[unknown]",
					  frame->mode);
	if (location >= before)
		set_line(model, location, frame);
	return location;
}

uint32_t import_model_stack(struct import_model *model, uint32_t parent, uint32_t location)
{
	model->facts.has_callchains |= parent != PROFILE_NONE;
	return profile_stack(model->profile, parent, location, FRAME_KERNEL_CHAIN);
}

uint32_t import_model_frame(struct import_model *model, uint32_t parent, const struct import_frame *frame)
{
	return import_model_stack(model, parent, import_model_location(model, frame));
}

static uint32_t unknown_stack(struct import_model *model)
{
	if (model->unknown_stack == PROFILE_NONE)
		model->unknown_stack =
			import_model_frame(model, PROFILE_NONE, &(struct import_frame){ .function = NULL });
	return model->unknown_stack;
}

static void note_time(struct import_model *model, const struct import_sample *sample, uint32_t number)
{
	struct profile_facts *facts = &model->facts;

	if (sample->time_ns == IMPORT_NO_TIME)
		return;
	if (sample->time_ns < facts->first_time_ns)
		facts->first_time_ns = facts->first_record_ns = sample->time_ns;
	if (sample->time_ns > facts->last_time_ns)
		facts->last_time_ns = facts->last_record_ns = sample->time_ns;
	if (model->timeline)
		timeline_add(model->timeline, sample->time_ns, number, sample->weight);
}

void import_model_add(struct import_model *model, const struct import_sample *sample)
{
	uint32_t number;

	if (!sample->count && !sample->weight)
		return;
	if (model->times && model->times->count &&
	    (sample->time_ns == IMPORT_NO_TIME || !time_ranges_contain(model->times, sample->time_ns))) {
		saturating_add(&model->left_out, sample->count);
		return;
	}
	number = profile_add(model->profile,
			     &(struct profile_sample){
				     .event = sample->event,
				     .end = STACK_END_UNKNOWN,
				     .thread = sample->thread,
				     .cpu = sample->cpu,
				     .cgroup = profile_string(model->profile, text_or_empty(sample->cgroup)),
				     .stack = sample->stack == PROFILE_NONE ? unknown_stack(model) :
									      sample->stack,
				     .count = sample->count,
				     .weight = sample->weight,
			     });
	saturating_add(&model->facts.samples, sample->count);
	note_time(model, sample, number);
	if (model->log)
		sample_log_add(model->log,
			       sample->time_ns == IMPORT_NO_TIME ? SAMPLE_LOG_NO_TIME : sample->time_ns,
			       number, profile_sample_at(model->profile, number)->stack, sample->weight);
}

static void describe_events(struct import_model *model)
{
	struct profile_facts *facts = &model->facts;

	facts->event_count = profile_event_count(model->profile);
	facts->events = arena_alloc(&facts->texts, (facts->event_count + 1) * sizeof(*facts->events));
	for (size_t i = 0; i < facts->event_count; i++) {
		const struct profile_event *event = profile_event_at(model->profile, (uint32_t)i);

		facts->events[i] = (struct event_facts){
			.name = profile_facts_text(facts, profile_text(model->profile, event->name)),
			.sample_keys = 0,
		};
	}
}

void import_model_finish(struct import_model *model, const char *path, const char *format,
			 struct loaded_profile *loaded)
{
	profile_finish(model->profile);
	describe_events(model);
	model->facts.path = profile_facts_text(&model->facts, path);
	model->facts.format = profile_facts_text(&model->facts, format);
	model->facts.has_stacks_of_unknown_end = model->facts.has_callchains;
	model->facts.is_part = model->times && model->times->count;
	profile_facts_count_stacks(&model->facts, model->profile);
	*loaded = (struct loaded_profile){ .profile = model->profile, .facts = model->facts };
	model->profile = NULL;
}
