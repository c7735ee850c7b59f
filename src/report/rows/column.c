#include "report/rows/column.h"

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

/* perf takes any beginning of a name in any case, so "sym" is the symbol. */
static int column_find(const char *text, size_t length)
{
	int column;

	for (column = 0; column < COLUMN_COUNT; column++)
		if (strlen(columns[column].name) == length &&
		    !strncasecmp(columns[column].name, text, length))
			return column;
	for (column = COLUMN_COUNT - 1; column >= 0 && length; column--)
		if (!strncasecmp(columns[column].name, text, length))
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

/* Keys that perf has besides: what to use instead. */
static const struct {
	const char *keys;
	const char *remedy;
} other_keys[] = {
	{ " dso_from dso_to symbol_from symbol_to srcline_from srcline_to addr_from addr_to mispredict abort in_tx "
	  "cycles ipc_lbr ipc_null callchain_branch_predicted callchain_branch_abort callchain_branch_cycles ",
	  "xprof adds up no branch records; 'perf report' does, and 'xprof script -F +brstack' prints them" },
	{ " mem weight local_weight weight1 weight2 weight3 ins_lat local_ins_lat retire_lat local_retire_lat "
	  "p_stage_cyc local_p_stage_cyc symbol_daddr dso_daddr locked tlb dtlb snoop dcacheline symbol_iaddr "
	  "phys_daddr data_page_size code_page_size blocked addr op cache memory simd transaction ",
	  "xprof adds up no memory accesses or latencies; 'xprof script -F +addr,+data_src,+weight' prints them, and "
	  "'perf mem report' adds them up" },
	{ " time ", "--time 10%/1, --time 10%/2 and so on are spans one by one" },
	{ " trace trace_fields ", "'xprof script -F +trace' prints what tracepoints say" },
	{ " latency latency_children parallelism ",
	  "'perf report --latency' (6.15 or newer) knows how many ran at a time" },
	{ " socket ", "-s cpu, and 'lscpu -e', which tells sockets" },
	{ " symbol_size dso_size symoff type typeoff typecln comm_nodigit cgroup_id overhead_guest_sys "
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

static int parse(struct column_list *list, const char *option, const char *text, struct error *err)
{
	while (*text) {
		size_t length = strcspn(text, ", ");
		int column = column_find(text, length);

		if (length && column < 0 && remedy_of(text, length))
			return error_set(err, "--%s: no column '%.*s': %s", option, (int)length, text,
					 remedy_of(text, length));
		if (length && column < 0)
			return error_set(
				err,
				"--%s: there is no '%.*s'; comm, pid, tid, tgid, dso, symbol, cpu, srcline, srcfile, parent, cgroup, overhead, "
				"overhead_children, overhead_sys, overhead_us, sample and period are there",
				option, (int)length, text);
		if (length)
			add(list, (enum column)column);
		text += length;
		text += strspn(text, ", ");
	}
	return 0;
}

static void add_default_keys(struct column_list *list)
{
	add(list, COLUMN_COMM);
	add(list, COLUMN_DSO);
	add(list, COLUMN_SYMBOL);
}

static bool replaces_columns(const struct layout_request *request)
{
	return request->fields && *request->fields != '+';
}

/* --sort, with the shares in front: the heaviest row is first unless the user orders otherwise. */
static int make_sorts(struct column_list *sorts, const struct layout_request *request, struct error *err)
{
	const char *text = request->sort ? request->sort : "+";

	if (replaces_columns(request) && !request->sort)
		return 0; /* then the fields are the order, from left to right */
	if (*text == '+') {
		add_default_keys(sorts);
		text++;
	}
	if (parse(sorts, "sort", text, err))
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
		return parse(outputs, "fields", request->fields, err);
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
	return request->fields ? parse(outputs, "fields", request->fields + 1, err) : 0;
}

/* Keys that rows are ordered by are shown, and what is shown decides among rows that are still equal. */
static void complete(struct layout *layout)
{
	size_t i;

	for (i = 0; i < layout->sorts.count; i++)
		if (column_is_key(layout->sorts.items[i]))
			add(&layout->outputs, layout->sorts.items[i]);
	for (i = 0; i < layout->outputs.count; i++) {
		add(&layout->sorts, layout->outputs.items[i]);
		if (column_is_key(layout->outputs.items[i]))
			add(&layout->keys, layout->outputs.items[i]);
	}
}

int layout_make(struct layout *layout, const struct layout_request *request, struct error *err)
{
	*layout = (struct layout){ 0 };
	if (make_sorts(&layout->sorts, request, err) || make_outputs(layout, request, err))
		return -1;
	complete(layout);
	if (!layout->outputs.count)
		return error_set(err, "--fields: no column is named");
	layout->symbol_first =
		!replaces_columns(request) && request->sort && !strncmp(request->sort, "sym", 3);
	return 0;
}
