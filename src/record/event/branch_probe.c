/*
 * branch_probe_fields() tries all sets of fields, the largest first: with seven fields these are 127 trials at the most, of
 * some microseconds each, and only after a refusal.
 */
#include "record/event/branch_probe.h"

#include <stddef.h>

#include "format/perf_abi.h"
#include "record/event/branch_filter.h"

enum { FIELDS_MAX = 8 };

/* Bits that add fields to branches or remove some; all other bits choose branches. */
static const uint64_t fields = PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES |
			       PERF_SAMPLE_BRANCH_TYPE_SAVE | BRANCH_HW_INDEX | BRANCH_PRIV_SAVE |
			       BRANCH_COUNTERS;

static const uint64_t levels = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV;

static size_t list_bits(uint64_t set, uint64_t bits[static FIELDS_MAX])
{
	size_t count = 0;

	for (; set && count < FIELDS_MAX; set &= set - 1)
		bits[count++] = set & -set;
	return count;
}

static bool opens_with(const struct perf_event_attr *attr, uint64_t branch_bits,
		       const struct branch_trial *trial)
{
	struct perf_event_attr tried = *attr;

	tried.branch_sample_type = branch_bits;
	return trial->opens(&tried, trial->context);
}

/* The first set of `left_out` fields without which the event opens. 0 if there is none. */
static uint64_t find_set(const struct perf_event_attr *attr, unsigned int left_out,
			 const struct branch_trial *trial)
{
	uint64_t bits[FIELDS_MAX];
	const size_t count = list_bits(attr->branch_sample_type & fields, bits);

	for (unsigned int choice = 1; choice < 1u << count; choice++) {
		uint64_t set = 0;

		if ((unsigned int)__builtin_popcount(choice) != left_out)
			continue;
		for (size_t i = 0; i < count; i++)
			set |= choice >> i & 1 ? bits[i] : 0;
		if (opens_with(attr, attr->branch_sample_type & ~set, trial))
			return set;
	}
	return 0;
}

void branch_probe_add_names(struct strbuf *text, uint64_t bits)
{
	for (const char *comma = ""; bits; bits &= bits - 1, comma = ", ")
		strbuf_addf(text, "%s%s", comma, branch_filter_name(bits & -bits));
}

void branch_probe_leave_out(struct perf_event_attr *attr, uint64_t left_out, const char *event,
			    struct strbuf *notices)
{
	attr->branch_sample_type &= ~left_out;
	strbuf_addf(notices,
		    "%s: left out, because this CPU or kernel does not support it for branches: ", event);
	branch_probe_add_names(notices, left_out);
	strbuf_addc(notices, '\n');
}

bool branch_probe_fields(struct perf_event_attr *attr, const char *event, const struct branch_trial *trial,
			 struct strbuf *notices)
{
	const unsigned int count = (unsigned int)__builtin_popcountll(attr->branch_sample_type & fields);
	uint64_t set = 0;

	for (unsigned int left_out = 1; !set && left_out <= count; left_out++)
		set = find_set(attr, left_out, trial);
	if (!set)
		return false;
	branch_probe_leave_out(attr, set, event, notices);
	return true;
}

uint64_t branch_probe_refused_kinds(const struct perf_event_attr *attr, const struct branch_trial *trial)
{
	const uint64_t asked = attr->branch_sample_type & ~fields, asked_levels = asked & levels;
	uint64_t refused = 0;

	for (uint64_t left = asked & ~levels; left; left &= left - 1)
		if (!opens_with(attr, (left & -left) | (asked_levels & ~(uint64_t)PERF_SAMPLE_BRANCH_HV),
				trial))
			refused |= left & -left;
	for (uint64_t left = asked_levels; left; left &= left - 1)
		if (!opens_with(attr, (left & -left) | PERF_SAMPLE_BRANCH_ANY, trial))
			refused |= left & -left;
	return refused;
}
