/*
 * Two parallel arrays map names to bits, with a static_assert on their lengths. Bits that the build's kernel headers may lack
 * are defined here.
 */
#include "record/event/branch_filter.h"

#include <assert.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

#include "format/perf_abi.h"

/* Bits that choose kinds of branches; the other bits choose privilege levels and fields. */
static const uint64_t kinds =
	PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN |
	PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_ABORT_TX | PERF_SAMPLE_BRANCH_IN_TX |
	PERF_SAMPLE_BRANCH_NO_TX | PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_CALL_STACK |
	PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_CALL;

/* In the order of `bits`. */
const char *const branch_filter_names[] = { "any",      "any_call",  "any_ret",  "ind_call",  "ind_jmp",
					    "call",     "cond",      "u",        "k",         "hv",
					    "in_tx",    "no_tx",     "abort_tx", "save_type", "stack",
					    "no_flags", "no_cycles", "hw_index", "priv",      "counter",
					    NULL };

static const uint64_t bits[] = {
	PERF_SAMPLE_BRANCH_ANY,
	PERF_SAMPLE_BRANCH_ANY_CALL,
	PERF_SAMPLE_BRANCH_ANY_RETURN,
	PERF_SAMPLE_BRANCH_IND_CALL,
	PERF_SAMPLE_BRANCH_IND_JUMP,
	PERF_SAMPLE_BRANCH_CALL,
	PERF_SAMPLE_BRANCH_COND,
	PERF_SAMPLE_BRANCH_USER,
	PERF_SAMPLE_BRANCH_KERNEL,
	PERF_SAMPLE_BRANCH_HV,
	PERF_SAMPLE_BRANCH_IN_TX,
	PERF_SAMPLE_BRANCH_NO_TX,
	PERF_SAMPLE_BRANCH_ABORT_TX,
	PERF_SAMPLE_BRANCH_TYPE_SAVE,
	PERF_SAMPLE_BRANCH_CALL_STACK,
	PERF_SAMPLE_BRANCH_NO_FLAGS,
	PERF_SAMPLE_BRANCH_NO_CYCLES,
	BRANCH_HW_INDEX,
	BRANCH_PRIV_SAVE,
	BRANCH_COUNTERS,
};

uint64_t branch_filter_bit(const char *name, size_t length)
{
	static const char call_stack[] =
		"call_stack"; /* the name in enum perf_branch_sample_type for perf's "stack" */

	static_assert(sizeof(branch_filter_names) / sizeof(branch_filter_names[0]) ==
			      sizeof(bits) / sizeof(bits[0]) + 1,
		      "a name for each bit");
	for (size_t i = 0; branch_filter_names[i]; i++)
		if (strlen(branch_filter_names[i]) == length &&
		    strncmp(branch_filter_names[i], name, length) == 0)
			return bits[i];
	return length == strlen(call_stack) && strncmp(call_stack, name, length) == 0 ?
		       PERF_SAMPLE_BRANCH_CALL_STACK :
		       0;
}

const char *branch_filter_name(uint64_t bit)
{
	for (size_t i = 0; branch_filter_names[i]; i++)
		if (bits[i] == bit)
			return branch_filter_names[i];
	return "?";
}

int branch_filter_parse(uint64_t *filter, const char *text, struct error *err)
{
	*filter = 0;
	for (;;) {
		const size_t length = strcspn(text, ",");
		const uint64_t bit = branch_filter_bit(text, length);

		if (!bit)
			return error_set(
				err,
				"'%.*s' is not a filter of branches: any, any_call, any_ret, ind_call, ind_jmp, call, cond, "
				"u, k, hv, in_tx, no_tx, abort_tx, stack, no_flags, no_cycles, hw_index, save_type, priv, counter",
				(int)length, text);
		*filter |= bit;
		if (!text[length])
			break;
		text += length + 1;
	}
	if (!(*filter & kinds))
		*filter |= PERF_SAMPLE_BRANCH_ANY;
	return 0;
}
