/*
 * take_record() sorts the records: those that describe the container go into the new header, the others are appended. As a rule
 * the output begins with the first record of the kernel (begin()); records before that wait in `early`. If samples get new
 * chains, the kernel's records pass through the sample_stream, which puts them in order of time.
 */
#include "report/convert/conversion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/plain_sample.h"
#include "format/record_header.h"
#include "format/sample.h"
#include "format/write/perf_writer.h"
#include "report/convert/moved_traces.h"
#include "report/load/recording_file.h"
#include "report/load/sample_stream.h"
#include "report/load/unwound_chains.h"

enum {
	PROGRESS_RECORDS = 1 << 16,
	ATTR_SIZE_COMMON = 128,  /* PERF_ATTR_SIZE_VER7: what perf up to 6.4 accepts */
	MAX_RECORD = UINT16_MAX, /* header.size */
	SPLIT_PIECE = MAX_RECORD - PERF_RECORD_HEADER_SIZE,
	/* Records about the events come first; more than this of others before the kernel's first means damage. */
	EARLY_MAX_BYTES = 64 * 1024 * 1024,
};

struct conversion {
	const struct conversion_options *options;
	struct conversion_counts *counts;
	struct perf_file *in;
	struct perf_writer *out;
	bool swap, to_pipe;
	bool begun;
	bool build_ids_in_table; /* the input's feature table has them: records only repeat them */
	struct strbuf build_ids; /* otherwise those of records, as entries of the section */
	struct strbuf early;     /* records that are copied, but came before the output could begin */
	struct strbuf record;    /* one that is being made */
	struct missing_build_ids *missing;
	struct moved_traces traces;
	struct sample_stream *stream;
	struct unwound_chains *unwound; /* samples get whole chains; NULL: they keep those they have */
	bool defers;                    /* samples may be written late, so no round is finished */
};

static bool has_bit(const uint64_t *bits, unsigned int feature)
{
	return bits[feature / 64] >> feature % 64 & 1;
}

/* --- features ------------------------------------------------------------------ */

/* HEADER_EVENT_DESC: u32 nr, u32 attr_size, { attr, u32 nr_ids, string, u64 ids[] }[nr]; changes the attrs. */
static void make_event_desc_plain(char *bytes, size_t size, bool swap, bool with_chains)
{
	struct byte_reader r = byte_reader_over(bytes, size, swap);
	uint32_t count = byte_reader_u32(&r), attr_size = byte_reader_u32(&r);

	for (uint32_t i = 0; i < count && byte_reader_ok(&r); i++) {
		size_t offset = size - byte_reader_left(&r);
		uint32_t id_count;

		byte_reader_skip(&r, attr_size);
		id_count = byte_reader_u32(&r);
		byte_reader_skip(&r, byte_reader_u32(&r));
		byte_reader_skip(&r, (size_t)id_count * sizeof(uint64_t));
		if (byte_reader_ok(&r))
			plain_sample_attr((uint8_t *)bytes + offset, attr_size, swap, with_chains);
	}
}

static void copy_feature(struct conversion *conversion, unsigned int feature)
{
	struct byte_reader bytes = perf_file_feature_bytes(conversion->in, feature);
	struct strbuf copy = STRBUF_INIT;

	strbuf_add(&copy, bytes.next, byte_reader_left(&bytes));
	if (feature == HEADER_EVENT_DESC && conversion->options->plain_samples)
		make_event_desc_plain(copy.bytes, copy.size, conversion->swap, conversion->unwound != NULL);
	if (feature == HEADER_AUXTRACE) {
		strbuf_reset(&copy);
		moved_traces_add_index(&conversion->traces, &copy, conversion->swap);
	}
	perf_writer_set_feature(conversion->out, feature, copy.bytes, copy.size);
	strbuf_fini(&copy);
}

/* Features that say how the input was stored do not describe the output; INIT_MAP's records go among the others. */
static bool describes_container(unsigned int feature)
{
	return feature == HEADER_COMPRESSED || feature == HEADER_DIR_FORMAT ||
	       feature == HEADER_SIMPLEPERF_INIT_MAP;
}

/* Can a pipe have it? BUILD_ID, TRACING_DATA and EVENT_DESC have records of their own there. */
static bool has_place_in_pipe(unsigned int feature, size_t size)
{
	return feature == HEADER_BUILD_ID || feature == HEADER_TRACING_DATA || feature == HEADER_EVENT_DESC ||
	       feature_fits_record(feature, size);
}

static void leave_feature_out(struct conversion *conversion, unsigned int feature)
{
	/* Only a seekable file has an index of traces. */
	if (feature != HEADER_AUXTRACE)
		conversion->counts->left_out_features[feature / 64] |= (uint64_t)1 << feature % 64;
}

/* Copies the features that are known by now. */
static void copy_features(struct conversion *conversion)
{
	const struct perf_features *features = perf_file_features(conversion->in);

	for (unsigned int feature = 1; feature < HEADER_FEATURE_BITS; feature++) {
		struct byte_reader bytes = perf_file_feature_bytes(conversion->in, feature);

		if (!has_bit(features->present, feature) || describes_container(feature) ||
		    (feature == HEADER_BUILD_ID && !conversion->build_ids_in_table))
			continue;
		if (conversion->to_pipe && !has_place_in_pipe(feature, byte_reader_left(&bytes)))
			leave_feature_out(conversion, feature);
		else
			copy_feature(conversion, feature);
	}
	if (conversion->build_ids.size)
		perf_writer_set_feature(conversion->out, HEADER_BUILD_ID, conversion->build_ids.bytes,
					conversion->build_ids.size);
}

/* --- beginning ----------------------------------------------------------------- */

static bool all_zero(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/*
 * Zeros after the fields that perf 6.1 knows mean nothing, but keep it from opening a file. For even older readers, any fields
 * there are cut.
 */
static size_t attr_size_to_write(struct conversion *conversion, const uint8_t *attr, size_t size)
{
	if (size <= ATTR_SIZE_COMMON)
		return size;
	if (all_zero(attr + ATTR_SIZE_COMMON, size - ATTR_SIZE_COMMON))
		return ATTR_SIZE_COMMON;
	conversion->counts->cut_attrs += conversion->options->plain_samples;
	return conversion->options->plain_samples ? (size_t)ATTR_SIZE_COMMON : size;
}

/* A copy of the attr as it will be written. */
static uint8_t *make_attr(struct conversion *conversion, const struct event_desc *desc, size_t *size)
{
	uint8_t *attr = xmalloc(desc->attr_size);

	memcpy(attr, desc->attr_bytes, desc->attr_size);
	if (conversion->options->plain_samples)
		plain_sample_attr(attr, desc->attr_size, conversion->swap, conversion->unwound != NULL);
	*size = attr_size_to_write(conversion, attr, desc->attr_size);
	return attr;
}

static int begin_events(struct conversion *conversion, struct error *err)
{
	size_t count = perf_file_event_count(conversion->in);
	struct written_event *events = xcalloc(count, sizeof(*events));
	uint8_t **attrs = xcalloc(count, sizeof(*attrs));
	int result;

	for (size_t i = 0; i < count; i++) {
		const struct event_desc *desc = perf_file_event(conversion->in, i);

		attrs[i] = make_attr(conversion, desc, &events[i].attr_size);
		events[i].attr_bytes = attrs[i];
		events[i].name = desc->name;
		events[i].ids = desc->ids;
		events[i].id_count = desc->id_count;
	}
	result = perf_writer_begin(conversion->out, events, count, err);
	for (size_t i = 0; i < count; i++)
		free(attrs[i]);
	free(attrs);
	free(events);
	return result;
}

static unsigned int level_to_write(const struct conversion *conversion)
{
	const struct perf_features *features = perf_file_features(conversion->in);

	if (conversion->options->compression_level >= 0)
		return (unsigned int)conversion->options->compression_level;
	if (!has_bit(features->present, HEADER_COMPRESSED))
		return 0;
	/* The level that the input states may be damaged. */
	return features->compression_level >= 1 && features->compression_level <= COMPRESS_LEVEL_MAX ?
		       features->compression_level :
		       COMPRESS_LEVEL_DEFAULT;
}

static bool wants_chains(const struct perf_attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_STACK_USER || perf_attr_has(attr, PERF_ATTR_DEFER_CALLCHAIN);
}

static void begin_chains(struct conversion *conversion)
{
	bool wanted = false;

	for (size_t i = 0; i < perf_file_event_count(conversion->in); i++) {
		const struct perf_attr *attr = &perf_file_event(conversion->in, i)->attr;

		wanted |= wants_chains(attr);
		conversion->defers |= perf_attr_has(attr, PERF_ATTR_DEFER_CALLCHAIN);
	}
	if (wanted && conversion->options->plain_samples)
		conversion->unwound = unwound_chains_create(conversion->in, conversion->options->archive);
}

/* Opens the output. Call when everything that comes before its data is known. */
static int begin(struct conversion *conversion, struct error *err)
{
	const char *output = conversion->options->output;
	struct stat st;
	struct perf_writer_options options = { .compression_level = level_to_write(conversion),
					       .swap = conversion->swap,
					       .verbatim = true };

	if (perf_file_event_count(conversion->in) == 0)
		return error_set(err, "%s: no event is described in it, so there is nothing to convert",
				 perf_file_path(conversion->in));
	conversion->to_pipe = strcmp(output, "-") == 0 ||
			      (stat(output, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
	conversion->out = perf_writer_create_temporary(output, err);
	if (!conversion->out || perf_writer_configure(conversion->out, &options, err) != 0)
		return -1;
	begin_chains(conversion);
	copy_features(conversion);
	if (begin_events(conversion, err) != 0)
		return -1;
	conversion->begun = true;
	conversion->counts->compression_level = options.compression_level;
	return perf_writer_append(conversion->out, conversion->early.bytes, conversion->early.size, err);
}

/* --- records ------------------------------------------------------------------- */

/* Simpleperf's records of 64 KiB and more have the upper half of their size in misc. */
static void add_record(struct strbuf *out, const struct event *event)
{
	const bool large = event->size > MAX_RECORD;

	record_header_add(out, event->type, large ? (uint16_t)(event->size >> 16) : event->misc, event->size,
			  event->swap);
	strbuf_add(out, event->payload, event->payload_size);
}

/* Writes a record that is too large for header.size in pieces, as simpleperf does; see split_record.c. */
static void add_split_record(struct strbuf *out, const struct event *event)
{
	struct event piece = { .type = SIMPLEPERF_RECORD_SPLIT, .swap = event->swap };
	struct strbuf whole = STRBUF_INIT;

	add_record(&whole, event);
	for (size_t done = 0; done < whole.size; done += piece.payload_size) {
		piece.payload = (const uint8_t *)whole.bytes + done;
		piece.payload_size = whole.size - done < SPLIT_PIECE ? whole.size - done : SPLIT_PIECE;
		piece.size = (uint32_t)(PERF_RECORD_HEADER_SIZE + piece.payload_size);
		add_record(out, &piece);
	}
	add_record(out, &(struct event){ .type = SIMPLEPERF_RECORD_SPLIT_END,
					 .size = PERF_RECORD_HEADER_SIZE,
					 .payload = event->payload,
					 .swap = event->swap });
	strbuf_fini(&whole);
}

static int append(struct conversion *conversion, const struct event *event, struct error *err)
{
	struct strbuf *record = &conversion->record;

	strbuf_reset(record);
	if (event->size > MAX_RECORD)
		add_split_record(record, event);
	else
		add_record(record, event);
	conversion->counts->records++;
	if (!conversion->begun) {
		strbuf_add(&conversion->early, record->bytes, record->size);
		return 0;
	}
	return perf_writer_append(conversion->out, record->bytes, record->size, err);
}

/* The trace ended early: corrects its size, the first field of its record, to what was copied. */
static int correct_trace_size(struct conversion *conversion, uint64_t file_offset, uint64_t copied,
			      struct error *err)
{
	struct strbuf size = STRBUF_INIT;
	int result;

	if (conversion->to_pipe)
		return 0; /* already written; the pipe ends inside the trace, as its source did */
	strbuf_add_u64(&size, copied, conversion->swap);
	result = perf_writer_overwrite(conversion->out, file_offset + PERF_RECORD_HEADER_SIZE, size.bytes,
				       size.size, err);
	strbuf_fini(&size);
	return result;
}

/* Copies AUXTRACE and the trace after it, and notes its new place for the index. */
static int append_trace(struct conversion *conversion, const struct event *event, struct error *err)
{
	const uint64_t announced = perf_file_payload_bytes(conversion->in);
	uint64_t file_offset, copied = 0;
	const uint8_t *piece;
	size_t size;
	int more;

	if (perf_writer_file_offset(conversion->out, &file_offset, err) != 0)
		return -1;
	strbuf_reset(&conversion->record);
	add_record(&conversion->record, event);
	conversion->counts->records++;
	if (perf_writer_append_plain(conversion->out, conversion->record.bytes, conversion->record.size, err))
		return -1;
	while ((more = perf_file_next_payload(conversion->in, &piece, &size, err)) == 1) {
		copied += size;
		if (perf_writer_append_plain(conversion->out, piece, size, err) != 0)
			return -1;
	}
	moved_traces_note(&conversion->traces, file_offset, event->size + copied);
	if (more == 0 && copied < announced)
		return correct_trace_size(conversion, file_offset, copied, err);
	return more;
}

static void note_damaged_sample(struct perf_file_damage *counts, const struct event *event,
				const struct error *err)
{
	counts->skipped_bytes += event->size;
	if (counts->skipped_records++ > 0)
		return;
	counts->first_offset = event->file_offset;
	snprintf(counts->first_reason, sizeof(counts->first_reason), "%.*s",
		 (int)sizeof(counts->first_reason) - 1, err->message);
}

/* `chain` NULL: keeps the recorded one. */
static int append_plain(struct conversion *conversion, const struct event *event,
			const struct perf_attr *attr, const struct plain_chain *chain, struct error *err)
{
	struct strbuf *record = &conversion->record;
	struct error damage;

	strbuf_reset(record);
	if (plain_sample_append(record, event, attr, chain, &damage) != 0) {
		note_damaged_sample(&conversion->counts->damage, event, &damage);
		return 0;
	}
	conversion->counts->records++;
	if (plain_sample_changes(attr)) {
		conversion->counts->plain_samples++;
		conversion->counts->plain_bytes +=
			event->size > record->size ? event->size - record->size : 0;
	}
	return perf_writer_append(conversion->out, record->bytes, record->size, err);
}

static int append_sample(struct conversion *conversion, const struct event *event, struct error *err)
{
	const struct event_desc *desc =
		perf_file_event(conversion->in, perf_file_event_of(conversion->in, event));

	conversion->counts->samples++;
	/* A sample of an unknown event is copied unchanged. */
	if (!conversion->options->plain_samples || !desc || !plain_sample_changes(&desc->attr))
		return append(conversion, event, err);
	return append_plain(conversion, event, &desc->attr, NULL, err);
}

/* --- samples that get whole chains ------------------------------------------------- */

/* Leaves damaged samples to append_sample(), too. */
static int append_streamed(struct conversion *conversion, const struct stream_sample *streamed,
			   struct error *err)
{
	struct conversion_counts *counts = conversion->counts;
	struct unwound_chain made;

	if (!streamed->is_readable || !wants_chains(&streamed->desc->attr))
		return append_sample(conversion, &streamed->record, err);
	made = unwound_chains_make(conversion->unwound, &streamed->sample, streamed->time_ns);
	counts->samples++;
	counts->unwound_samples += made.is_unwound;
	counts->joined_samples += streamed->is_joined;
	return append_plain(conversion, &streamed->record, &streamed->desc->attr,
			    &(struct plain_chain){ .words = made.words, .count = made.count }, err);
}

/* Called between samples, in order of time. */
static int record_happened(void *context, const struct event *event, uint64_t time_ns, struct error *err)
{
	struct conversion *conversion = context;

	if (event->type == PERF_RECORD_FINISHED_ROUND)
		return conversion->defers ? 0 : append(conversion, event, err);
	unwound_chains_apply(conversion->unwound, event, time_ns);
	return append(conversion, event, err);
}

/* --- records of the container ------------------------------------------------------- */

/* HEADER_BUILD_ID becomes an entry of the BUILD_ID section, which is the same but for its type. */
static void keep_build_id(struct conversion *conversion, const struct event *event)
{
	struct event entry = *event;

	entry.type = 0;
	if (!conversion->build_ids_in_table)
		add_record(&conversion->build_ids, &entry);
}

/*
 * Records with what a file has in its header and feature table. Before the output begins, their content comes from the reader,
 * which has decoded them; later, a file still gets it in its feature table, a pipe as records.
 */
static int take_container_record(struct conversion *conversion, const struct event *event, struct error *err)
{
	const bool as_record = conversion->begun && conversion->to_pipe;

	switch (event->type) {
	case PERF_RECORD_HEADER_BUILD_ID:
		keep_build_id(conversion, event);
		return as_record && !conversion->build_ids_in_table ? append(conversion, event, err) : 0;
	case PERF_RECORD_HEADER_FEATURE:
		return as_record && perf_file_mode(conversion->in) == PERF_FILE_PIPE ?
			       append(conversion, event, err) :
			       0;
	case PERF_RECORD_HEADER_ATTR:
		conversion->counts->left_out_records +=
			conversion->begun && perf_file_mode(conversion->in) == PERF_FILE_PIPE;
		return 0;
	default: /* HEADER_TRACING_DATA */ conversion->counts->left_out_records += as_record; return 0;
	}
}

static bool is_container_record(uint32_t type)
{
	return type == PERF_RECORD_HEADER_ATTR || type == PERF_RECORD_HEADER_FEATURE ||
	       type == PERF_RECORD_HEADER_BUILD_ID || type == PERF_RECORD_HEADER_TRACING_DATA;
}

/* In a pipe a build-id has to come before the mapping; in a file all of them go into the table. */
static int add_missing_build_id(struct conversion *conversion, const struct event *event, struct error *err)
{
	struct written_build_id found;
	struct strbuf record = STRBUF_INIT;
	int result;

	if (!conversion->missing || !missing_build_ids_look(conversion->missing, event, &found))
		return 0;
	if (!conversion->to_pipe) {
		perf_writer_add_build_id(conversion->out, found.path, found.misc, found.build_id,
					 found.build_id_size);
		return 0;
	}
	feature_add_build_id(&record, PERF_RECORD_HEADER_BUILD_ID, &found, conversion->swap);
	result = perf_writer_append(conversion->out, record.bytes, record.size, err);
	strbuf_fini(&record);
	return result;
}

static bool is_streamed(const struct conversion *conversion, const struct event *event)
{
	return conversion->unwound &&
	       (event->type < PERF_RECORD_USER_TYPE_START || event->type == PERF_RECORD_FINISHED_ROUND);
}

static int take_record(struct conversion *conversion, const struct event *event, struct error *err)
{
	const bool of_kernel = event->type < PERF_RECORD_USER_TYPE_START;

	if (is_container_record(event->type))
		return take_container_record(conversion, event, err);
	if (!conversion->begun &&
	    (of_kernel || event->type == PERF_RECORD_AUXTRACE || conversion->early.size > EARLY_MAX_BYTES) &&
	    begin(conversion, err) != 0)
		return -1;
	if (add_missing_build_id(conversion, event, err) != 0)
		return -1;
	if (event->type == PERF_RECORD_AUXTRACE)
		return append_trace(conversion, event, err);
	if (is_streamed(conversion, event))
		return 0;
	if (event->type == PERF_RECORD_SAMPLE)
		return append_sample(conversion, event, err);
	return append(conversion, event, err);
}

static void show_progress(const struct conversion *conversion)
{
	const struct conversion_options *options = conversion->options;

	if (options->progress && conversion->counts->records % PROGRESS_RECORDS == 0)
		options->progress(perf_file_percent(conversion->in), conversion->counts->records,
				  options->progress_context);
}

static enum stream_way see_record(void *context, const struct event *event, uint64_t number,
				  struct error *err)
{
	struct conversion *conversion = context;

	(void)number;
	if (take_record(conversion, event, err) != 0)
		return STREAM_FAILED;
	if (event->compressed_size)
		conversion->counts->was_compressed = true;
	show_progress(conversion);
	return is_streamed(conversion, event) ? STREAM_HOLD : STREAM_DONE;
}

static int take_records(struct conversion *conversion, struct error *err)
{
	const struct stream_sample *sample;
	int more;

	while ((more = sample_stream_next(conversion->stream, &sample, err)) == 1)
		if (append_streamed(conversion, sample, err) != 0)
			return -1;
	return more;
}

/* --- the whole ------------------------------------------------------------------- */

static void take_totals(struct conversion *conversion)
{
	struct conversion_counts *counts = conversion->counts;
	const struct perf_file_damage *damage = perf_file_damage(conversion->in);

	counts->input_bytes = perf_file_size_bytes(conversion->in);
	counts->output_bytes = perf_writer_data_bytes(conversion->out);
	counts->compression = perf_writer_compression(conversion->out);
	counts->damage.skipped_records += damage->skipped_records;
	counts->damage.skipped_bytes += damage->skipped_bytes;
	counts->damage.truncated = damage->truncated;
	if (damage->first_reason[0]) {
		counts->damage.first_offset = damage->first_offset;
		memcpy(counts->damage.first_reason, damage->first_reason, sizeof(damage->first_reason));
	}
	if (conversion->missing)
		counts->build_ids = missing_build_id_counts(conversion->missing);
}

static int convert(struct conversion *conversion, struct error *err)
{
	if (take_records(conversion, err) != 0 || (!conversion->begun && begin(conversion, err) != 0))
		return -1;
	if (!conversion->to_pipe)
		copy_features(conversion);
	if (perf_writer_finish(conversion->out, err) != 0)
		return -1;
	take_totals(conversion);
	return 0;
}

int conversion_run_from(struct perf_file *in, const struct conversion_options *options,
			struct conversion_counts *counts, struct error *err)
{
	struct conversion conversion = {
		.options = options, .counts = counts, .in = in, .swap = perf_file_swapped(in)
	};
	int result;

	*counts = (struct conversion_counts){ 0 };
	counts->was_directory = perf_file_mode(in) == PERF_FILE_DIRECTORY;
	counts->was_pipe = perf_file_mode(in) == PERF_FILE_PIPE;
	conversion.build_ids_in_table = has_bit(perf_file_features(in)->present, HEADER_BUILD_ID);
	strbuf_init(&conversion.build_ids);
	strbuf_init(&conversion.early);
	strbuf_init(&conversion.record);
	if (options->add_build_ids)
		conversion.missing = missing_build_ids_create(perf_file_features(in));
	conversion.stream = sample_stream_create(&(struct sample_stream_options){ .file = in,
										  .order = STREAM_BY_TIME,
										  .unreadable = true,
										  .read = see_record,
										  .happened = record_happened,
										  .context = &conversion });
	result = convert(&conversion, err);
	perf_writer_close(conversion.out);
	missing_build_ids_destroy(conversion.missing);
	moved_traces_fini(&conversion.traces);
	unwound_chains_destroy(conversion.unwound);
	sample_stream_destroy(conversion.stream);
	strbuf_fini(&conversion.build_ids);
	strbuf_fini(&conversion.early);
	strbuf_fini(&conversion.record);
	return result;
}

int conversion_run(const struct conversion_options *options, struct conversion_counts *counts,
		   struct error *err)
{
	struct conversion_options with_archive = *options;
	struct recording_file in;
	int result;

	*counts = (struct conversion_counts){ 0 };
	if (recording_file_open(&in, options->input, err) < 0)
		return -1;
	with_archive.archive = in.archive;
	result = conversion_run_from(in.file, &with_archive, counts, err);
	recording_file_close(&in);
	return result;
}
