/*
 * Trace events of Chrome (the "Trace Event Format"), which Perfetto and chrome://tracing show: functions that begin and end on
 * the track of their thread. An end has the samples and the weight of its span, because with other events than clocks a span's
 * length only shows how far samples are apart. An end has the name, too, which the format does not ask for but
 * speedscope does: it passes over ends without one.
 */
#include <inttypes.h>

#include "report/export/export_format.h"
#include "report/export/export_frames.h"
#include "report/export/export_samples.h"
#include "report/export/export_spans.h"
#include "report/export/export_texts.h"
#include "text/web_text.h"

struct chrome {
	const struct export_input *input;
	struct export_out *out;
	struct export_frames frames;
	/* by number of a frame, for each part of the output: a member of an event, and one up to the event's end */
	struct export_texts names[EXPORT_PARTS_MOST], categories[EXPORT_PARTS_MOST];
	bool any;            /* was an event written? */
	struct strbuf track; /* the members that name the track of an event */
	struct strbuf event; /* the beginning of its events, up to these */
};

static const char event_begin[] = ",\n{\"ph\":\"?\",";
enum { EVENT_TYPE = sizeof(event_begin) - 1 - 3 };

static void begin_event(struct chrome *chrome)
{
	strbuf_adds(&chrome->out->text, chrome->any ? ",\n{" : "{");
	chrome->any = true;
}

/* Processes and threads of this format are numbers: CPUs, and the idle threads of each, are threads of a process. */
static void set_track(struct chrome *chrome, const struct export_track *track)
{
	const uint32_t pid = track->pid == PROFILE_NONE ? 0 : track->pid,
		       tid = track->cpu != PROFILE_NONE ? track->cpu :
			     track->tid != PROFILE_NONE ? track->tid :
							  pid;

	strbuf_reset(&chrome->track);
	strbuf_addf(&chrome->track, "\"pid\":%" PRId32 ",\"tid\":%" PRId32, (int32_t)pid, (int32_t)tid);
	strbuf_reset(&chrome->event);
	strbuf_addf(&chrome->event, "%s%s", event_begin, chrome->track.bytes);
}

static void add_track_name(struct chrome *chrome, const struct export_tracks *tracks, size_t track)
{
	struct strbuf *out = &chrome->out->text, name;

	strbuf_init(&name);
	export_track_add_name(&name, tracks, track);
	begin_event(chrome);
	strbuf_addf(out, "\"ph\":\"M\",\"name\":\"thread_name\",%s,\"args\":{\"name\":", chrome->track.bytes);
	web_text_add_clean_json(out, name.bytes);
	strbuf_adds(out, "}}");
	if (tracks->items[track].pid != PROFILE_NONE) {
		begin_event(chrome);
		strbuf_addf(out, "\"ph\":\"M\",\"name\":\"process_name\",%s,\"args\":{\"name\":",
			    chrome->track.bytes);
		web_text_add_clean_json(out,
					profile_text(chrome->input->view.profile, tracks->items[track].comm));
		strbuf_adds(out, "}}");
	}
	strbuf_fini(&name);
}

/* Microseconds with three digits after the point. */
static void add_time(struct strbuf *out, uint64_t at_ns)
{
	strbuf_adds(out, ",\"ts\":");
	strbuf_add_decimal(out, at_ns / 1000, 0);
	strbuf_addc(out, '.');
	strbuf_add_decimal_zeros(out, at_ns % 1000, 3);
}

static uint32_t number_of(void *context, uint32_t node)
{
	struct chrome *chrome = context;

	return export_frames_number(&chrome->frames, node);
}

static const struct strbuf *name_of(struct chrome *chrome, size_t part, uint32_t function)
{
	bool is_new;
	struct strbuf *name = export_texts_at(&chrome->names[part], function, &is_new);

	if (is_new) {
		strbuf_adds(name, ",\"name\":");
		export_frames_add_name(name, &chrome->frames, function);
	}
	return name;
}

static const struct strbuf *category_of(struct chrome *chrome, size_t part, uint32_t function)
{
	bool is_new;
	struct strbuf *category = export_texts_at(&chrome->categories[part], function, &is_new);

	if (is_new) {
		strbuf_adds(category, ",\"cat\":");
		export_frames_add_file(category, &chrome->frames, function);
		strbuf_addc(category, '}');
	}
	return category;
}

/* Texts that consecutive events have in common. */
struct repeated {
	struct strbuf place; /* an event up to its time */
	uint64_t at;
	struct strbuf sums; /* of the previous function that ended */
	uint64_t samples, weight, self;
};

/* Many functions begin and end at the same time. */
static void set_place(struct repeated *kept, const struct chrome *chrome,
		      const struct export_span_event *event)
{
	if (!kept->place.size || kept->at != event->at) {
		kept->at = event->at;
		strbuf_reset(&kept->place);
		strbuf_add(&kept->place, chrome->event.bytes, chrome->event.size);
		add_time(&kept->place, event->at);
	}
	kept->place.bytes[EVENT_TYPE] = event->begins ? 'B' : 'E';
}

/* Most have one sample, with the period of the recording. */
static void set_sums(struct repeated *kept, const struct export_span_event *event)
{
	struct strbuf *out = &kept->sums;

	if (out->size && kept->samples == event->samples && kept->weight == event->weight &&
	    kept->self == event->self)
		return;
	kept->samples = event->samples;
	kept->weight = event->weight;
	kept->self = event->self;
	strbuf_reset(out);
	strbuf_adds(out, ",\"args\":{\"samples\":");
	strbuf_add_decimal(out, event->samples, 0);
	strbuf_adds(out, ",\"weight\":");
	strbuf_add_decimal(out, event->weight, 0);
	strbuf_adds(out, ",\"self\":");
	strbuf_add_decimal(out, event->self, 0);
	strbuf_adds(out, "}}");
}

static void write_events(void *context, size_t part, const struct export_span_event *events, size_t count,
			 struct strbuf *text)
{
	struct chrome *chrome = context;
	struct repeated kept = { .place = STRBUF_INIT, .sums = STRBUF_INIT };

	for (size_t i = 0; i < count; i++) {
		const struct strbuf *name = name_of(chrome, part, events[i].function), *rest = &kept.sums;

		if (events[i].begins)
			rest = category_of(chrome, part, events[i].function);
		else
			set_sums(&kept, &events[i]);
		set_place(&kept, chrome, &events[i]);
		strbuf_add(text, kept.place.bytes, kept.place.size);
		strbuf_add(text, name->bytes, name->size);
		strbuf_add(text, rest->bytes, rest->size);
	}
	strbuf_fini(&kept.place);
	strbuf_fini(&kept.sums);
}

static void add_tracks(struct chrome *chrome)
{
	const struct export_span_sink sink = { export_parts_create(chrome->out), chrome, number_of,
					       write_events };
	struct export_tracks tracks;
	enum export_axis axis;

	export_tracks_init(&tracks, chrome->input);
	axis = export_axis_of(&tracks);
	if (axis == EXPORT_AXIS_WEIGHT && tracks.has_times &&
	    chrome->input->options->per != EXPORT_PER_PROCESS)
		axis = EXPORT_AXIS_SAMPLES;
	for (size_t t = 0; t < tracks.count; t++) {
		set_track(chrome, &tracks.items[t]);
		add_track_name(chrome, &tracks, t);
		(void)export_spans_walk(&tracks, t, axis, &sink);
	}
	export_tracks_fini(&tracks);
	export_parts_destroy(sink.parts);
}

static void write_chrome(const struct export_input *input, struct export_out *out)
{
	struct chrome chrome = { .input = input, .out = out };

	export_frames_init(&chrome.frames, input);
	for (size_t i = 0; i < EXPORT_PARTS_MOST; i++) {
		export_texts_init(&chrome.names[i]);
		export_texts_init(&chrome.categories[i]);
	}
	strbuf_init(&chrome.track);
	strbuf_init(&chrome.event);
	strbuf_adds(&out->text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	add_tracks(&chrome);
	strbuf_adds(&out->text, "],\n\"otherData\":{\"recording\":");
	web_text_add_clean_json(&out->text, input->view.facts->path ? input->view.facts->path : "");
	strbuf_adds(&out->text, ",\"event\":");
	web_text_add_clean_json(&out->text, export_samples_type(input, input->event));
	strbuf_adds(&out->text, "}}\n");
	for (size_t i = 0; i < EXPORT_PARTS_MOST; i++) {
		export_texts_fini(&chrome.names[i]);
		export_texts_fini(&chrome.categories[i]);
	}
	strbuf_fini(&chrome.track);
	strbuf_fini(&chrome.event);
	export_frames_fini(&chrome.frames);
}

const struct export_format export_chrome = {
	.name = "chrome",
	.help = "trace events, for Perfetto and chrome://tracing",
	.file = "profile.trace.json",
	.suffixes = ".trace.json",
	.traits = EXPORT_ONE_EVENT | EXPORT_TIMES | EXPORT_TRACKS,
	.write = write_chrome,
};
