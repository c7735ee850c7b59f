/* Shows a recording of any bytes as xprof dump does; bits of the last byte: JSON or text, raw or not. */

#include "format/perf_file.h"
#include "report/dump/dump_attr.h"
#include "report/dump/dump_feature.h"
#include "report/dump/dump_record.h"
#include "report/dump/dump_summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void dump_records(struct dump_out *out, struct perf_file *file, bool raw)
{
	enum { RECORDS_MAX = 2000 }; /* a few compressed bytes can be many records */
	struct dump_summary summary;
	struct event event;
	struct error err;

	dump_summary_init(&summary);
	for (size_t i = 0; i < RECORDS_MAX && perf_file_next(file, &event, &err) == 1; i++) {
		dump_summary_count(&summary, &event);
		strbuf_reset(&out->text);
		if (dump_record(out, file, &event, raw, &err) != 0)
			dump_summary_damage(&summary, &event, err.message);
	}
	dump_summary_write(out, &summary, file);
	dump_summary_fini(&summary);
}

static void dump_header(struct dump_out *out, const struct perf_file *file)
{
	struct error err;

	for (unsigned int i = 1; i < HEADER_FEATURE_BITS; i++)
		if (perf_file_features(file)->present[i / 64] >> i % 64 & 1)
			(void)dump_feature(out, i, perf_file_feature_bytes(file, i), perf_file_features(file),
					   &err);
	for (size_t i = 0; i < perf_file_event_count(file); i++) {
		dump_entry(out, "event", "event");
		dump_attr(out, &perf_file_event(file, i)->attr);
		dump_entry_end(out);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct perf_file *file;
	struct dump_out out;
	struct error err;

	if (size == 0)
		return 0;
	file = perf_file_open_memory(bytes, size, "fuzz", &err);
	if (!file)
		return 0;
	dump_out_init(&out, bytes[size - 1] & 1, (struct color){ false });
	dump_records(&out, file, bytes[size - 1] & 2);
	strbuf_reset(&out.text);
	dump_header(&out, file);
	dump_out_fini(&out);
	perf_file_close(file);
	return 0;
}
