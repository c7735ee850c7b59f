/*
 * speedscope's own format (its file-format-schema.json): first all samples added up stack by stack, then each track as
 * functions that open and close. The functions, which all of these refer to, come last.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturating.h"
#include "base/xalloc.h"
#include "build_options.h"
#include "report/export/export_format.h"
#include "report/export/export_frames.h"
#include "report/export/export_samples.h"
#include "report/export/export_spans.h"
#include "text/web_text.h"

struct speedscope {
	const struct export_input *input;
	struct export_out *out;
	struct export_frames frames;
	bool first;     /* no sample of this profile was written yet */
	uint32_t *path; /* numbers of frames, leaf first */
	size_t path_capacity;
};

static const char *unit_of(const struct export_input *input)
{
	static const char *const units[] = { "nanoseconds", "microseconds", "milliseconds", "seconds",
					     "bytes" };
	const char *unit = export_samples_unit(input, input->event);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(unit, units[i]) == 0)
			return unit;
	return "none";
}

static void begin_profile(struct speedscope *scope, const char *type, const char *name)
{
	struct strbuf *out = &scope->out->text;

	strbuf_addf(out, "{\"type\":\"%s\",\"name\":", type);
	web_text_add_clean_json(out, name);
	strbuf_addf(out, ",\"unit\":\"%s\",\"startValue\":0,", unit_of(scope->input));
	scope->first = true;
}

/* --- all samples ------------------------------------------------------------------------------------- */

static void add_stack(struct speedscope *scope, uint32_t node)
{
	const struct profile *profile = scope->input->view.profile;
	struct strbuf *out = &scope->out->text;
	size_t depth = 0;

	for (; node != PROFILE_NONE; node = profile_stack_at(profile, node)->parent) {
		scope->path = array_grow(scope->path, &scope->path_capacity, depth + 1, sizeof(*scope->path));
		scope->path[depth++] = export_frames_number(&scope->frames, node);
	}
	strbuf_adds(out, scope->first ? "[" : ",\n[");
	scope->first = false;
	while (depth) {
		strbuf_add_decimal(out, scope->path[--depth], 0);
		if (depth)
			strbuf_addc(out, ',');
	}
	strbuf_addc(out, ']');
	export_out_flow(scope->out);
}

static void add_all_samples(struct speedscope *scope)
{
	bool *chosen = export_samples_chosen(scope->input), first = true;
	struct strbuf *out = &scope->out->text;
	struct sample_walk walk;
	uint64_t sum = 0;

	begin_profile(scope, "sampled", "all samples");
	strbuf_adds(out, "\"samples\":[");
	sample_walk_init(&walk, scope->input->view.profile, scope->input->sums);
	while (sample_walk_next(&walk))
		if (chosen[walk.number])
			add_stack(scope, walk.sample.stack);
	strbuf_adds(out, "],\"weights\":[");
	sample_walk_init(&walk, scope->input->view.profile, scope->input->sums);
	while (sample_walk_next(&walk)) {
		if (!chosen[walk.number])
			continue;
		if (!first)
			strbuf_addc(out, ',');
		first = false;
		strbuf_add_decimal(out, walk.sample.weight, 0);
		saturating_add(&sum, walk.sample.weight);
		export_out_flow(scope->out);
	}
	strbuf_addf(out, "],\"endValue\":%" PRIu64 "}", sum);
	free(chosen);
}

/* --- tracks ------------------------------------------------------------------------------------------ */

static uint32_t number_of(void *context, uint32_t node)
{
	struct speedscope *scope = context;

	return export_frames_number(&scope->frames, node);
}

/* Keeps the text after the frame, because many functions open and close at the same place. */
static void write_events(void *context, size_t part, const struct export_span_event *events, size_t count,
			 struct strbuf *text)
{
	static const char begins[2][23] = { ",\n{\"type\":\"C\",\"frame\":",
					    ",\n{\"type\":\"O\",\"frame\":" };
	struct strbuf end = STRBUF_INIT;
	uint64_t at = 0;
	size_t skipped;

	(void)context;
	(void)part;
	for (size_t i = 0; i < count; i++) {
		if (!end.size || at != events[i].at) {
			at = events[i].at;
			strbuf_reset(&end);
			strbuf_adds(&end, ",\"at\":");
			strbuf_add_decimal(&end, at, 0);
			strbuf_addc(&end, '}');
		}
		skipped = events[i].is_first ? 2 : 0; /* the comma and the line's end */
		strbuf_add(text, begins[events[i].begins] + skipped, sizeof(begins[0]) - 1 - skipped);
		strbuf_add_decimal(text, events[i].function, 0);
		strbuf_add(text, end.bytes, end.size);
	}
	strbuf_fini(&end);
}

static void add_tracks(struct speedscope *scope)
{
	const struct export_span_sink sink = { export_parts_create(scope->out), scope, number_of,
					       write_events };
	struct export_tracks tracks;
	struct strbuf name;

	strbuf_init(&name);
	export_tracks_init(&tracks, scope->input);
	for (size_t t = 0; t < tracks.count; t++) {
		uint64_t end;

		strbuf_reset(&name);
		export_track_add_name(&name, &tracks, t);
		strbuf_adds(&scope->out->text, ",\n");
		begin_profile(scope, "evented", name.bytes);
		strbuf_adds(&scope->out->text, "\"events\":[");
		end = export_spans_walk(&tracks, t, export_axis_of(&tracks), &sink);
		strbuf_addf(&scope->out->text, "],\"endValue\":%" PRIu64 "}", end);
	}
	export_tracks_fini(&tracks);
	export_parts_destroy(sink.parts);
	strbuf_fini(&name);
}

static void add_frames(struct speedscope *scope)
{
	struct strbuf *out = &scope->out->text;

	strbuf_adds(out, "],\n\"shared\":{\"frames\":[");
	for (uint32_t i = 0; i < scope->frames.count; i++) {
		strbuf_adds(out, i ? ",\n{\"name\":" : "{\"name\":");
		export_frames_add_name(out, &scope->frames, i);
		strbuf_adds(out, ",\"file\":");
		export_frames_add_file(out, &scope->frames, i);
		strbuf_addc(out, '}');
		export_out_flow(scope->out);
	}
	strbuf_adds(out, "]}}\n");
}

static void write_speedscope(const struct export_input *input, struct export_out *out)
{
	struct speedscope scope = { .input = input, .out = out };

	export_frames_init(&scope.frames, input);
	strbuf_adds(&out->text, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
				"\"exporter\":\"xprof " XPROF_VERSION "\",\"name\":");
	web_text_add_clean_json(&out->text, input->view.facts->path ? input->view.facts->path : "");
	strbuf_adds(&out->text, ",\"activeProfileIndex\":0,\n\"profiles\":[");
	add_all_samples(&scope);
	add_tracks(&scope);
	add_frames(&scope);
	export_frames_fini(&scope.frames);
	free(scope.path);
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.help = "for speedscope: all samples, and each thread over time",
	.file = "profile.speedscope.json",
	.suffixes = ".speedscope.json .speedscope",
	.traits = EXPORT_ONE_EVENT | EXPORT_SUMS | EXPORT_TIMES | EXPORT_TRACKS,
	.write = write_speedscope,
};
