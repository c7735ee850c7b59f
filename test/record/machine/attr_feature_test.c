#include "record/machine/attr_feature.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

static void each_feature_can_be_asked_for_and_dropped(void **state)
{
	(void)state;
	for (int feature = 0; feature < ATTR_FEATURE_COUNT; feature++) {
		struct perf_event_attr attr = { .read_format = PERF_FORMAT_ID, .mmap = 1 };
		struct perf_event_attr before = attr;

		assert_false(attr_feature_is_asked(&attr, feature));
		attr_feature_ask(&attr, feature);
		assert_true(attr_feature_is_asked(&attr, feature));
		attr_feature_drop(&attr, feature);
		assert_memory_equal(&attr, &before, sizeof(attr));
	}
}

static void features_are_the_bits_of_the_header(void **state)
{
	struct perf_event_attr attr = { .read_format = 0 };

	(void)state;
	attr_feature_ask(&attr, ATTR_FEATURE_BUILD_ID);
	assert_true(attr.build_id);
	attr_feature_ask(&attr, ATTR_FEATURE_CLOCKID);
	assert_true(attr.use_clockid);
	attr_feature_ask(&attr, ATTR_FEATURE_MMAP2);
	assert_true(attr.mmap2);
	attr_feature_ask(&attr, ATTR_FEATURE_LOST);
	assert_int_equal(attr.read_format, PERF_FORMAT_LOST);
}

/* linux/perf_event.h of Linux 6.19: defer_callchain is bit 38, defer_output bit 39. */
static void the_event_that_delivers_deferred_chains_has_a_bit_of_its_own(void **state)
{
	struct perf_event_attr sampler = { .sample_type = PERF_SAMPLE_CALLCHAIN };
	struct perf_event_attr sideband = { .sample_type = 0 };
	const unsigned char *bytes = (const unsigned char *)&sampler + 40 + 4;

	(void)state;
	attr_feature_ask(&sampler, ATTR_FEATURE_DEFER_CALLCHAIN);
	attr_feature_ask(&sideband, ATTR_FEATURE_DEFER_CALLCHAIN);
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
		assert_int_equal(*bytes, 1 << 6);
		bytes = (const unsigned char *)&sideband + 40 + 4;
		assert_int_equal(*bytes, 1 << 7);
	}
	assert_memory_not_equal(&sampler, &sideband, sizeof(sampler));
}

static void what_the_user_asked_for_is_not_stripped(void **state)
{
	struct perf_event_attr attr = { .namespaces = 1, .context_switch = 1, .use_clockid = 1, .cgroup = 1 };

	(void)state;
	assert_null(attr_feature_strip(&attr));
	assert_true(attr.namespaces && attr.context_switch && attr.use_clockid && attr.cgroup);
}

static void the_newest_feature_is_stripped_first(void **state)
{
	struct perf_event_attr attr = { .mmap2 = 1, .build_id = 1, .sample_type = PERF_SAMPLE_CALLCHAIN };

	(void)state;
	attr_feature_ask(&attr, ATTR_FEATURE_DEFER_CALLCHAIN);
	assert_string_equal(attr_feature_strip(&attr), "defer_callchain");
	assert_string_equal(attr_feature_strip(&attr), "build_id");
	assert_string_equal(attr_feature_strip(&attr), "mmap2");
	assert_null(attr_feature_strip(&attr));
}

/* A kernel of Linux 5.10. */
static int open_in_5_10(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			unsigned long flags)
{
	(void)pid;
	(void)cpu;
	(void)group_fd;
	(void)flags;
	if (attr_feature_is_asked(attr, ATTR_FEATURE_LOST) ||
	    attr_feature_is_asked(attr, ATTR_FEATURE_BUILD_ID) ||
	    attr_feature_is_asked(attr, ATTR_FEATURE_DEFER_CALLCHAIN)) {
		errno = EINVAL;
		return -1;
	}
	if (attr->namespaces) {
		errno = EACCES;
		return -1;
	}
	return dup(0);
}

static void the_kernel_is_asked_for_each_feature_alone(void **state)
{
	const struct perf_calls calls = { .open = open_in_5_10 };

	(void)state;
	assert_int_equal(attr_feature_try(ATTR_FEATURE_LOST, &calls), EINVAL);
	assert_int_equal(attr_feature_try(ATTR_FEATURE_BUILD_ID, &calls), EINVAL);
	assert_int_equal(attr_feature_try(ATTR_FEATURE_DEFER_CALLCHAIN, &calls), EINVAL);
	assert_int_equal(attr_feature_try(ATTR_FEATURE_NAMESPACES, &calls), EACCES);
	assert_int_equal(attr_feature_try(ATTR_FEATURE_CGROUP, &calls), 0);
	assert_int_equal(attr_feature_try(ATTR_FEATURE_BPF_EVENT, &calls), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_feature_can_be_asked_for_and_dropped),
		cmocka_unit_test(features_are_the_bits_of_the_header),
		cmocka_unit_test(the_event_that_delivers_deferred_chains_has_a_bit_of_its_own),
		cmocka_unit_test(what_the_user_asked_for_is_not_stripped),
		cmocka_unit_test(the_newest_feature_is_stripped_first),
		cmocka_unit_test(the_kernel_is_asked_for_each_feature_alone),
	};

	return cmocka_run_group_tests_name("record/machine/attr_feature", tests, NULL, NULL);
}
