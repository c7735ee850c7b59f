/*
 * The processed profile format of the Firefox Profiler (its src/types/profile.ts), version 60: the first whose tables of stacks,
 * frames and functions are shared by all threads. Loaders upgrade older versions by themselves and refuse newer ones. The profile
 * has names and says so, so that the viewer asks no symbol server.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "build_options.h"
#include "report/export/export_firefox_markers.h"
#include "report/export/export_format.h"
#include "report/export/export_frames.h"
#include "report/export/export_samples.h"
#include "report/export/export_tracks.h"
#include "text/web_text.h"

enum { FORMAT_VERSION = 60 };

/* Numbers of the categories that add_meta() lists. */
enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_INLINED, CATEGORY_JIT };

struct firefox {
	const struct export_input *input;
	struct export_out *out;
	struct export_frames functions;
	struct export_tracks tracks;
	struct export_marks marks;
	size_t first_marker_name; /* in the table of strings */
	uint32_t *stack_of; /* by node of the profile's stacks: number in the table; PROFILE_NONE: not needed */
	uint32_t *frame_of; /* likewise, by location * 2, plus 1 for a guessed frame */
	uint32_t *frames;   /* a node for each frame */
	size_t frame_count;
	struct str_pool *strings;
	bool is_clock;    /* weights are nanoseconds */
	bool is_cpu_time; /* of time on a CPU */
};

/* --- arrays ------------------------------------------------------------------------------------------ */

/* Begins a column of a table. Call next() before each item. */
static void column(struct firefox *firefox, const char *name)
{
	strbuf_addf(&firefox->out->text, "\"%s\":[", name);
}

static struct strbuf *next(struct firefox *firefox, size_t number)
{
	export_out_flow(firefox->out);
	if (number)
		strbuf_addc(&firefox->out->text, ',');
	return &firefox->out->text;
}

static void end_column(struct firefox *firefox)
{
	strbuf_adds(&firefox->out->text, "],\n");
}

/* A column with the same item in each row. */
static void same_column(struct firefox *firefox, const char *name, const char *item, size_t count)
{
	column(firefox, name);
	for (size_t i = 0; i < count; i++)
		strbuf_adds(next(firefox, i), item);
	end_column(firefox);
}

static void end_table(struct firefox *firefox, size_t count)
{
	strbuf_addf(&firefox->out->text, "\"length\":%zu}", count);
}

/* --- tables that all threads share ----------------------------------------------------------------------- */

static const struct profile_location *location_of(const struct firefox *firefox, uint32_t node)
{
	const struct profile *profile = firefox->input->view.profile;

	return profile_location_at(profile, profile_stack_at(profile, node)->location);
}

static size_t frame_slot(const struct firefox *firefox, uint32_t node)
{
	const struct profile_stack *stack = profile_stack_at(firefox->input->view.profile, node);

	return (size_t)stack->location * 2 + (stack->origin == FRAME_GUESSED);
}

/* Marks the stacks of the chosen samples, and numbers them: callers first, as the profile has them. */
static void number_stacks(struct firefox *firefox)
{
	const struct profile *profile = firefox->input->view.profile;
	const uint32_t count = profile_stack_count(profile);
	const struct sample_log *log = firefox->input->log;
	bool *chosen = export_samples_chosen(firefox->input);
	uint32_t next_number = 0;

	firefox->stack_of = xmalloc(((size_t)count + 1) * sizeof(*firefox->stack_of));
	memset(firefox->stack_of, 0xff, ((size_t)count + 1) * sizeof(*firefox->stack_of));
	for (size_t i = 0; i < sample_log_count(log); i++) {
		const struct logged_sample *logged = sample_log_at(log, i);

		if (i % SAMPLE_LOG_STRIDE == 0)
			sample_log_release(log);
		for (uint32_t node = chosen[logged->sample] ? logged->stack : PROFILE_NONE;
		     node != PROFILE_NONE && firefox->stack_of[node] == PROFILE_NONE;
		     node = profile_stack_at(profile, node)->parent)
			firefox->stack_of[node] = 0;
	}
	for (uint32_t node = 0; node < count; node++)
		if (firefox->stack_of[node] != PROFILE_NONE)
			firefox->stack_of[node] = next_number++;
	free(chosen);
}

static void number_frames(struct firefox *firefox)
{
	const struct profile *profile = firefox->input->view.profile;
	const size_t slots = ((size_t)profile_location_count(profile) + 1) * 2;
	size_t capacity = 0;

	firefox->frame_of = xmalloc(slots * sizeof(*firefox->frame_of));
	memset(firefox->frame_of, 0xff, slots * sizeof(*firefox->frame_of));
	for (uint32_t node = 0; node < profile_stack_count(profile); node++) {
		uint32_t *number = &firefox->frame_of[frame_slot(firefox, node)];

		if (firefox->stack_of[node] == PROFILE_NONE || *number != PROFILE_NONE)
			continue;
		firefox->frames = array_grow(firefox->frames, &capacity, firefox->frame_count + 1,
					     sizeof(*firefox->frames));
		firefox->frames[firefox->frame_count] = node;
		*number = (uint32_t)firefox->frame_count++;
		(void)export_frames_number(&firefox->functions, node);
	}
}

static void add_stacks(struct firefox *firefox)
{
	const struct profile *profile = firefox->input->view.profile;
	size_t count = 0;

	strbuf_adds(&firefox->out->text, "\"stackTable\":{");
	column(firefox, "frame");
	for (uint32_t node = 0; node < profile_stack_count(profile); node++)
		if (firefox->stack_of[node] != PROFILE_NONE)
			strbuf_add_decimal(next(firefox, count++),
					   firefox->frame_of[frame_slot(firefox, node)], 0);
	end_column(firefox);
	count = 0;
	column(firefox, "prefix");
	for (uint32_t node = 0; node < profile_stack_count(profile); node++) {
		const uint32_t parent = profile_stack_at(profile, node)->parent;

		if (firefox->stack_of[node] == PROFILE_NONE)
			continue;
		if (parent == PROFILE_NONE)
			strbuf_adds(next(firefox, count++), "null");
		else
			strbuf_add_decimal(next(firefox, count++), firefox->stack_of[parent], 0);
	}
	end_column(firefox);
	end_table(firefox, count);
}

static enum category category_of(const struct firefox *firefox, uint32_t node)
{
	const struct view_input *view = &firefox->input->view;
	const struct frame *frame =
		&view->frames->frames[frame_table_of_stack(view->frames, view->profile, node)];

	return frame->inlined                                                   ? CATEGORY_INLINED :
	       frame->jit                                                       ? CATEGORY_JIT :
	       frame->mode == FRAME_KERNEL || frame->mode == FRAME_GUEST_KERNEL ? CATEGORY_KERNEL :
										  CATEGORY_USER;
}

/* Numbers of this format lose digits above 2^53; addresses of the kernel are of no use to the viewer anyway. */
static void add_address(struct strbuf *out, const struct profile_location *location)
{
	if (location->no_address || location->address >> 53)
		strbuf_adds(out, "-1");
	else
		strbuf_add_decimal(out, location->address, 0);
}

static void add_frames(struct firefox *firefox)
{
	const size_t count = firefox->frame_count;

	strbuf_adds(&firefox->out->text, ",\n\"frameTable\":{");
	column(firefox, "address");
	for (size_t i = 0; i < count; i++)
		add_address(next(firefox, i), location_of(firefox, firefox->frames[i]));
	end_column(firefox);
	column(firefox, "inlineDepth");
	for (size_t i = 0; i < count; i++)
		strbuf_add_decimal(next(firefox, i), location_of(firefox, firefox->frames[i])->inline_depth,
				   0);
	end_column(firefox);
	column(firefox, "category");
	for (size_t i = 0; i < count; i++)
		strbuf_add_decimal(next(firefox, i), category_of(firefox, firefox->frames[i]), 0);
	end_column(firefox);
	same_column(firefox, "subcategory", "0", count);
	column(firefox, "func");
	for (size_t i = 0; i < count; i++)
		strbuf_add_decimal(next(firefox, i),
				   export_frames_number(&firefox->functions, firefox->frames[i]), 0);
	end_column(firefox);
	same_column(firefox, "nativeSymbol", "null", count);
	same_column(firefox, "innerWindowID", "0", count);
	column(firefox, "line");
	for (size_t i = 0; i < count; i++) {
		const uint32_t line = location_of(firefox, firefox->frames[i])->line;

		if (line)
			strbuf_add_decimal(next(firefox, i), line, 0);
		else
			strbuf_adds(next(firefox, i), "null");
	}
	end_column(firefox);
	same_column(firefox, "column", "null", count);
	end_table(firefox, count);
}

/* Strings: names of functions in their order, then of DSOs in theirs, then source files. */
static void add_functions(struct firefox *firefox, size_t dso_count)
{
	const size_t count = firefox->functions.count;

	strbuf_adds(&firefox->out->text, ",\n\"funcTable\":{");
	column(firefox, "name");
	for (size_t i = 0; i < count; i++)
		strbuf_add_decimal(next(firefox, i), i, 0);
	end_column(firefox);
	same_column(firefox, "isJS", "false", count);
	same_column(firefox, "relevantForJS", "false", count);
	column(firefox, "resource");
	for (size_t i = 0; i < count; i++) {
		const uint32_t dso = location_of(firefox, firefox->functions.nodes[i])->dso;

		strbuf_addf(next(firefox, i), "%" PRId64, dso == PROFILE_NONE ? -1 : (int64_t)dso);
	}
	end_column(firefox);
	column(firefox, "source");
	for (size_t i = 0; i < count; i++) {
		const uint32_t file = location_of(firefox, firefox->functions.nodes[i])->file;

		if (file)
			strbuf_add_decimal(next(firefox, i),
					   str_pool_add(firefox->strings,
							profile_text(firefox->input->view.profile, file)) -
						   1,
					   0);
		else
			strbuf_adds(next(firefox, i), "null");
	}
	end_column(firefox);
	same_column(firefox, "lineNumber", "null", count);
	same_column(firefox, "columnNumber", "null", count);
	end_table(firefox, count);

	strbuf_adds(&firefox->out->text, ",\n\"sources\":{");
	same_column(firefox, "id", "null", str_pool_count(firefox->strings) - 1);
	column(firefox, "filename");
	for (size_t i = 0; i + 1 < str_pool_count(firefox->strings); i++)
		strbuf_add_decimal(next(firefox, i), count + dso_count + i, 0);
	end_column(firefox);
	end_table(firefox, str_pool_count(firefox->strings) - 1);
}

static void add_resources(struct firefox *firefox, size_t dso_count)
{
	strbuf_adds(&firefox->out->text, ",\n\"resourceTable\":{");
	column(firefox, "lib");
	for (size_t i = 0; i < dso_count; i++)
		strbuf_add_decimal(next(firefox, i), i, 0);
	end_column(firefox);
	column(firefox, "name");
	for (size_t i = 0; i < dso_count; i++)
		strbuf_add_decimal(next(firefox, i), firefox->functions.count + i, 0);
	end_column(firefox);
	same_column(firefox, "host", "null", dso_count);
	same_column(firefox, "type", "1", dso_count);
	end_table(firefox, dso_count);
	strbuf_adds(&firefox->out->text, ",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
					 "\"functionSize\":[],\"length\":0}");
}

static void add_strings(struct firefox *firefox, size_t dso_count)
{
	const struct profile *profile = firefox->input->view.profile;
	size_t count = 0;

	strbuf_adds(&firefox->out->text, ",\n\"stringArray\":[");
	for (uint32_t i = 0; i < firefox->functions.count; i++)
		export_frames_add_name(next(firefox, count++), &firefox->functions, i);
	for (uint32_t i = 0; i < dso_count; i++)
		web_text_add_clean_json(next(firefox, count++),
					profile_text(profile, profile_dso_at(profile, i)->name));
	for (uint32_t i = 1; i < str_pool_count(firefox->strings); i++)
		web_text_add_clean_json(next(firefox, count++), str_pool_text(firefox->strings, i));
	firefox->first_marker_name = count;
	for (const char *const *name = export_firefox_marker_names; *name; name++)
		web_text_add_clean_json(next(firefox, count++), *name);
	strbuf_adds(&firefox->out->text, "]");
}

static void add_shared(struct firefox *firefox)
{
	const size_t dso_count = profile_dso_count(firefox->input->view.profile);

	strbuf_adds(&firefox->out->text, ",\n\"shared\":{");
	add_stacks(firefox);
	add_frames(firefox);
	add_functions(firefox, dso_count);
	add_resources(firefox, dso_count);
	add_strings(firefox, dso_count);
	strbuf_adds(&firefox->out->text, "}");
}

static void add_libs(struct firefox *firefox)
{
	const struct profile *profile = firefox->input->view.profile;

	strbuf_adds(&firefox->out->text, ",\n\"libs\":[");
	for (uint32_t i = 0; i < profile_dso_count(profile); i++) {
		const struct profile_dso *dso = profile_dso_at(profile, i);
		struct strbuf *out = next(firefox, i);

		strbuf_adds(out, "{\"arch\":\"\",\"name\":");
		web_text_add_clean_json(out, profile_text(profile, dso->name));
		strbuf_adds(out, ",\"path\":");
		web_text_add_clean_json(out, profile_text(profile, dso->path));
		strbuf_adds(out, ",\"debugName\":");
		web_text_add_clean_json(out, profile_text(profile, dso->name));
		strbuf_adds(out, ",\"debugPath\":");
		web_text_add_clean_json(out, profile_text(profile, dso->path));
		strbuf_adds(out, ",\"breakpadId\":\"\",\"codeId\":");
		web_text_add_clean_json(out, profile_text(profile, dso->build_id));
		strbuf_addc(out, '}');
	}
	strbuf_adds(&firefox->out->text, "]");
}

/* --- threads ----------------------------------------------------------------------------------------- */

static void add_times(struct firefox *firefox, size_t track)
{
	uint64_t sum = 0;

	column(firefox, "time");
	for (size_t i = 0; i < firefox->tracks.items[track].count; i++) {
		const struct logged_sample *sample = export_tracks_sample(&firefox->tracks, track, i);

		/* Without times, samples follow one another, each as long as its weight. */
		sum += sample->weight;
		export_firefox_add_ms(next(firefox, i), firefox->tracks.has_times ?
								sample->time_ns - firefox->tracks.first_ns :
								sum);
	}
	end_column(firefox);
}

static void add_samples(struct firefox *firefox, size_t track)
{
	const size_t count = firefox->tracks.items[track].count;

	strbuf_adds(&firefox->out->text, "\"samples\":{");
	column(firefox, "stack");
	for (size_t i = 0; i < count; i++) {
		const uint32_t stack = export_tracks_sample(&firefox->tracks, track, i)->stack;

		if (stack == PROFILE_NONE)
			strbuf_adds(next(firefox, i), "null");
		else
			strbuf_add_decimal(next(firefox, i), firefox->stack_of[stack], 0);
	}
	end_column(firefox);
	add_times(firefox, track);
	for (int cpu = 0; cpu <= firefox->is_cpu_time; cpu++) {
		column(firefox, cpu ? "threadCPUDelta" : "weight");
		for (size_t i = 0; i < count; i++) {
			const uint64_t weight = export_tracks_sample(&firefox->tracks, track, i)->weight;

			if (firefox->is_clock && !cpu)
				export_firefox_add_ms(next(firefox, i), weight);
			else
				strbuf_add_decimal(next(firefox, i), weight, 0);
		}
		end_column(firefox);
	}
	strbuf_addf(&firefox->out->text, "\"weightType\":\"%s\",",
		    firefox->is_clock ? "tracing-ms" :
		    strcmp(export_samples_unit(firefox->input, firefox->input->event), "bytes") ? "samples" :
												  "bytes");
	end_table(firefox, count);
}

static void add_thread(struct firefox *firefox, size_t track)
{
	const struct export_track *of = &firefox->tracks.items[track];
	struct strbuf *out = next(firefox, track), name;

	strbuf_init(&name);
	export_track_add_name(&name, &firefox->tracks, track);
	strbuf_adds(out,
		    "\n{\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
		    "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\"name\":");
	web_text_add_clean_json(out, name.bytes);
	strbuf_adds(out, ",\"processName\":");
	web_text_add_clean_json(
		out, of->pid == PROFILE_NONE ? "CPUs" : profile_text(firefox->input->view.profile, of->comm));
	strbuf_addf(out, ",\"isMainThread\":%s,\"pid\":\"%" PRId32 "\",\"tid\":%zu,\n\"markers\":",
		    of->pid == of->tid || of->tid == PROFILE_NONE ? "true" : "false",
		    of->pid == PROFILE_NONE ? 0 : (int32_t)of->pid,
		    of->tid == PROFILE_NONE || of->tid == 0 ? track : (size_t)of->tid);
	strbuf_fini(&name);
	export_firefox_markers_add(firefox->out, &firefox->marks, (uint32_t)track, firefox->tracks.first_ns,
				   firefox->first_marker_name);
	strbuf_adds(&firefox->out->text, ",\n");
	add_samples(firefox, track);
	strbuf_adds(&firefox->out->text, "}");
}

static void add_meta(struct firefox *firefox)
{
	const struct export_input *input = firefox->input;
	const struct profile_facts *facts = input->view.facts;
	const uint64_t period = export_samples_period(input, input->event);
	struct strbuf *out = &firefox->out->text;

	strbuf_addf(out,
		    "{\"meta\":{\"version\":30,\"preprocessedProfileVersion\":%d,\"interval\":%g,"
		    "\"startTime\":0,\"processType\":0,\"stackwalk\":1,\"debug\":0,\"symbolicated\":true,"
		    "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},"
		    "\"categories\":["
		    "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
		    "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
		    "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
		    "{\"name\":\"Inlined\",\"color\":\"lightblue\",\"subcategories\":[\"Other\"]},"
		    "{\"name\":\"JIT\",\"color\":\"green\",\"subcategories\":[\"Other\"]}],"
		    "\"extensions\":{\"id\":[],\"name\":[],\"baseURL\":[],\"length\":0},"
		    "\"importedFrom\":\"xprof " XPROF_VERSION "\",\"product\":",
		    FORMAT_VERSION, period && firefox->is_clock ? (double)period / 1e6 : 1.0);
	web_text_add_clean_json(out, facts->path ? facts->path : "");
	strbuf_adds(out, ",\"platform\":");
	web_text_add_clean_json(out, facts->hostname ? facts->hostname : "");
	strbuf_adds(out, ",\"oscpu\":");
	web_text_add_clean_json(out, facts->os_release ? facts->os_release : "");
	strbuf_adds(out, ",\"CPUName\":");
	web_text_add_clean_json(out, facts->cpu_description ? facts->cpu_description : "");
	strbuf_addf(out, ",\"logicalCPUs\":%" PRIu32 ",\"markerSchema\":", facts->cpus_online);
	export_firefox_markers_add_schema(out);
	strbuf_addc(out, '}');
}

static void write_firefox(const struct export_input *input, struct export_out *out)
{
	struct firefox firefox = { .input = input, .out = out, .strings = str_pool_create() };

	firefox.is_clock = strcmp(export_samples_unit(input, input->event), "nanoseconds") == 0;
	firefox.is_cpu_time =
		firefox.is_clock && strcmp(export_samples_type(input, input->event), "cpu") == 0;
	export_frames_init(&firefox.functions, input);
	export_tracks_init(&firefox.tracks, input);
	export_marks_init(&firefox.marks, &firefox.tracks);
	if (firefox.marks.first_ns < firefox.tracks.first_ns)
		firefox.tracks.first_ns = firefox.marks.first_ns;
	number_stacks(&firefox);
	number_frames(&firefox);
	add_meta(&firefox);
	add_libs(&firefox);
	add_shared(&firefox);
	strbuf_adds(&out->text, ",\n\"threads\":[");
	for (size_t t = 0; t < firefox.tracks.count; t++)
		add_thread(&firefox, t);
	strbuf_adds(&out->text, "]}\n");
	free(firefox.stack_of);
	free(firefox.frame_of);
	free(firefox.frames);
	str_pool_destroy(firefox.strings);
	export_marks_fini(&firefox.marks);
	export_tracks_fini(&firefox.tracks);
	export_frames_fini(&firefox.functions);
}

const struct export_format export_firefox = {
	.name = "firefox",
	.help = "for the Firefox Profiler: threads over time, with all names",
	.file = "profile.firefox.json.gz",
	.suffixes = ".firefox.json.gz",
	.traits = EXPORT_ONE_EVENT | EXPORT_TIMES | EXPORT_LINES | EXPORT_TRACKS | EXPORT_GZIP | EXPORT_MARKS,
	.write = write_firefox,
};
