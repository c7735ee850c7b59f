#include "support/profile_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t builder_event(struct profile *profile, const char *name)
{
	return profile_event(profile, name, true, 4000);
}

static uint32_t builder_dso(struct profile *profile, const char *name)
{
	char path[128];

	if (!*name)
		return PROFILE_NONE;
	if (!strcmp(name, "[k]"))
		return profile_dso(profile, "[kernel.kallsyms]", "[kernel.kallsyms]", "");
	snprintf(path, sizeof(path), "/usr/lib/%s", name);
	return profile_dso(profile, name, path, "");
}

/* Each distinct name has its own start, 0x1000 after that of the previous name, whatever the DSO. */
static uint64_t start_of(struct profile *profile, const char *function)
{
	return 0x1000 * (uint64_t)(profile_string(profile, function) + 1);
}

static uint32_t builder_location(struct profile *profile, char *frame)
{
	char *function = strchr(frame, '`');
	enum frame_mode mode;
	uint32_t dso, location;
	uint64_t start;

	*function++ = '\0';
	mode = strcmp(frame, "[k]") ? FRAME_USER : FRAME_KERNEL;
	dso = builder_dso(profile, frame);
	if (!strncmp(function, "0x", 2))
		return profile_location(profile, dso, strtoull(function, NULL, 16), mode);
	start = start_of(profile, function);
	location = profile_location(profile, dso, start + 4, mode);
	profile_set_function(profile, location, profile_function(profile, dso, function, start));
	return location;
}

static uint32_t builder_stack(struct profile *profile, const char *text)
{
	char *copy = strdup(text), *state = NULL, *frame;
	uint32_t stack = PROFILE_NONE;

	for (frame = strtok_r(copy, ";", &state); frame; frame = strtok_r(NULL, ";", &state))
		stack = profile_stack(profile, stack, builder_location(profile, frame), FRAME_KERNEL_CHAIN);
	free(copy);
	return stack;
}

uint32_t builder_add(struct profile *profile, uint32_t event, const char *who, const char *stack,
		     uint64_t count, uint64_t weight)
{
	struct profile_sample sample = { .event = event, .count = count, .weight = weight };
	unsigned int pid = 0, tid = 0;
	char comm[64] = "";
	int cpu = -1;

	sscanf(who, "%63s %u/%u %d", comm, &pid, &tid, &cpu);
	sample.thread = profile_thread(profile, pid, tid, profile_string(profile, comm));
	sample.cpu = (uint32_t)cpu;
	sample.stack = builder_stack(profile, stack);
	sample.end = STACK_END_ROOT;
	profile_add(profile, &sample);
	return sample.stack;
}
