/*
 * Each warn_of_...() function compares one aspect of both sides and appends a line; find_warnings() fixes their order.
 * Text and JSON print the same lines.
 */
#include "report/diff/diff_header.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "profile/match_name.h"
#include "text/safe_text.h"

#define UNLIKE_POINTS 5.0 /* percentage points by which the completeness of two recordings may differ */
#define MUCH_LOSS_PERCENT 1.0
#define LARGE_DSO_PERCENT 5.0 /* of samples: warn of such a DSO if only one recording has it */

enum { MAX_DSOS_NAMED = 4, DSO_NAME_SIZE = 256 };

struct warnings {
	struct strbuf lines; /* each ends with a newline */
	const struct diff_inputs *inputs;
};

static const struct profile_facts *facts_of(const struct diff_inputs *inputs, int side)
{
	return &inputs->sides[side]->list[0].input.loaded.facts;
}

static const struct profile *profile_of(const struct diff_inputs *inputs, int side)
{
	return inputs->sides[side]->list[0].input.loaded.profile;
}

static const struct profile_event *event_of(const struct diff_inputs *inputs, int side)
{
	return inputs->event[side] == PROFILE_NONE ?
		       NULL :
		       profile_event_at(profile_of(inputs, side), inputs->event[side]);
}

static const char *event_name(const struct diff_inputs *inputs, int side)
{
	return profile_text(profile_of(inputs, side), event_of(inputs, side)->name);
}

static double rooted_percent(const struct profile_facts *facts)
{
	return compare_percent((double)facts->stacks_ended[STACK_END_ROOT], (double)facts->samples);
}

static double unnamed_percent(const struct profile_facts *facts)
{
	return compare_percent((double)facts->unresolved_samples, (double)facts->samples);
}

/* --- the recordings --------------------------------------------------------------- */

static void add_rate(struct strbuf *out, const struct profile_event *event)
{
	if (event->frequency)
		strbuf_addf(out, " at %" PRIu64 " Hz", event->period_or_freq);
	else if (event->period_or_freq)
		strbuf_addf(out, ", one every %" PRIu64, event->period_or_freq);
}

static void add_recording(struct strbuf *out, const struct diff_inputs *inputs, int side, size_t number)
{
	static const char *const names[] = { "before", "after" };
	const struct diff_recording *recording = &inputs->sides[side]->list[number];
	const struct profile_facts *facts = &recording->input.loaded.facts;
	double seconds = profile_facts_seconds(facts);
	const struct profile_event *event = event_of(inputs, side);

	strbuf_addf(out, "# %-7s ", number ? "" : names[side]);
	safe_text_add(out, facts->path);
	strbuf_addf(out, ": %" PRIu64 " samples", event && !number ? event->samples : facts->samples);
	if (event && !number) {
		strbuf_adds(out, " of ");
		safe_text_add(out, event_name(inputs, side));
		add_rate(out, event);
	}
	if (seconds > 0)
		strbuf_addf(out, " in %.4g s", seconds);
	strbuf_addf(out, ", %" PRIu64 " lost", profile_facts_lost(facts));
	if (profile_facts_have_stacks(facts))
		strbuf_addf(out, ", %.1f%% of the stacks complete", rooted_percent(facts));
	if (facts->unresolved_samples)
		strbuf_addf(out, ", %.1f%% without a function", unnamed_percent(facts));
	strbuf_addc(out, '\n');
}

/* --- differences -------------------------------------------------------------- */

static void warn_of_events(struct warnings *warnings)
{
	const struct diff_inputs *inputs = warnings->inputs;
	const struct profile_event *before = event_of(inputs, COMPARE_BEFORE);
	const struct profile_event *after = event_of(inputs, COMPARE_AFTER);

	if (!before || !after)
		return;
	if (strcmp(event_name(inputs, COMPARE_BEFORE), event_name(inputs, COMPARE_AFTER)) != 0) {
		strbuf_adds(&warnings->lines, "different events: ");
		safe_text_add(&warnings->lines, event_name(inputs, COMPARE_BEFORE));
		strbuf_adds(&warnings->lines, " and ");
		safe_text_add(&warnings->lines, event_name(inputs, COMPARE_AFTER));
		strbuf_adds(&warnings->lines, " do not count the same\n");
	}
	if (before->frequency != after->frequency || before->period_or_freq != after->period_or_freq) {
		strbuf_adds(&warnings->lines, "sampled");
		add_rate(&warnings->lines, before);
		strbuf_adds(&warnings->lines, " and");
		add_rate(&warnings->lines, after);
		strbuf_adds(&warnings->lines, ": numbers of samples cannot be compared\n");
	}
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

static void warn_of_texts(struct warnings *warnings, const char *before, const char *after, const char *what,
			  const char *consequence)
{
	if (!differ(before, after))
		return;
	strbuf_addf(&warnings->lines, "different %s: ", what);
	safe_text_add(&warnings->lines, before);
	strbuf_adds(&warnings->lines, " and ");
	safe_text_add(&warnings->lines, after);
	strbuf_adds(&warnings->lines, consequence);
	strbuf_addc(&warnings->lines, '\n');
}

static void warn_of_machines(struct warnings *warnings)
{
	const struct profile_facts *before = facts_of(warnings->inputs, COMPARE_BEFORE);
	const struct profile_facts *after = facts_of(warnings->inputs, COMPARE_AFTER);

	warn_of_texts(warnings, before->arch, after->arch, "machines", "");
	warn_of_texts(warnings, before->cpu_description, after->cpu_description, "CPUs", "");
	warn_of_texts(warnings, before->os_release, after->os_release, "kernels",
		      ": functions of the kernel may differ");
	if (before->cpus_online && after->cpus_online && before->cpus_online != after->cpus_online)
		strbuf_addf(&warnings->lines,
			    "%" PRIu32 " CPUs and %" PRIu32
			    ": different numbers of threads can run at a time\n",
			    before->cpus_online, after->cpus_online);
}

static void warn_of_losses(struct warnings *warnings)
{
	static const char *const names[] = { "before", "after" };

	for (int side = 0; side < COMPARE_SIDES; side++) {
		const struct profile_facts *facts = facts_of(warnings->inputs, side);
		double lost = (double)profile_facts_lost(facts);
		double percent = compare_percent(lost, lost + (double)facts->samples);

		if (percent >= MUCH_LOSS_PERCENT)
			strbuf_addf(
				&warnings->lines,
				"%.1f%% of the samples %s were lost, and not evenly: shares may be wrong\n",
				percent, names[side]);
	}
}

static void warn_of_stacks(struct warnings *warnings)
{
	const struct profile_facts *before = facts_of(warnings->inputs, COMPARE_BEFORE);
	const struct profile_facts *after = facts_of(warnings->inputs, COMPARE_AFTER);

	if (!before->samples || !after->samples)
		return;
	if (profile_facts_have_stacks(before) != profile_facts_have_stacks(after))
		strbuf_addf(&warnings->lines, "only the recording %s has call chains\n",
			    profile_facts_have_stacks(before) ? "before" : "after");
	else if (profile_facts_have_stacks(before) &&
		 fabs(rooted_percent(before) - rooted_percent(after)) > UNLIKE_POINTS)
		strbuf_addf(
			&warnings->lines,
			"%.1f%% of the stacks are complete before and %.1f%% after: callers that are missing look like "
			"callers that became faster\n",
			rooted_percent(before), rooted_percent(after));
	if (fabs(unnamed_percent(before) - unnamed_percent(after)) > UNLIKE_POINTS)
		strbuf_addf(
			&warnings->lines,
			"%.1f%% of the samples have no function before and %.1f%% after: names that are missing look "
			"like functions that became faster\n",
			unnamed_percent(before), unnamed_percent(after));
}

/* Several recordings of only one side do not help. */
static void warn_of_single_runs(struct warnings *warnings)
{
	const size_t before = warnings->inputs->sides[COMPARE_BEFORE]->count;
	const size_t after = warnings->inputs->sides[COMPARE_AFTER]->count;

	if (before > 1 && after > 1)
		return;
	strbuf_addf(&warnings->lines,
		    "one recording %s: intervals contain sampling error only, not variation between runs; "
		    "compare several of each (xprof diff old.1,old.2,old.3 new.1,new.2,new.3)\n",
		    before == after ? "of each" :
		    before == 1     ? "before" :
				      "after");
}

/* --- programs and libraries ---------------------------------------------------- */

/* Weights of a side's DSOs, by names that both sides share. */
struct dso_weights {
	const char **names; /* by DSO of the profile, as match_dso_name() makes them */
	double *samples;
	double all;
	char (*buffers)[DSO_NAME_SIZE];
	uint32_t count;
};

static const char *common_name(const struct diff_inputs *inputs, int side, const char *name)
{
	return side == COMPARE_AFTER ? name_pairs_before(inputs->pairs, name) : name;
}

static void weigh_dsos(struct dso_weights *weights, const struct diff_inputs *inputs, int side)
{
	const struct profile *profile = profile_of(inputs, side);

	weights->count = profile_dso_count(profile);
	weights->names = xcalloc((size_t)weights->count + 1, sizeof(*weights->names));
	weights->samples = xcalloc((size_t)weights->count + 1, sizeof(*weights->samples));
	weights->buffers = xcalloc((size_t)weights->count + 1, sizeof(*weights->buffers));
	weights->all = 0;
	for (uint32_t i = 0; i < weights->count; i++)
		weights->names[i] =
			common_name(inputs, side,
				    match_dso_name(profile_text(profile, profile_dso_at(profile, i)->name),
						   weights->buffers[i], DSO_NAME_SIZE));
	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);
		uint32_t dso =
			profile_location_at(profile, profile_stack_at(profile, sample->stack)->location)->dso;

		weights->all += (double)sample->count;
		if (dso != PROFILE_NONE)
			weights->samples[dso] += (double)sample->count;
	}
}

static void free_weights(struct dso_weights *weights)
{
	free(weights->names);
	free(weights->samples);
	free(weights->buffers);
}

static bool has_dso(const struct dso_weights *weights, const char *name)
{
	for (uint32_t i = 0; i < weights->count; i++)
		if (!strcmp(weights->names[i], name))
			return true;
	return false;
}

/* Warns of DSOs with many samples that the other side lacks. Returns the number of the first, or PROFILE_NONE. */
static uint32_t warn_of_missing(struct warnings *warnings, const struct dso_weights *here,
				const struct dso_weights *there, const char *where)
{
	uint32_t first = PROFILE_NONE;

	for (uint32_t i = 0; i < here->count; i++) {
		double percent = compare_percent(here->samples[i], here->all);

		if (percent < LARGE_DSO_PERCENT || has_dso(there, here->names[i]))
			continue;
		strbuf_addf(&warnings->lines, "%.1f%% of the samples %s are in ", percent, where);
		safe_text_add(&warnings->lines, here->names[i]);
		strbuf_adds(&warnings->lines, ", which the other recording does not have\n");
		if (first == PROFILE_NONE)
			first = i;
	}
	return first;
}

static bool other_build(const struct diff_inputs *inputs, uint32_t before, uint32_t after)
{
	const struct profile *old = profile_of(inputs, COMPARE_BEFORE),
			     *new = profile_of(inputs, COMPARE_AFTER);
	const char *old_id = profile_text(old, profile_dso_at(old, before)->build_id);
	const char *new_id = profile_text(new, profile_dso_at(new, after)->build_id);

	return *old_id && *new_id && strcmp(old_id, new_id) != 0;
}

static void warn_of_builds(struct warnings *warnings, const struct dso_weights weights[COMPARE_SIDES])
{
	unsigned named = 0;

	for (uint32_t i = 0; i < weights[COMPARE_BEFORE].count; i++)
		for (uint32_t j = 0;
		     weights[COMPARE_BEFORE].samples[i] > 0 && j < weights[COMPARE_AFTER].count; j++) {
			if (strcmp(weights[COMPARE_BEFORE].names[i], weights[COMPARE_AFTER].names[j]) != 0 ||
			    !other_build(warnings->inputs, i, j) || named > MAX_DSOS_NAMED)
				continue;
			strbuf_adds(&warnings->lines, named ? ", " : "other builds of ");
			if (named++ < MAX_DSOS_NAMED)
				safe_text_add(&warnings->lines, weights[COMPARE_BEFORE].names[i]);
			else
				strbuf_adds(&warnings->lines, "and more");
			break;
		}
	if (named)
		strbuf_adds(&warnings->lines,
			    ": their functions are matched by name, and those without one are one row\n");
}

static void warn_of_dsos(struct warnings *warnings)
{
	struct dso_weights weights[COMPARE_SIDES];
	uint32_t old, new;

	weigh_dsos(&weights[COMPARE_BEFORE], warnings->inputs, COMPARE_BEFORE);
	weigh_dsos(&weights[COMPARE_AFTER], warnings->inputs, COMPARE_AFTER);
	old = warn_of_missing(warnings, &weights[COMPARE_BEFORE], &weights[COMPARE_AFTER], "before");
	new = warn_of_missing(warnings, &weights[COMPARE_AFTER], &weights[COMPARE_BEFORE], "after");
	if (old != PROFILE_NONE && new != PROFILE_NONE) {
		strbuf_adds(&warnings->lines, "if these are the same program: --rename ");
		safe_text_add(&warnings->lines, weights[COMPARE_BEFORE].names[old]);
		strbuf_addc(&warnings->lines, '=');
		safe_text_add(&warnings->lines, weights[COMPARE_AFTER].names[new]);
		strbuf_addc(&warnings->lines, '\n');
	}
	warn_of_builds(warnings, weights);
	free_weights(&weights[COMPARE_BEFORE]);
	free_weights(&weights[COMPARE_AFTER]);
}

/* --- the header --------------------------------------------------------------- */

static void find_warnings(struct warnings *warnings, const struct diff_inputs *inputs)
{
	strbuf_init(&warnings->lines);
	warnings->inputs = inputs;
	warn_of_single_runs(warnings);
	warn_of_events(warnings);
	warn_of_machines(warnings);
	warn_of_losses(warnings);
	warn_of_stacks(warnings);
	warn_of_dsos(warnings);
}

static void add_found_pairs(struct strbuf *out, const struct name_pairs *pairs)
{
	for (size_t i = 0; pairs && i < pairs->count; i++) {
		if (!pairs->list[i].found)
			continue;
		strbuf_adds(out, "# ");
		safe_text_add(out, pairs->list[i].before);
		strbuf_adds(out, " before and ");
		safe_text_add(out, pairs->list[i].after);
		strbuf_adds(out, " after are compared as the same (--rename OLD=NEW chooses others)\n");
	}
}

void diff_header_add(struct strbuf *out, const struct diff_inputs *inputs)
{
	struct warnings warnings;
	const char *line, *end;

	for (int side = 0; side < COMPARE_SIDES; side++)
		for (size_t i = 0; i < inputs->sides[side]->count; i++)
			add_recording(out, inputs, side, i);
	if (inputs->sides[COMPARE_BEFORE]->count > 1 && inputs->sides[COMPARE_AFTER]->count > 1)
		strbuf_adds(out, "# the intervals contain variation between runs\n");
	add_found_pairs(out, inputs->pairs);
	find_warnings(&warnings, inputs);
	for (line = warnings.lines.bytes; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		strbuf_adds(out, "# beware: ");
		strbuf_add(out, line, (size_t)(end - line) + 1);
	}
	strbuf_fini(&warnings.lines);
}

static void add_file(struct json_writer *json, const struct diff_recording *recording, const char *side)
{
	const struct profile_facts *facts = &recording->input.loaded.facts;

	json_begin_line(json);
	json_string(json, "side", side);
	json_string(json, "file", facts->path);
	json_unsigned(json, "samples", facts->samples);
	json_unsigned(json, "lost", profile_facts_lost(facts));
	json_number(json, "seconds", profile_facts_seconds(facts));
	json_unsigned(json, "stacks_complete", facts->stacks_ended[STACK_END_ROOT]);
	json_unsigned(json, "without_function", facts->unresolved_samples);
	json_end_object(json);
}

void diff_header_add_json(struct json_writer *json, const struct diff_inputs *inputs)
{
	struct warnings warnings;
	char *line, *end;

	json_begin_array(json, "files");
	for (int side = 0; side < COMPARE_SIDES; side++)
		for (size_t i = 0; i < inputs->sides[side]->count; i++)
			add_file(json, &inputs->sides[side]->list[i],
				 side == COMPARE_BEFORE ? "before" : "after");
	json_end_array(json);
	find_warnings(&warnings, inputs);
	json_begin_array(json, "warnings");
	for (line = warnings.lines.bytes; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		json_string(json, NULL, line);
	}
	json_end_array(json);
	strbuf_fini(&warnings.lines);
}
