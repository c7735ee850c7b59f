#include "record/event/branch_probe.h"

#include "support/cmocka.h"

enum { HW_INDEX = 1 << 17, PRIV_SAVE = 1 << 18, COUNTERS = 1 << 19 };

/* A machine that has these bits, and counts how often it was asked. */
struct machine {
	uint64_t bits;
	unsigned int trials;
};

static bool opens(const struct perf_event_attr *attr, void *context)
{
	struct machine *machine = context;

	machine->trials++;
	return !(attr->branch_sample_type & ~machine->bits);
}

static void assert_left_out(uint64_t can, uint64_t asked, uint64_t expected, const char *names)
{
	struct machine machine = { .bits = can };
	struct perf_event_attr attr = { .branch_sample_type = asked };
	struct strbuf notices;

	strbuf_init(&notices);
	assert_int_equal(branch_probe_fields(&attr, "cycles", &(struct branch_trial){ opens, &machine },
					     &notices),
			 expected != 0);
	assert_int_equal(attr.branch_sample_type, asked & ~expected);
	if (names) {
		struct strbuf line;

		strbuf_init(&line);
		strbuf_addf(
			&line,
			"cycles: left out, because this CPU or kernel does not support it for branches: %s\n",
			names);
		assert_string_equal(notices.bytes, line.bytes);
		strbuf_fini(&line);
	} else {
		assert_int_equal(notices.size, 0);
	}
	strbuf_fini(&notices);
}

static void the_fewest_fields_are_left_out(void **state)
{
	const uint64_t any = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
	const uint64_t type = PERF_SAMPLE_BRANCH_TYPE_SAVE;

	(void)state;
	assert_left_out(any | HW_INDEX, any | HW_INDEX | COUNTERS, COUNTERS, "counter");
	assert_left_out(any | COUNTERS, any | HW_INDEX | COUNTERS, HW_INDEX, "hw_index");
	assert_left_out(any | PRIV_SAVE, any | HW_INDEX | COUNTERS | PRIV_SAVE | type,
			HW_INDEX | COUNTERS | type, "save_type, hw_index, counter");
}

static void kinds_of_branches_are_never_left_out(void **state)
{
	(void)state;
	assert_left_out(PERF_SAMPLE_BRANCH_ANY, PERF_SAMPLE_BRANCH_COND | HW_INDEX, 0, NULL);
	assert_left_out(PERF_SAMPLE_BRANCH_ANY, PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HV, 0, NULL);
}

static void refused_kinds_are_found_one_by_one(void **state)
{
	struct machine machine = { .bits = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER |
					   PERF_SAMPLE_BRANCH_COND };
	const struct branch_trial trial = { opens, &machine };
	const struct perf_event_attr attr = { .branch_sample_type = PERF_SAMPLE_BRANCH_COND |
								    PERF_SAMPLE_BRANCH_IN_TX |
								    PERF_SAMPLE_BRANCH_USER |
								    PERF_SAMPLE_BRANCH_HV | COUNTERS };

	(void)state;
	assert_int_equal(branch_probe_refused_kinds(&attr, &trial),
			 PERF_SAMPLE_BRANCH_IN_TX | PERF_SAMPLE_BRANCH_HV);
	assert_int_equal(machine.trials, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fewest_fields_are_left_out),
		cmocka_unit_test(kinds_of_branches_are_never_left_out),
		cmocka_unit_test(refused_kinds_are_found_one_by_one),
	};

	return cmocka_run_group_tests_name("record/event/branch_probe", tests, NULL, NULL);
}
