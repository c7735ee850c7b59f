/*
 * The fields of a type of event are the bits of a word. -F changes these bits before any event is known; script_fields_check()
 * compares them with an event later: a default that was not sampled is taken out, a field that the user named is an error.
 */
#include "report/script/script_fields.h"

#include <linux/perf_event.h>
#include <string.h>

#include "format/perf_abi.h"

#define FIELD(name) ((uint64_t)1 << SCRIPT_##name)

enum { SAMPLE_CODE_PAGE_SIZE = 1 << 23, SAMPLE_WEIGHT_STRUCT = 1 << 24 }; /* Linux 5.11, 5.12 */

const char *const script_field_names[] = {
	[SCRIPT_COMM] = "comm",
	[SCRIPT_TID] = "tid",
	[SCRIPT_PID] = "pid",
	[SCRIPT_TIME] = "time",
	[SCRIPT_CPU] = "cpu",
	[SCRIPT_EVENT] = "event",
	[SCRIPT_TRACE] = "trace",
	[SCRIPT_IP] = "ip",
	[SCRIPT_SYM] = "sym",
	[SCRIPT_DSO] = "dso",
	[SCRIPT_ADDR] = "addr",
	[SCRIPT_SYMOFF] = "symoff",
	[SCRIPT_SRCLINE] = "srcline",
	[SCRIPT_PERIOD] = "period",
	[SCRIPT_IREGS] = "iregs",
	[SCRIPT_UREGS] = "uregs",
	[SCRIPT_BRSTACK] = "brstack",
	[SCRIPT_BRSTACKSYM] = "brstacksym",
	[SCRIPT_BRSTACKOFF] = "brstackoff",
	[SCRIPT_DATA_SRC] = "data_src",
	[SCRIPT_WEIGHT] = "weight",
	[SCRIPT_BPF_OUTPUT] = "bpf-output",
	[SCRIPT_PHYS_ADDR] = "phys_addr",
	[SCRIPT_MISC] = "misc",
	[SCRIPT_TOD] = "tod",
	[SCRIPT_DATA_PAGE_SIZE] = "data_page_size",
	[SCRIPT_CODE_PAGE_SIZE] = "code_page_size",
	[SCRIPT_INS_LAT] = "ins_lat",
	[SCRIPT_INSN] = "insn",
	[SCRIPT_INSNLEN] = "insnlen",
	[SCRIPT_BRSTACKINSN] = "brstackinsn",
	[SCRIPT_BRSTACKINSNLEN] = "brstackinsnlen",
	[SCRIPT_BRCNTR] = "brcntr",
	[SCRIPT_IPC] = "ipc",
	[SCRIPT_SYNTH] = "synth",
	[SCRIPT_CALLINDENT] = "callindent",
	[SCRIPT_MACHINE_PID] = "machine_pid",
	[SCRIPT_VCPU] = "vcpu",
	[SCRIPT_FIELD_COUNT] = "flags",
	[SCRIPT_FIELD_COUNT + 1] = NULL,
};

enum {
	WHO_AND_WHEN =
		1 << SCRIPT_COMM | 1 << SCRIPT_TID | 1 << SCRIPT_CPU | 1 << SCRIPT_TIME | 1 << SCRIPT_EVENT,
	WHERE = 1 << SCRIPT_IP | 1 << SCRIPT_SYM | 1 << SCRIPT_SYMOFF | 1 << SCRIPT_DSO,
	PLAIN = WHO_AND_WHEN | WHERE | 1 << SCRIPT_PERIOD,
	MEMORY = 1 << SCRIPT_ADDR | 1 << SCRIPT_DATA_SRC | 1 << SCRIPT_WEIGHT | 1 << SCRIPT_PHYS_ADDR |
		 1 << SCRIPT_DATA_PAGE_SIZE | 1 << SCRIPT_CODE_PAGE_SIZE | 1 << SCRIPT_INS_LAT,
};

const struct script_fields script_default_fields = {
	.types = {
		[SCRIPT_TYPE_HARDWARE] = { .fields = PLAIN },
		[SCRIPT_TYPE_SOFTWARE] = { .fields = PLAIN | FIELD(BPF_OUTPUT) },
		[SCRIPT_TYPE_TRACEPOINT] = { .fields = WHO_AND_WHEN | FIELD(TRACE) },
		[SCRIPT_TYPE_HW_CACHE] = { .fields = PLAIN },
		[SCRIPT_TYPE_RAW] = { .fields = PLAIN | MEMORY },
		[SCRIPT_TYPE_BREAKPOINT] = { .fields = PLAIN },
		[SCRIPT_TYPE_SYNTH] = { .fields = WHO_AND_WHEN | WHERE },
		[SCRIPT_TYPE_OTHER] = { .fields = PLAIN },
	},
};

/* Fields that events of a type cannot have. */
static uint64_t impossible_fields(enum script_type type)
{
	switch (type) {
	case SCRIPT_TYPE_TRACEPOINT: return 0;
	case SCRIPT_TYPE_SOFTWARE: return FIELD(TRACE);
	default: return FIELD(TRACE) | FIELD(BPF_OUTPUT);
	}
}

/* The type in front of a colon: its number, -1 for none, -2 for an unknown one. */
static int parse_type(const char **text)
{
	static const struct {
		const char *name;
		int type;
	} types[] = {
		{ "hw", SCRIPT_TYPE_HARDWARE },      { "sw", SCRIPT_TYPE_SOFTWARE },
		{ "trace", SCRIPT_TYPE_TRACEPOINT }, { "raw", SCRIPT_TYPE_RAW },
		{ "break", SCRIPT_TYPE_BREAKPOINT }, { "synth", SCRIPT_TYPE_SYNTH },
	};
	const char *colon = strchr(*text, ':');

	if (!colon)
		return -1;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		size_t length = strlen(types[i].name);

		if ((size_t)(colon - *text) == length && strncmp(*text, types[i].name, length) == 0) {
			*text = colon + 1;
			return types[i].type;
		}
	}
	return -2;
}

static int parse_field(const char *name, size_t length)
{
	for (int field = 0; field < SCRIPT_FIELD_COUNT; field++)
		if (strlen(script_field_names[field]) == length &&
		    strncmp(script_field_names[field], name, length) == 0)
			return field;
	return -1;
}

static void change(struct script_type_fields *type, uint64_t bit, bool remove)
{
	if (remove) {
		type->fields &= ~bit;
		type->asked_for &= ~bit;
		type->taken_away |= bit;
	} else {
		type->fields |= bit;
		type->asked_for |= bit;
		type->taken_away &= ~bit;
	}
	type->set_by_user = true;
}

/*
 * A field that events of a type cannot have is an error if the user named the type; if the change is for all types, such types
 * are skipped.
 */
static int change_types(struct script_fields *fields, int type, int field, bool remove, struct error *err)
{
	const uint64_t bit = (uint64_t)1 << field;

	if (type >= 0) {
		if (impossible_fields((enum script_type)type) & bit)
			return error_set(err, "events of that type have no '%s'", script_field_names[field]);
		change(&fields->types[type], bit, remove);
		return 0;
	}
	for (int i = 0; i < SCRIPT_TYPE_COUNT; i++) {
		if (impossible_fields((enum script_type)i) & bit)
			continue;
		change(&fields->types[i], bit, remove);
		fields->types[i].by_wildcard = true;
	}
	return 0;
}

/* Without + and -, the list replaces the defaults. */
static void begin_anew(struct script_fields *fields, int type)
{
	for (int i = 0; i < SCRIPT_TYPE_COUNT; i++)
		if (type < 0 || type == i)
			fields->types[i] =
				(struct script_type_fields){ .set_by_user = true, .by_wildcard = type < 0 };
}

static int unknown_field(const char *name, size_t length, struct error *err)
{
	static const char *const unsupported[] = { "srccode", "metric",        "cgroup",    "dsoff",
						   "disasm",  "brstackdisasm", "retire_lat" };

	for (size_t i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); i++)
		if (strlen(unsupported[i]) == length && strncmp(unsupported[i], name, length) == 0)
			return error_set(err, "only perf script has the field '%s'", unsupported[i]);
	return error_set(
		err,
		"'%.*s' is not a field; fields are comm, tid, pid, time, cpu, event, trace, ip, sym, dso, addr, "
		"symoff, period and others: see 'xprof help script'",
		(int)length, name);
}

int script_fields_parse(struct script_fields *fields, const char *text, struct error *err)
{
	const int type = parse_type(&text);
	const bool changes = *text == '+' || *text == '-' || strstr(text, ",+") || strstr(text, ",-");

	if (type == -2)
		return error_set(err, "types of events are hw, sw, trace, raw, break and synth");
	if (type == -1 && !*text)
		return error_set(err, "no field is left to print");
	if (!changes)
		begin_anew(fields, type);
	while (*text) {
		const char *name = text + (*text == '+' || *text == '-');
		size_t length = strcspn(name, ",");
		int field = parse_field(name, length);
		const bool is_flags = length == strlen("flags") && strncmp(name, "flags", length) == 0;

		if (changes && name == text)
			return error_set(err, "give either a plain list of fields, or + or - before each of "
					      "them");
		if (length && field < 0 && !is_flags)
			return unknown_field(name, length, err);
		if (is_flags)
			fields->flags = *text != '-';
		else if (length && change_types(fields, type, field, *text == '-', err) != 0)
			return -1;
		text = name + length + (name[length] == ',');
	}
	return 0;
}

/* The part of the sample that a field needs. */
static const struct {
	enum script_field field;
	uint64_t sample_type; /* any of these */
	bool in_traces; /* samples decoded from a trace may have it even if their event does not say so */
} sources[] = {
	{ SCRIPT_IP, PERF_SAMPLE_IP, false },
	{ SCRIPT_ADDR, PERF_SAMPLE_ADDR, true },
	{ SCRIPT_DATA_SRC, PERF_SAMPLE_DATA_SRC, true },
	{ SCRIPT_WEIGHT, PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT, true },
	{ SCRIPT_SYM, PERF_SAMPLE_IP | PERF_SAMPLE_ADDR, false },
	{ SCRIPT_SYMOFF, PERF_SAMPLE_IP | PERF_SAMPLE_ADDR, false },
	{ SCRIPT_DSO, PERF_SAMPLE_IP | PERF_SAMPLE_ADDR, false },
	{ SCRIPT_TID, PERF_SAMPLE_TID, false },
	{ SCRIPT_PID, PERF_SAMPLE_TID, false },
	{ SCRIPT_TIME, PERF_SAMPLE_TIME, false },
	{ SCRIPT_CPU, PERF_SAMPLE_CPU, true },
	{ SCRIPT_IREGS, PERF_SAMPLE_REGS_INTR, true },
	{ SCRIPT_UREGS, PERF_SAMPLE_REGS_USER, false },
	{ SCRIPT_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, true },
	{ SCRIPT_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE, false },
	{ SCRIPT_CODE_PAGE_SIZE, SAMPLE_CODE_PAGE_SIZE, false },
	{ SCRIPT_INS_LAT, SAMPLE_WEIGHT_STRUCT, false },
};

int script_fields_check(struct script_fields *fields, const struct perf_attr *attr, const char *event_name,
			bool traces_may_have_it, struct error *err)
{
	struct script_type_fields *type = &fields->types[script_type_of(attr)];

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		const uint64_t bit = (uint64_t)1 << sources[i].field;

		if (!(type->fields & bit) || attr->sample_type & sources[i].sample_type)
			continue;
		if (type->asked_for & bit) {
			if (traces_may_have_it && sources[i].in_traces)
				continue;
			return error_set(err, "the samples of '%s' have no '%s': it was not recorded",
					 event_name, script_field_names[sources[i].field]);
		}
		type->fields &= ~bit;
	}
	if (type->fields & FIELD(SYMOFF) && !(type->fields & FIELD(SYM))) {
		if (type->asked_for & FIELD(SYMOFF))
			return error_set(err, "'symoff' needs 'sym'");
		type->fields &= ~FIELD(SYMOFF);
	}
	return 0;
}

int script_fields_check_branches(const struct script_fields *fields, const struct perf_attr *attr,
				 uint64_t branch_filter, struct error *err)
{
	if (script_has(fields, attr, SCRIPT_BRCNTR) && !(branch_filter & BRANCH_COUNTERS))
		return error_set(err, "'brcntr' needs branch counters: record a group of events with -j "
				      "any,counter, on a CPU that has them");
	if (!script_has(fields, attr, SCRIPT_BRSTACKINSN) && !script_has(fields, attr, SCRIPT_BRSTACKINSNLEN))
		return 0;
#ifndef HAVE_LIBZYDIS
	return error_set(err, "'brstackinsn' needs Zydis, which this xprof was built without "
			      "('xprof version --build-options' lists what is on)");
#endif
	if (!(branch_filter & PERF_SAMPLE_BRANCH_ANY))
		return error_set(err, "'brstackinsn' needs samples of all branches: record with -b");
	return 0;
}

void script_fields_add_callchain(struct script_fields *fields, const struct perf_attr *attr, bool in_pipe)
{
	struct script_type_fields *type = &fields->types[script_type_of(attr)];

	if (!(attr->sample_type & PERF_SAMPLE_CALLCHAIN))
		return;
	if (in_pipe)
		type->fields |= (FIELD(IP) | FIELD(SYM)) & ~type->taken_away;
	else if (script_type_of(attr) == SCRIPT_TYPE_TRACEPOINT && !type->set_by_user)
		type->fields |= WHERE;
}
