#include "report/dump/dump_simpleperf_record.h"

#include "format/perf_abi.h"
#include "report/dump/dump_fields.h"
#include "report/dump/dump_sample.h"

/* The text of a file of /proc follows; SPLIT and SPLIT_END were joined before. */
static const struct dump_field size_fields[] = { { DUMP_U32, "payload_size", 0 }, { 0 } };
static const struct dump_field dso_fields[] = { { DUMP_U64, "dso_type", 0 },
						{ DUMP_U64, "dso_id", 0 },
						{ DUMP_HEX64, "min_vaddr", 0 },
						{ DUMP_TEXT, "path", 0 },
						{ 0 } };
static const struct dump_field symbol_fields[] = { { DUMP_HEX64, "addr", 0 },
						   { DUMP_U64, "len", 0 },
						   { DUMP_U64, "dso_id", 0 },
						   { DUMP_TEXT, "name", 0 },
						   { 0 } };
static const struct dump_field event_id_fields[] = { { DUMP_U64, "event", 0 }, { DUMP_U64, "id", 0 }, { 0 } };
static const struct dump_field callchain_fields[] = { { DUMP_S32, "pid", 0 },
						      { DUMP_S32, "tid", 0 },
						      { DUMP_U64, "chain_type", 0 },
						      { DUMP_TIME, "time", 0 },
						      { 0 } };
static const struct dump_field unwinding_result_fields[] = { { DUMP_TIME, "time", 0 },
							     { DUMP_U64, "used_ns", 0 },
							     { DUMP_U64, "stop_reason", 0 },
							     { DUMP_HEX64, "stop_info", 0 },
							     { DUMP_HEX64, "stack_start", 0 },
							     { DUMP_HEX64, "stack_end", 0 },
							     { 0 } };
static const struct dump_field debug_fields[] = { { DUMP_TIME, "time", 0 }, { DUMP_TEXT, "text", 0 }, { 0 } };
static const struct dump_field no_fields[] = { { 0 } };

typedef void dump_rest(struct dump_out *out, struct byte_reader *r);

/* { u64 count; { u64 number of the attr, id; }[count] } */
static void dump_event_ids(struct dump_out *out, struct byte_reader *r)
{
	dump_field_rows(out, "ids", r, byte_reader_u64(r), event_id_fields);
}

/* { …; u64 nr; u64 ips[nr]; u64 sps[nr]; } */
static void dump_chain(struct dump_out *out, struct byte_reader *r)
{
	const uint64_t count = byte_reader_u64(r);

	if (count > byte_reader_left(r) / (2 * sizeof(uint64_t))) {
		r->failed = true;
		return;
	}
	dump_callchain(out, byte_reader_sub(r, count * sizeof(uint64_t)));
	dump_list(out, "stack_pointers");
	for (uint64_t i = 0; i < count; i++)
		dump_hex(out, NULL, byte_reader_u64(r));
	dump_list_end(out);
}

static const struct simpleperf_layout {
	const char *name;
	const struct dump_field *fields;
	dump_rest *rest;
} layouts[] = {
	[SIMPLEPERF_RECORD_KERNEL_SYMBOL - SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_KERNEL_SYMBOL",
									     size_fields, NULL },
	[SIMPLEPERF_RECORD_DSO - SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_DSO", dso_fields, NULL },
	[SIMPLEPERF_RECORD_SYMBOL -
		SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_SYMBOL", symbol_fields, NULL },
	[SIMPLEPERF_RECORD_SPLIT - SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_SPLIT", no_fields, NULL },
	[SIMPLEPERF_RECORD_SPLIT_END -
		SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_SPLIT_END", no_fields, NULL },
	[SIMPLEPERF_RECORD_EVENT_ID -
		SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_EVENT_ID", no_fields, dump_event_ids },
	[SIMPLEPERF_RECORD_CALLCHAIN -
		SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_CALLCHAIN", callchain_fields, dump_chain },
	[SIMPLEPERF_RECORD_UNWINDING_RESULT -
		SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_UNWINDING_RESULT", unwinding_result_fields,
						  NULL },
	[SIMPLEPERF_RECORD_TRACING_DATA -
		SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_TRACING_DATA", size_fields, NULL },
	[SIMPLEPERF_RECORD_DEBUG -
		SIMPLEPERF_RECORD_TYPE_START] = { "SIMPLE_PERF_DEBUG", debug_fields, NULL },
};

static const struct simpleperf_layout *layout_of(uint32_t type)
{
	if (type <= SIMPLEPERF_RECORD_TYPE_START ||
	    type - SIMPLEPERF_RECORD_TYPE_START >= sizeof(layouts) / sizeof(layouts[0]))
		return NULL;
	return &layouts[type - SIMPLEPERF_RECORD_TYPE_START];
}

const char *dump_simpleperf_record_name(uint32_t type)
{
	const struct simpleperf_layout *layout = layout_of(type);

	return layout ? layout->name : NULL;
}

void dump_simpleperf_record(struct dump_out *out, uint32_t type, struct byte_reader *r)
{
	const struct simpleperf_layout *layout = layout_of(type);

	if (!layout)
		return;
	dump_fields(out, r, layout->fields);
	if (byte_reader_ok(r) && layout->rest)
		layout->rest(out, r);
}
