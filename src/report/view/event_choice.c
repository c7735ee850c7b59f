/*
 * Chooses the event for a view with one sum, and joins the events that a hybrid machine records once per kind
 * of core.
 */
#include "report/view/event_choice.h"

#include <stdio.h>
#include <string.h>

static const char *name_of(const struct profile *profile, uint32_t event)
{
	return profile_text(profile, profile_event_at(profile, event)->name);
}

/* --- PMUs of different cores ------------------------------------------------------------------------------ */

/*
 * Appends "cycles:u" for "cpu_core/cycles/u" and returns true. False if the name is of no PMU of cores. Those are called cpu_core
 * and cpu_atom (Intel), armv8_cortex_a53 (Arm) or apple_firestorm_pmu. Numbers ("event=0x3c") mean something else to each PMU.
 */
static bool add_event_alone(struct strbuf *out, const char *name)
{
	static const char *const prefixes[] = { "cpu_", "armv7", "armv8", "armv9", "apple_" };
	const char *slash = strchr(name, '/'), *end = slash ? strchr(slash + 1, '/') : NULL;
	bool of_cores = false;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		of_cores = of_cores || !strncmp(name, prefixes[i], strlen(prefixes[i]));
	if (!of_cores || !end || end == slash + 1 || memchr(slash, '=', (size_t)(end - slash)))
		return false;
	strbuf_add(out, slash + 1, (size_t)(end - slash - 1));
	if (end[1])
		strbuf_addf(out, ":%s", end[1] == ':' ? end + 2 : end + 1);
	return true;
}

bool event_choice_is_named(const char *own, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(own, name, length) && (!own[length] || own[length] == ':');
}

static bool event_is_named(const struct profile *profile, uint32_t event, const char *name)
{
	return event_choice_is_named(name_of(profile, event), name);
}

/* The same for an event of one PMU alone: "cycles" also names "cpu_core/cycles/u". */
static bool event_alone_is_named(const struct profile *profile, uint32_t event, const char *name)
{
	const size_t length = strlen(name);
	struct strbuf alone = STRBUF_INIT;
	bool same;

	same = add_event_alone(&alone, name_of(profile, event)) && !strncmp(alone.bytes, name, length) &&
	       (!alone.bytes[length] || alone.bytes[length] == ':');
	strbuf_fini(&alone);
	return same;
}

static bool find_named(const struct profile *profile, const char *name, uint32_t *event)
{
	for (*event = 0; *event < profile_event_count(profile); ++*event)
		if (event_is_named(profile, *event, name))
			return true;
	return false;
}

int event_choice_find(const struct profile *profile, const char *name, uint32_t *event, struct error *err)
{
	uint32_t count = profile_event_count(profile);
	size_t used = 0;
	char names[512] = "";

	if (find_named(profile, name, event))
		return 0;
	for (*event = 0; *event < count; ++*event)
		if (event_alone_is_named(profile, *event, name))
			return 0;
	for (*event = 0; *event < count && used < sizeof(names); ++*event)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
					 name_of(profile, *event));
	return error_set(err, "--event: '%s' was not recorded; recorded events: %s", name,
			 *names ? names : "none");
}

uint32_t event_choice_most(const struct profile *profile, uint32_t *with_samples)
{
	uint32_t count = profile_event_count(profile), most = PROFILE_NONE, event;

	*with_samples = 0;
	for (event = 0; event < count; event++) {
		const uint64_t samples = profile_event_at(profile, event)->samples;

		*with_samples += samples > 0;
		if (samples && (most == PROFILE_NONE || samples > profile_event_at(profile, most)->samples))
			most = event;
	}
	return most;
}

/* --- joining ----------------------------------------------------------------------------------------------- */

static bool is_called_alone(const struct profile *profile, uint32_t event, const char *alone)
{
	struct strbuf own = STRBUF_INIT;
	bool same;

	same = add_event_alone(&own, name_of(profile, event)) && !strcmp(own.bytes, alone);
	strbuf_fini(&own);
	return same;
}

/* Joins the event with all later ones that count the same on other PMUs. */
static void join_into(struct profile *profile, uint32_t event, const char *alone, struct strbuf *said)
{
	const uint32_t count = profile_event_count(profile);
	struct strbuf parts = STRBUF_INIT;
	uint32_t with_samples = profile_event_at(profile, event)->samples > 0, joined = 0;

	strbuf_addf(&parts, "%s is %s", alone, name_of(profile, event));
	for (uint32_t other = event + 1; other < count; other++) {
		if (!is_called_alone(profile, other, alone))
			continue;
		with_samples += profile_event_at(profile, other)->samples > 0;
		strbuf_addf(&parts, " and %s", name_of(profile, other));
		profile_join_events(profile, event, other, alone);
		joined++;
	}
	if (said && joined && with_samples > 1)
		strbuf_addf(said, "%s%s", said->size ? ", " : "", parts.bytes);
	strbuf_fini(&parts);
}

void event_choice_join(struct profile *profile, const char *wanted, struct strbuf *said)
{
	struct strbuf alone = STRBUF_INIT;
	uint32_t event;

	if (wanted && find_named(profile, wanted, &event))
		return;
	for (event = 0; event < profile_event_count(profile); event++) {
		strbuf_reset(&alone);
		if (add_event_alone(&alone, name_of(profile, event)))
			join_into(profile, event, alone.bytes, said);
	}
	strbuf_fini(&alone);
}

/* The event of this name, with or without modifiers. PROFILE_NONE if it was not recorded. */
static uint32_t find_plain(const struct profile *profile, const char *plain)
{
	const size_t length = strlen(plain);

	for (uint32_t event = 0; event < profile_event_count(profile); event++) {
		const char *name = name_of(profile, event);

		if (strncmp(name, plain, length) == 0 && (name[length] == '\0' || name[length] == ':'))
			return event;
	}
	return PROFILE_NONE;
}

int event_choice_join_wall(struct profile *profile, uint32_t *event, struct error *err)
{
	const uint32_t off = find_plain(profile, "offcpu-time");
	uint32_t on = find_plain(profile, "cpu-clock");

	if (on == PROFILE_NONE)
		on = find_plain(profile, "task-clock");
	if (off == PROFILE_NONE)
		return error_set(err,
				 "--wall: time off the CPU was not recorded: use 'xprof record --off-cpu'");
	if (on == PROFILE_NONE)
		return error_set(
			err,
			"--wall: the event on the CPU does not measure time: use 'xprof record -e cpu-clock "
			"--off-cpu'");
	profile_join_events(profile, on, off, "wall-clock");
	*event = on;
	return 0;
}
