/*
 * run_with_output() opens the file, and prints its raw header even if that fails; show_file() reads it. Events and features are
 * shown in two steps, before the records and after them, because a pipe can have some at its end.
 */
#include "report/dump/dump_run.h"

/* Reads a recording from its beginning to its end and prints what it finds, whatever state the file is in. */

#include <stdio.h>
#include <stdlib.h>

#include "cli/pager.h"
#include "format/perf_file.h"
#include "report/dump/dump_attr.h"
#include "report/dump/dump_feature.h"
#include "report/dump/dump_layout.h"
#include "report/dump/dump_out.h"
#include "report/dump/dump_record.h"
#include "report/dump/dump_summary.h"
#include "report/load/recording_file.h"

enum { FLUSH_BYTES = 1 << 16 };

struct dump {
	const struct dump_request *request;
	struct perf_file *file;
	struct dump_out out;
	struct dump_summary summary;
	uint64_t shown;
	size_t events_shown;
	uint64_t features_shown[4];
	bool reader_gone; /* of the output: nothing more is written */
};

static void flush(struct dump *dump)
{
	struct strbuf *text = &dump->out.text;

	if (!dump->reader_gone && fwrite(text->bytes, 1, text->size, stdout) != text->size)
		dump->reader_gone = true;
	strbuf_reset(text);
}

/* Shows the events that have become known since the last call: in a pipe they are records. */
static void show_events(struct dump *dump)
{
	for (; dump->events_shown < perf_file_event_count(dump->file); dump->events_shown++) {
		const struct event_desc *desc = perf_file_event(dump->file, dump->events_shown);

		dump_entry(&dump->out, "event", "event");
		dump_unsigned(&dump->out, "number", dump->events_shown);
		dump_string(&dump->out, "name", desc->name);
		dump_attr(&dump->out, &desc->attr);
		dump_list(&dump->out, "ids");
		for (size_t i = 0; i < desc->id_count; i++)
			dump_unsigned(&dump->out, NULL, desc->ids[i]);
		dump_list_end(&dump->out);
		dump_entry_end(&dump->out);
	}
}

static void show_features(struct dump *dump)
{
	const struct perf_features *features = perf_file_features(dump->file);

	for (unsigned int feature = 1; feature < HEADER_FEATURE_BITS; feature++) {
		const uint64_t bit = (uint64_t)1 << feature % 64;

		if (!(features->present[feature / 64] & bit) || dump->features_shown[feature / 64] & bit)
			continue;
		dump->features_shown[feature / 64] |= bit;
		(void)dump_feature(&dump->out, feature, perf_file_feature_bytes(dump->file, feature),
				   features, &(struct error){ 0 });
	}
}

static void show_header(struct dump *dump)
{
	show_events(dump);
	show_features(dump);
	flush(dump);
}

static bool is_wanted(const struct dump_request *request, const struct event *event)
{
	if (event->file_offset < request->offset_from || event->file_offset > request->offset_to)
		return false;
	for (unsigned int i = 0; i < request->type_count; i++)
		if (request->types[i] == event->type)
			return true;
	return request->type_count == 0;
}

/* Records are decoded even if they are not shown: the summary tells which are damaged. */
static void take_record(struct dump *dump, const struct event *event)
{
	const bool shown = dump->request->records && is_wanted(dump->request, event);
	struct error err;
	int result;

	dump_summary_count(&dump->summary, event);
	if (!shown && !dump->request->summary)
		return;
	result = shown ? dump_record(&dump->out, dump->file, event, dump->request->raw, &err) :
			 dump_record_check(&dump->out, dump->file, event, &err);
	if (result != 0)
		dump_summary_damage(&dump->summary, event, err.message);
	dump->shown += shown;
	if (dump->out.text.size >= FLUSH_BYTES)
		flush(dump);
}

/* No further record will be shown. */
static bool is_done(const struct dump *dump)
{
	const struct dump_request *request = dump->request;

	return dump->reader_gone || (request->limit && dump->shown >= request->limit);
}

static int take_records(struct dump *dump, struct error *err)
{
	struct event event;
	int result = 0;

	while (!is_done(dump) && (result = perf_file_next(dump->file, &event, err)) == 1)
		take_record(dump, &event);
	if (result == 1)
		result = 0;
	if (dump->request->limit && dump->shown >= dump->request->limit)
		dump->summary.limit = dump->request->limit;
	return result;
}

static int show_file(struct dump *dump, struct error *err)
{
	const struct dump_request *request = dump->request;
	const bool header_needs_records =
		perf_file_mode(dump->file) == PERF_FILE_PIPE || perf_file_damage(dump->file)->truncated;
	int result = 0;

	if (request->header)
		show_header(dump);
	if (request->records || request->summary || (request->header && header_needs_records))
		result = take_records(dump, err);
	if (request->header)
		show_header(dump);
	if (request->summary)
		dump_summary_write(&dump->out, &dump->summary, dump->file);
	flush(dump);
	return result;
}

/* Shows the header even of a file that cannot be opened. */
static int run_with_output(struct dump *dump, struct error *err)
{
	struct recording_file recording;
	struct dump_source source;
	int result = 0;

	dump_source_init(&source, dump->request->input);
	(void)recording_file_open(&recording, dump->request->input, err);
	dump->file = recording.file;
	if (recording.archive) {
		dump_source_fini(&source);
		dump_source_init_memory(&source, recording.image.bytes, recording.image.size);
	}
	if (dump->request->header || !dump->file)
		dump_layout(&dump->out, &source);
	flush(dump);
	dump_source_fini(&source);
	result = dump->file ? show_file(dump, err) : -1;
	recording_file_close(&recording);
	return result;
}

int dump_run(const struct dump_request *request, struct error *err)
{
	struct dump dump = { .request = request };
	struct color color = color_init(request->color, stdout);
	struct pager *pager;
	int result;

	dump_out_init(&dump.out, request->json, request->json ? (struct color){ false } : color);
	dump_summary_init(&dump.summary);
	pager = pager_start(request->pager);
	result = run_with_output(&dump, err);
	pager_finish(pager);
	dump_summary_fini(&dump.summary);
	dump_out_fini(&dump.out);
	return result;
}
