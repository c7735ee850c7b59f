/*
 * The options of the command; dump_run.h does the work. An option that selects records also turns off the other parts,
 * unless they are asked for.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/commands.h"
#include "cli/pager.h"
#include "report/dump/dump_record.h"
#include "report/dump/dump_run.h"
#include "report/load/recording_file.h"

enum {
	LAST_KNOWN_TYPE = 32768 + 64, /* the search for a name ends here */
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
	struct dump_request *request = parsed;

	while (*argument) {
		size_t length = strcspn(argument, ",");
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)length, argument);
		if (request->type_count == DUMP_MAX_TYPES)
			return error_set(err, "more than %d record types", DUMP_MAX_TYPES);
		if (length && type_number(name, &request->types[request->type_count++]) != 0)
			return error_set(
				err,
				"'%s' is not a record type; types are SAMPLE, MMAP2, FINISHED_ROUND … "
				"('xprof dump --summary' lists those of a file), or numbers",
				name);
		argument += length + (argument[length] == ',');
	}
	return 0;
}

static int set_offsets(void *parsed, const char *argument, struct error *err)
{
	struct dump_request *request = parsed;
	char *end;

	errno = 0;
	request->offset_from = strtoull(argument, &end, 0);
	request->offset_to = UINT64_MAX;
	if (end != argument && *end == ',')
		request->offset_to = strtoull(end + 1, &end, 0);
	if (end == argument || *end || errno || request->offset_to < request->offset_from)
		return error_set(err, "'%s' is not a range of offsets: 0x1f40, or 0x1000,0x2000", argument);
	return 0;
}

static const struct option dump_table[] = {
	OPTION_GROUP("Input"),
	OPTION_RECORDING(struct dump_request, input),

	OPTION_GROUP("Parts to print (default: all)"),
	{ OPTION_FLAG(struct dump_request, header), .name = "header",
	  .help = "print the header, its sections, the events and the features" },
	{ OPTION_FLAG(struct dump_request, records), .name = "records", .help = "print the records" },
	{ OPTION_FLAG(struct dump_request, summary), .name = "summary",
	  .help = "print the number of records of each type, and damage" },
	{ OPTION_CALLBACK(add_types), .name = "type", .placeholder = "TYPE[,TYPE...]", .comma_list = true,
	  .help = "print only records of these types: SAMPLE, MMAP2, 68" },
	{ OPTION_CALLBACK(set_offsets), .name = "offset", .placeholder = "FROM[,TO]",
	  .help = "print only records that begin at these file offsets",
	  .details = "Compressed records have the offset of the record that contains them." },
	{ OPTION_U64(struct dump_request, limit), .name = "limit", .placeholder = "N", .minimum = 1,
	  .help = "stop after N records" },

	OPTION_GROUP("Format"),
	{ OPTION_FLAG(struct dump_request, raw), .letter = 'x', .name = "raw",
	  .help = "also print the bytes of each record, in hexadecimal" },
	{ OPTION_FLAG(struct dump_request, json), .name = "json",
	  .help = "print one JSON object per line instead of text",
	  .details =
		  "Each line has a \"kind\": header, event, feature, record or summary. Addresses, masks and "
		  "other 64-bit values are strings like \"0x1f40\"; counts and sizes are numbers; times are "
		  "numbers of nanoseconds and their names end in _ns." },
	OPTION_COLOR(struct dump_request, color),
	OPTION_PAGER(struct dump_request, pager),
	OPTION_END,
};

static int run_dump(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct dump_request *request = parsed;

	if (operand_count && request->input)
		return cli_usage_error(err, "name the file once, with -i or without");
	if (operand_count)
		request->input = operands[0];
	else if (!request->input)
		request->input = recording_file_default();
	if (request->type_count || request->offset_from || request->offset_to != UINT64_MAX || request->limit)
		request->records = true;
	if (!request->header && !request->records && !request->summary)
		request->header = request->records = request->summary = true;
	return dump_run(request, err);
}

const struct cli_command cmd_dump = {
	.name = "dump",
	.summary = "print what is in a perf.data file, record by record",
	.usage = (const char *const[]){ "[-i FILE] [--header|--records|--summary] [--type TYPE] [FILE]",
					NULL },
	.description =
		(const char *const[]){
			"Prints the header, the events, the features and every record with its file offset, "
			"type, size and fields, and at the end the number of records of each type and all "
			"damage. Use it to understand a file, or to find out what is wrong with a broken "
			"one: even if no other command opens a file, xprof dump prints what its first bytes "
			"say.",
			"Records are printed in the order of the file, from any kind of recording: a file, a "
			"directory, a pipe (with -i -), compressed or in the other byte order. Memory use "
			"does not grow with the file.",
			NULL },
	.options = dump_table,
	.options_size = sizeof(struct dump_request),
	.defaults = &(const struct dump_request){ .offset_to = UINT64_MAX, .pager = true },
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof dump --header", "Machine, command line and events of perf.data." },
			{ "xprof dump --summary old.data",
			  "The number of records of each type, and damage." },
			{ "xprof dump --type COMM,FORK,EXIT",
			  "When the recorded processes started and exited." },
			{ "xprof dump --offset 0x1f40 --limit 1 -x", "One record with its bytes." },
			{ "xprof dump --json --type SAMPLE | jq -r .ip", "Anything else, with jq." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-script(1)", "perf-report(1)", NULL },
	.run = run_dump,
};
