#include "report/dump/cmd_dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/pager.h"
#include "format/perf_file.h"
#include "report/dump/dump_attr.h"
#include "report/dump/dump_feature.h"
#include "report/dump/dump_layout.h"
#include "report/dump/dump_out.h"
#include "report/dump/dump_record.h"
#include "report/dump/dump_summary.h"
#include "report/load/recording_file.h"

enum {
	MAX_TYPES = 64,               /* that one can ask for */
	LAST_KNOWN_TYPE = 32768 + 64, /* where looking for a name ends */
	FLUSH_BYTES = 1 << 16,
};

struct dump_options {
	const char *input;
	bool header, records, summary;
	uint32_t types[MAX_TYPES];
	unsigned int type_count;
	uint64_t offset_from, offset_to;
	uint64_t limit;
	bool raw, json, pager;
	enum color_mode color;
};

static int type_number(const char *name, uint32_t *type)
{
	char buffer[24], *end;
	unsigned long number = strtoul(name, &end, 0);

	if (*name && !*end && number <= UINT32_MAX) {
		*type = (uint32_t)number;
		return 0;
	}
	for (uint32_t i = 1; i <= LAST_KNOWN_TYPE; i++) {
		if (strcasecmp(name, dump_record_name(i, buffer)) == 0) {
			*type = i;
			return 0;
		}
	}
	return -1;
}

static int add_types(void *parsed, const char *argument, struct error *err)
{
	struct dump_options *options = parsed;

	while (*argument) {
		size_t length = strcspn(argument, ",");
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)length, argument);
		if (options->type_count == MAX_TYPES)
			return error_set(err, "more than %d record types", MAX_TYPES);
		if (length && type_number(name, &options->types[options->type_count++]) != 0)
			return error_set(err,
					 "'%s' is no record type; types are SAMPLE, MMAP2, FINISHED_ROUND … "
					 "('xprof dump --summary' lists those of a file), or numbers",
					 name);
		argument += length + (argument[length] == ',');
	}
	return 0;
}

static int set_offsets(void *parsed, const char *argument, struct error *err)
{
	struct dump_options *options = parsed;
	char *end;

	errno = 0;
	options->offset_from = strtoull(argument, &end, 0);
	options->offset_to = UINT64_MAX;
	if (end != argument && *end == ',')
		options->offset_to = strtoull(end + 1, &end, 0);
	if (end == argument || *end || errno || options->offset_to < options->offset_from)
		return error_set(err, "'%s' is no range of offsets: 0x1f40, or 0x1000,0x2000", argument);
	return 0;
}

static const struct option dump_table[] = {
	OPTION_GROUP("What is read"),
	{ OPTION_STRING(struct dump_options, input), .letter = 'i', .name = "input", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "read FILE; - is standard input (default: perf.data, else a pipe)" },

	OPTION_GROUP("What is shown (all of it by default)"),
	{ OPTION_FLAG(struct dump_options, header), .name = "header",
	  .help = "the header, its sections, the events and the features" },
	{ OPTION_FLAG(struct dump_options, records), .name = "records", .help = "the records" },
	{ OPTION_FLAG(struct dump_options, summary), .name = "summary",
	  .help = "records by type, and what is damaged" },
	{ OPTION_CALLBACK(add_types), .name = "type", .placeholder = "TYPE[,TYPE...]", .comma_list = true,
	  .help = "only records of these types: SAMPLE, MMAP2, 68" },
	{ OPTION_CALLBACK(set_offsets), .name = "offset", .placeholder = "FROM[,TO]",
	  .help = "only records that begin at these file offsets",
	  .details = "Records that were compressed have the offset of the record that holds them." },
	{ OPTION_U64(struct dump_options, limit), .name = "limit", .placeholder = "N", .minimum = 1,
	  .help = "stop after N records" },

	OPTION_GROUP("How"),
	{ OPTION_FLAG(struct dump_options, raw), .letter = 'x', .name = "raw",
	  .help = "also the bytes of each record, in hexadecimal" },
	{ OPTION_FLAG(struct dump_options, json), .name = "json",
	  .help = "one JSON object a line instead of text",
	  .details =
		  "Each line has a \"kind\": header, event, feature, record or summary. Addresses, masks and "
		  "whatever needs 64 bits are strings like \"0x1f40\"; counts and sizes are numbers; times are "
		  "numbers of nanoseconds and their names end in _ns." },
	OPTION_COLOR(struct dump_options, color),
	OPTION_PAGER(struct dump_options, pager),
	OPTION_END,
};

struct dump {
	const struct dump_options *options;
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

/* Those that have become known since it was called last: in a pipe they are records. */
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

static bool is_wanted(const struct dump_options *options, const struct event *event)
{
	if (event->file_offset < options->offset_from || event->file_offset > options->offset_to)
		return false;
	for (unsigned int i = 0; i < options->type_count; i++)
		if (options->types[i] == event->type)
			return true;
	return options->type_count == 0;
}

/* Records are decoded even if they are not shown: the summary tells which are damaged. */
static void take_record(struct dump *dump, const struct event *event)
{
	const bool shown = dump->options->records && is_wanted(dump->options, event);
	struct error err;
	int result;

	dump_summary_count(&dump->summary, event);
	if (!shown && !dump->options->summary)
		return;
	result = shown ? dump_record(&dump->out, dump->file, event, dump->options->raw, &err) :
			 dump_record_check(&dump->out, dump->file, event, &err);
	if (result != 0)
		dump_summary_damage(&dump->summary, event, err.message);
	dump->shown += shown;
	if (dump->out.text.size >= FLUSH_BYTES)
		flush(dump);
}

/* Nothing of what is asked for can come any more. */
static bool is_done(const struct dump *dump)
{
	const struct dump_options *options = dump->options;

	return dump->reader_gone || (options->limit && dump->shown >= options->limit);
}

static int take_records(struct dump *dump, struct error *err)
{
	struct event event;
	int result = 0;

	while (!is_done(dump) && (result = perf_file_next(dump->file, &event, err)) == 1)
		take_record(dump, &event);
	if (result == 1)
		result = 0;
	if (dump->options->limit && dump->shown >= dump->options->limit)
		dump->summary.limit = dump->options->limit;
	return result;
}

static int show_file(struct dump *dump, struct error *err)
{
	const struct dump_options *options = dump->options;
	const bool header_needs_records =
		perf_file_mode(dump->file) == PERF_FILE_PIPE || perf_file_damage(dump->file)->truncated;
	int result = 0;

	if (options->header)
		show_header(dump);
	if (options->records || options->summary || (options->header && header_needs_records))
		result = take_records(dump, err);
	if (options->header)
		show_header(dump);
	if (options->summary)
		dump_summary_write(&dump->out, &dump->summary, dump->file);
	flush(dump);
	return result;
}

/* The header is shown even of a file that cannot be opened. */
static int run_with_output(struct dump *dump, struct error *err)
{
	struct recording_file recording;
	struct dump_source source;
	int result = 0;

	dump_source_init(&source, dump->options->input);
	(void)recording_file_open(&recording, dump->options->input, err);
	dump->file = recording.file;
	if (recording.archive) {
		dump_source_fini(&source);
		dump_source_init_memory(&source, recording.image.bytes, recording.image.size);
	}
	if (dump->options->header || !dump->file)
		dump_layout(&dump->out, &source);
	flush(dump);
	dump_source_fini(&source);
	result = dump->file ? show_file(dump, err) : CLI_FAILED;
	recording_file_close(&recording);
	return result;
}

static int run_dump(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct dump_options *options = parsed;
	struct dump dump = { .options = options };
	struct color color = color_init(options->color, stdout);
	struct pager *pager;
	int result;

	if (operand_count && options->input)
		return cli_usage_error(err, "name the file once, with -i or without");
	if (operand_count)
		options->input = operands[0];
	else if (!options->input)
		options->input = recording_file_default();
	if (options->type_count || options->offset_from || options->offset_to != UINT64_MAX || options->limit)
		options->records = true;
	if (!options->header && !options->records && !options->summary)
		options->header = options->records = options->summary = true;
	dump_out_init(&dump.out, options->json, options->json ? (struct color){ false } : color);
	dump_summary_init(&dump.summary);
	pager = pager_start(options->pager);
	result = run_with_output(&dump, err);
	pager_finish(pager);
	dump_summary_fini(&dump.summary);
	dump_out_fini(&dump.out);
	return result;
}

const struct cli_command cmd_dump = {
	.name = "dump",
	.summary = "print what is in a perf.data file, record by record",
	.usage = (const char *const[]){ "[-i FILE] [--header|--records|--summary] [--type TYPE] [FILE]",
					NULL },
	.description =
		(const char *const[]){
			"Prints the header, the events, the features and every record with its file offset, type, size "
			"and fields, and in the end how many records of each type there are and what is damaged. It is "
			"the tool to understand a file with, and what is wrong with a broken one: of a file that no "
			"other command opens it still prints what its first bytes say.",
			"Records come in the order of the file, from any kind of recording: a file, a directory, a pipe "
			"(with -i -), compressed or of a machine of the other byte order. However large the file is, "
			"memory stays constant.",
			NULL },
	.options = dump_table,
	.options_size = sizeof(struct dump_options),
	.defaults = &(const struct dump_options){ .offset_to = UINT64_MAX, .pager = true },
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof dump --header", "Machine, command line and events of perf.data." },
			{ "xprof dump --summary old.data",
			  "What kinds of records there are, and what is damaged." },
			{ "xprof dump --type COMM,FORK,EXIT", "The life of the recorded processes." },
			{ "xprof dump --offset 0x1f40 --limit 1 -x", "One record with its bytes." },
			{ "xprof dump --json --type SAMPLE | jq -r .ip", "Anything else, with jq." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-script(1)", "perf-report(1)", NULL },
	.run = run_dump,
};
