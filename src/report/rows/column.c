/*
 * Start at layout_make(): first the sort columns, then the printed columns, then complete(), which adds the
 * columns that either list needs because of the other. A name that is not in columns[] is taken for a
 * tracepoint's field, unless other_keys[] says what to use instead.
 */
#include "report/rows/column.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	const char *heading;
} columns[COLUMN_COUNT] = {
	[COLUMN_CHILDREN] = { "overhead_children", "Children" },
	[COLUMN_OVERHEAD] = { "overhead", "Overhead" },
	[COLUMN_OVERHEAD_SYS] = { "overhead_sys", "sys" },
	[COLUMN_OVERHEAD_US] = { "overhead_us", "usr" },
	[COLUMN_SAMPLE] = { "sample", "Samples" },
	[COLUMN_PERIOD] = { "period", "Period" },
	[COLUMN_PID] = { "pid", "    Pid:Command" },
	[COLUMN_COMM] = { "comm", "Command" },
	[COLUMN_DSO] = { "dso", "Shared Object" },
	[COLUMN_SYMBOL] = { "symbol", "Symbol" },
	[COLUMN_CPU] = { "cpu", "CPU" },
	[COLUMN_TID] = { "tid", "    Tid:Command" },
	[COLUMN_TGID] = { "tgid", "   Tgid:Command" },
	[COLUMN_SRCLINE] = { "srcline", "Source:Line" },
	[COLUMN_SRCFILE] = { "srcfile", "Source File" },
	[COLUMN_PARENT] = { "parent", "Parent symbol" },
	[COLUMN_CGROUP] = { "cgroup", "Cgroup" },
	[COLUMN_KEY_SET] = { "", "" },
	[COLUMN_FIRST_SAMPLE_KEY + SAMPLE_KEY_BRANCH_MARKS] = { "", "" },
#define SAMPLE_KEY_COLUMN(key) [COLUMN_FIRST_SAMPLE_KEY + (key)]
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_TIME) = { "time", "Time" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_TRACE) = { "trace", "Trace output" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_LOCAL_WEIGHT) = { "local_weight", "Local Weight" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_WEIGHT) = { "weight", "Weight" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_LOCAL_INS_LAT) = { "local_ins_lat", "Local INSTR Latency" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_INS_LAT) = { "ins_lat", "INSTR Latency" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_LOCAL_P_STAGE_CYC) = { "local_p_stage_cyc",
							    "Local Pipeline Stage Cycle" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_P_STAGE_CYC) = { "p_stage_cyc", "Pipeline Stage Cycle" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_LOCAL_RETIRE_LAT) = { "local_retire_lat", "Local Retire Latency" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_RETIRE_LAT) = { "retire_lat", "Retire Latency" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_TRANSACTION) = { "transaction", "Transaction" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_CODE_PAGE_SIZE) = { "code_page_size", "Code Page Size" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_DATA_PAGE_SIZE) = { "data_page_size", "Data Page Size" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_PHYS_DADDR) = { "phys_daddr", "Data Physical Address" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_MEM) = { "mem", "Memory access" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_SNOOP) = { "snoop", "Snoop" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_TLB) = { "tlb", "TLB access" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_LOCKED) = { "locked", "Locked" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_BLOCKED) = { "blocked", "Blocked" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_SYMBOL_DADDR) = { "symbol_daddr", "Data Symbol" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_DSO_DADDR) = { "dso_daddr", "Data Object" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_SOCKET) = { "socket", "Socket" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_COMM_NODIGIT) = { "comm_nodigit", "CommandNoDigit" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_STATE) = { "state", "State" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_WAIT) = { "wait", "Waits for" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_WAKER) = { "waker", "Woken by" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_WAIT_TIME) = { "wait_time", "Wait time" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_SYMBOL_FROM) = { "symbol_from", "Source Symbol" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_SYMBOL_TO) = { "symbol_to", "Target Symbol" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_DSO_FROM) = { "dso_from", "Source Shared Object" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_DSO_TO) = { "dso_to", "Target Shared Object" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_ADDR_FROM) = { "addr_from", "Source Address" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_ADDR_TO) = { "addr_to", "Target Address" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_SRCLINE_FROM) = { "srcline_from", "From Source:Line" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_SRCLINE_TO) = { "srcline_to", "To Source:Line" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_MISPREDICT) = { "mispredict", "Branch Mispredicted" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_IN_TX) = { "in_tx", "Branch in transaction" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_ABORT) = { "abort", "Transaction abort" },
	SAMPLE_KEY_COLUMN(SAMPLE_KEY_CYCLES) = { "cycles", "Basic Block Cycles" },
	/* Fields of tracepoints have no entry: their names come from the recording. */
};

const char *const column_names[] = {
	"comm",
	"pid",
	"tid",
	"tgid",
	"dso",
	"symbol",
	"cpu",
	"srcline",
	"srcfile",
	"parent",
	"cgroup",
	"socket",
	"comm_nodigit",
	"time",
	"trace",
	"trace_fields",
	"local_weight",
	"weight",
	"local_ins_lat",
	"ins_lat",
	"local_p_stage_cyc",
	"p_stage_cyc",
	"local_retire_lat",
	"retire_lat",
	"transaction",
	"mem",
	"snoop",
	"tlb",
	"locked",
	"blocked",
	"symbol_daddr",
	"dso_daddr",
	"phys_daddr",
	"data_page_size",
	"code_page_size",
	"state",
	"wait",
	"waker",
	"wait_time",
	"symbol_from",
	"symbol_to",
	"dso_from",
	"dso_to",
	"addr_from",
	"addr_to",
	"srcline_from",
	"srcline_to",
	"mispredict",
	"in_tx",
	"abort",
	"cycles",
	"overhead",
	"overhead_children",
	"overhead_sys",
	"overhead_us",
	"sample",
	"period",
	NULL,
};

const char *column_name(enum column column)
{
	return columns[column].name;
}

const char *column_heading(enum column column, bool children)
{
	if (column == COLUMN_OVERHEAD && children)
		return "Self";
	return columns[column].heading;
}

bool column_is_number(enum column column, bool *most_first)
{
	const enum sample_key key = column_sample_key(column);

	*most_first =
		(key >= SAMPLE_KEY_LOCAL_WEIGHT && key <= SAMPLE_KEY_RETIRE_LAT) || key == SAMPLE_KEY_CYCLES;
	return column_is_sample_key(column) && (*most_first || key == SAMPLE_KEY_TIME);
}

static bool begins_name(enum column column, const char *text, size_t length)
{
	return columns[column].name && !strncasecmp(columns[column].name, text, length);
}

/* As perf: accepts any prefix of a name, in upper or lower case, so "sym" is the symbol. */
static int column_find(const char *text, size_t length)
{
	int column;

	for (column = 0; column < COLUMN_COUNT && length; column++)
		if (begins_name((enum column)column, text, length) && !columns[column].name[length])
			return column;
	for (column = COLUMN_KEY_SET - 1; column >= 0 && length; column--)
		if (begins_name((enum column)column, text, length))
			return column;
	for (column = COLUMN_FIRST_SAMPLE_KEY; column < COLUMN_COUNT && length; column++)
		if (begins_name((enum column)column, text, length))
			return column;
	return -1;
}

static bool listed(const struct column_list *list, enum column column)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->items[i] == column)
			return true;
	return false;
}

static void add(struct column_list *list, enum column column)
{
	if (!listed(list, column))
		list->items[list->count++] = column;
}

static void prepend(struct column_list *list, enum column column)
{
	if (listed(list, column))
		return;
	memmove(list->items + 1, list->items, list->count * sizeof(list->items[0]));
	list->items[0] = column;
	list->count++;
}

/* Keys that only perf has, and what to use instead. */
static const struct {
	const char *keys;
	const char *remedy;
} other_keys[] = {
	{ " ipc_lbr ipc_null callchain_branch_predicted callchain_branch_abort callchain_branch_cycles ",
	  "cycles and mispredict are columns, and rows differ in them" },
	{ " weight1 weight2 weight3 ",
	  "weight, ins_lat and p_stage_cyc are columns, and rows differ in them" },
	{ " dcacheline symbol_iaddr addr op cache memory dtlb simd ",
	  "symbol_daddr, mem, snoop, tlb, locked and blocked are columns; 'perf mem report' and 'perf c2c' have others" },
	{ " latency latency_children parallelism ",
	  "'perf report --latency' (6.15 or newer) knows how many ran at a time" },
	{ " symbol_size dso_size symoff type typeoff typecln cgroup_id overhead_guest_sys "
	  "overhead_guest_us ",
	  "'perf report' has it, of the same file" },
};

static const char *remedy_of(const char *key, size_t length)
{
	char padded[64];

	if (length + 3 > sizeof(padded))
		return NULL;
	snprintf(padded, sizeof(padded), " %.*s ", (int)length, key);
	for (size_t i = 0; i < sizeof(other_keys) / sizeof(other_keys[0]); i++)
		if (strstr(other_keys[i].keys, padded))
			return other_keys[i].remedy;
	return NULL;
}

/* Parses "[EVENT.]FIELD[/raw]" as perf does; trace_fields and EVENT.* mean all fields. Returns -1 if it is no name of a field. */
static int parse_field(struct sample_key_field *field, const char *text, size_t length)
{
	const char *end = text + length, *slash = memchr(text, '/', length), *dot;

	*field = (struct sample_key_field){ .raw = slash && end - slash == 4 && !memcmp(slash, "/raw", 4) };
	if (slash && !field->raw)
		return -1;
	end = slash ? slash : end;
	dot = memchr(text, '.', (size_t)(end - text));
	if (dot && dot - text < (ptrdiff_t)sizeof(field->event))
		memcpy(field->event, text, (size_t)(dot - text));
	text = dot ? dot + 1 : text;
	length = (size_t)(end - text);
	if (length == 0 || length >= sizeof(field->name) || (dot && !field->event[0]))
		return -1;
	if ((length == 1 && *text == '*') || (length == 12 && !memcmp(text, "trace_fields", length)))
		return 0;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return -1;
	memcpy(field->name, text, length);
	return 0;
}

static bool same_field(const struct sample_key_field *a, const struct sample_key_field *b)
{
	return strcmp(a->event, b->event) == 0 && strcmp(a->name, b->name) == 0 && a->number == b->number &&
	       a->raw == b->raw;
}

static int add_field(struct layout *layout, struct column_list *list, const struct sample_key_field *field)
{
	uint32_t i;

	for (i = 0; i < layout->field_count; i++)
		if (same_field(&layout->samples.fields[i], field))
			break;
	if (i == SAMPLE_KEY_MAX_FIELDS)
		return -1;
	layout->samples.fields[i] = *field;
	layout->field_count += i == layout->field_count;
	add(list, (enum column)(COLUMN_FIRST_SAMPLE_KEY + SAMPLE_KEY_FIELD + i));
	return 0;
}

/* The recording decides which tracepoints have these fields; others have no such columns. */
enum { FIELDS_OF_ALL = 16 };

static int add_fields(struct layout *layout, struct column_list *list, struct sample_key_field *field)
{
	if (field->name[0])
		return add_field(layout, list, field);
	for (field->number = 0; field->number < FIELDS_OF_ALL; field->number++)
		if (add_field(layout, list, field))
			return -1;
	return 0;
}

static int parse_one(struct layout *layout, struct column_list *list, const char *option, const char *text,
		     size_t length, struct error *err)
{
	int column = column_find(text, length);
	struct sample_key_field field;

	if (column >= 0) {
		add(list, (enum column)column);
		return 0;
	}
	if (remedy_of(text, length))
		return error_set(err, "--%s: no column '%.*s': %s", option, (int)length, text,
				 remedy_of(text, length));
	if (parse_field(&field, text, length))
		return error_set(err, "--%s: " LAYOUT_NO_COLUMN, option, (int)length, text);
	if (add_fields(layout, list, &field))
		return error_set(err, "--%s: %.*s: no more than %d fields of tracepoints can be columns",
				 option, (int)length, text, SAMPLE_KEY_MAX_FIELDS);
	return 0;
}

/* Braces make several keys one level of a hierarchy. */
static int parse(struct layout *layout, struct column_list *list, const char *option, const char *text,
		 struct error *err)
{
	unsigned int level = (unsigned int)list->count;
	bool grouped = false;

	for (; *text; text++) {
		const size_t length = strcspn(text, ", {}"), known = list->count;

		if (length && parse_one(layout, list, option, text, length, err))
			return -1;
		level += length && !grouped;
		for (size_t i = known; i < list->count; i++)
			layout->levels[list->items[i]] = (uint8_t)level;
		text += length;
		if (!*text)
			break;
		level += *text == '{';
		grouped = *text == '{' || (grouped && *text != '}');
	}
	return 0;
}

static void add_default_keys(struct layout *layout, struct column_list *list)
{
	add(list, COLUMN_COMM);
	add(list, COLUMN_DSO);
	add(list, COLUMN_SYMBOL);
	layout->levels[COLUMN_DSO] = 1;
	layout->levels[COLUMN_SYMBOL] = 2;
}

/* perf's order of columns for branches. */
#define BRANCH_SORT "comm,dso_from,symbol_from,symbol_to,cycles"

static bool replaces_columns(const struct layout_request *request)
{
	return request->fields && *request->fields != '+';
}

/* --sort, after the shares: the heaviest row is first unless the user orders otherwise. */
static int make_sorts(struct layout *layout, const struct layout_request *request, struct error *err)
{
	struct column_list *sorts = &layout->sorts;
	const char *text = request->sort ? request->sort : request->branches ? BRANCH_SORT : "+";

	if (replaces_columns(request) && !request->sort)
		return 0; /* the order is then that of the fields, from left to right */
	if (*text == '+') {
		if (request->branches && parse(layout, sorts, "sort", BRANCH_SORT, err))
			return -1;
		if (!request->branches)
			add_default_keys(layout, sorts);
		text++;
	}
	if (parse(layout, sorts, "sort", text, err))
		return -1;
	if (request->parent)
		add(sorts, COLUMN_PARENT);
	prepend(sorts, COLUMN_OVERHEAD);
	if (request->children)
		prepend(sorts, COLUMN_CHILDREN);
	return 0;
}

static int make_outputs(struct layout *layout, const struct layout_request *request, struct error *err)
{
	struct column_list *outputs = &layout->outputs;

	if (replaces_columns(request))
		return parse(layout, outputs, "fields", request->fields, err);
	if (request->children)
		add(outputs, COLUMN_CHILDREN);
	add(outputs, COLUMN_OVERHEAD);
	if (request->cpu_utilization) {
		add(outputs, COLUMN_OVERHEAD_SYS);
		add(outputs, COLUMN_OVERHEAD_US);
	}
	if (request->samples)
		add(outputs, COLUMN_SAMPLE);
	if (request->period)
		add(outputs, COLUMN_PERIOD);
	layout->named_self = request->children;
	return request->fields ? parse(layout, outputs, "fields", request->fields + 1, err) : 0;
}

/* Shows the keys that rows are sorted by, and sorts rows that are still equal by the other shown columns. */
static void complete(struct layout *layout)
{
	size_t i;

	for (i = 0; i < layout->sorts.count; i++)
		if (column_is_key(layout->sorts.items[i]))
			add(&layout->outputs, layout->sorts.items[i]);
	for (i = 0; i < layout->outputs.count; i++) {
		const enum column column = layout->outputs.items[i];

		add(&layout->sorts, column);
		if (column_is_sample_key(column)) {
			layout->samples.wanted[column_sample_key(column)] = true;
			add(&layout->keys, COLUMN_KEY_SET);
		} else if (column_is_key(column)) {
			add(&layout->keys, column);
		}
	}
}

int layout_make(struct layout *layout, const struct layout_request *request, struct error *err)
{
	*layout = (struct layout){ 0 };
	if (make_sorts(layout, request, err) || make_outputs(layout, request, err))
		return -1;
	complete(layout);
	if (!layout->outputs.count)
		return error_set(err, "--fields: no column is named");
	layout->symbol_first =
		!replaces_columns(request) && request->sort && !strncmp(request->sort, "sym", 3);
	return 0;
}

bool layout_is_of_branches(const struct layout *layout)
{
	for (int key = 0; key < SAMPLE_KEY_COUNT; key++)
		if (layout->samples.wanted[key] && sample_key_is_of_branch((enum sample_key)key))
			return true;
	return false;
}
