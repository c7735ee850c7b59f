/*
 * A marker has a name, a place on the time axis and data, whose type names a schema: how the viewer shows the fields. The tables have
 * a column for each (RawMarkerTable in the Firefox Profiler's src/types/profile.ts).
 */
#include "report/export/export_firefox_markers.h"

#include <inttypes.h>

#include "report/export/export_frames.h"
#include "text/web_text.h"

enum { PHASE_INSTANT = 0, PHASE_INTERVAL = 1 };

enum { NAME_LOST, NAME_OFF_CPU, NAME_WAIT };

const char *const export_firefox_marker_names[] = {
	[NAME_LOST] = "Lost records", [NAME_OFF_CPU] = "Off CPU", [NAME_WAIT] = "Wait", NULL
};

static const char schema[] =
	"[{\"name\":\"Lost\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"tooltipLabel\":\"{marker.data.records} records lost\",\"tableLabel\":\"{marker.data.records} records lost\","
	"\"description\":\"Up to this time a ring had no room for these records, samples among them. They may be of "
	"any thread of that CPU.\",\"fields\":["
	"{\"key\":\"records\",\"label\":\"Records\",\"format\":\"integer\"},"
	"{\"key\":\"cpu\",\"label\":\"CPU\",\"format\":\"string\"},"
	"{\"key\":\"thread\",\"label\":\"Thread that ran then\",\"format\":\"string\"}]},\n"
	"{\"name\":\"OffCPU\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"description\":\"The thread had no CPU, by the recorded switches.\",\"fields\":["
	"{\"key\":\"state\",\"label\":\"State\",\"format\":\"string\"},"
	"{\"key\":\"back\",\"label\":\"Back on a CPU\",\"format\":\"string\"},"
	"{\"key\":\"thread\",\"label\":\"Thread\",\"format\":\"string\"}]},\n"
	"{\"name\":\"Wait\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"tooltipLabel\":\"{marker.data.state}\",\"tableLabel\":\"{marker.data.state}\","
	"\"description\":\"A wait that was sampled. Short ones may be missing: the longer a wait, "
	"the more likely it was sampled.\",\"fields\":["
	"{\"key\":\"state\",\"label\":\"State\",\"format\":\"string\"},"
	"{\"key\":\"wait\",\"label\":\"Waited for\",\"format\":\"string\"},"
	"{\"key\":\"waker\",\"label\":\"Woken by\",\"format\":\"string\"},"
	"{\"key\":\"thread\",\"label\":\"Thread\",\"format\":\"string\"}]}]";

void export_firefox_markers_add_schema(struct strbuf *out)
{
	strbuf_adds(out, schema);
}

void export_firefox_add_ms(struct strbuf *out, uint64_t ns)
{
	strbuf_add_decimal(out, ns / 1000000, 0);
	strbuf_addc(out, '.');
	strbuf_add_decimal_zeros(out, ns % 1000000, 6);
}

static void add_text(struct strbuf *out, const struct mark_log *log, const char *key, uint32_t text)
{
	if (!text)
		return;
	strbuf_addf(out, ",\"%s\":", key);
	web_text_add_clean_json(out, mark_log_text(log, text));
}

static void add_data(struct strbuf *out, const struct mark_log *log, const struct export_mark *mark)
{
	const struct mark *of = mark->mark;

	switch (mark->kind) {
	case MARK_LOST:
		strbuf_addf(out, "{\"type\":\"Lost\",\"records\":%" PRIu64, of->count);
		if (of->cpu != PROFILE_NONE)
			strbuf_addf(out, ",\"cpu\":\"%" PRIu32 "\"", of->cpu);
		break;
	case MARK_WAIT:
		strbuf_adds(out, "{\"type\":\"Wait\"");
		add_text(out, log, "state", of->state);
		add_text(out, log, "wait", of->wait);
		add_text(out, log, "waker", of->waker);
		break;
	default:
		strbuf_adds(out, "{\"type\":\"OffCPU\"");
		add_text(out, log, "state", of->state);
		if (mark->is_open)
			strbuf_adds(out, ",\"back\":\"not recorded\"");
		break;
	}
	strbuf_addf(out, ",\"thread\":\"%" PRId32 "\"}", (int32_t)of->tid);
}

static int name_of(const struct export_mark *mark)
{
	return mark->kind == MARK_LOST ? NAME_LOST : mark->kind == MARK_WAIT ? NAME_WAIT : NAME_OFF_CPU;
}

static bool is_interval(const struct export_mark *mark)
{
	return mark->kind != MARK_LOST && !mark->is_open;
}

enum marker_column {
	MARKER_DATA,
	MARKER_NAME,
	MARKER_START,
	MARKER_END,
	MARKER_PHASE,
	MARKER_CATEGORY,
	MARKER_COLUMNS
};

static const char *const member_names[MARKER_COLUMNS] = { "data",    "name",  "startTime",
							  "endTime", "phase", "category" };

struct table {
	const struct mark_log *log;
	uint64_t zero_ns;
	size_t first_name;
};

static void add_cell(struct strbuf *out, const struct table *table, enum marker_column column,
		     const struct export_mark *mark)
{
	switch (column) {
	case MARKER_DATA: add_data(out, table->log, mark); break;
	case MARKER_NAME: strbuf_add_decimal(out, table->first_name + (size_t)name_of(mark), 0); break;
	case MARKER_START: export_firefox_add_ms(out, mark->begin_ns - table->zero_ns); break;
	case MARKER_END:
		if (is_interval(mark))
			export_firefox_add_ms(out, mark->end_ns - table->zero_ns);
		else
			strbuf_adds(out, "null");
		break;
	case MARKER_PHASE:
		strbuf_add_decimal(out, is_interval(mark) ? PHASE_INTERVAL : PHASE_INSTANT, 0);
		break;
	default: strbuf_addc(out, '0'); break;
	}
}

void export_firefox_markers_add(struct export_out *out, const struct export_marks *marks, uint32_t track,
				uint64_t zero_ns, size_t first_name)
{
	const struct table table = { marks->log, zero_ns, first_name };
	const size_t first = export_marks_of(marks, track), last = export_marks_of(marks, track + 1);

	strbuf_addc(&out->text, '{');
	for (int column = 0; column < MARKER_COLUMNS; column++) {
		strbuf_addf(&out->text, "\"%s\":[", member_names[column]);
		for (size_t i = first; i < last; i++) {
			if (i != first)
				strbuf_addc(&out->text, ',');
			add_cell(&out->text, &table, (enum marker_column)column, &marks->items[i]);
			export_out_flow(out);
		}
		strbuf_adds(&out->text, "],\n");
	}
	strbuf_addf(&out->text, "\"length\":%zu}", last - first);
}
