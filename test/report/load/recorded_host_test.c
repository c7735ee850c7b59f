#include "report/load/recorded_host.h"

#include <sys/utsname.h>

#include "support/cmocka.h"

static enum recorded_host host_of(const char *hostname, const char *release, const char *arch)
{
	const struct perf_features features = { .hostname = hostname, .os_release = release, .arch = arch };
	static const struct utsname here = { .nodename = "desk",
					     .release = "6.1.0-9-amd64",
					     .machine = "x86_64" };

	return recorded_host_compare(&features, &here);
}

static void a_machine_goes_by_its_name(void **state)
{
	(void)state;
	assert_int_equal(host_of("desk", "6.1.0-9-amd64", "x86_64"), RECORDED_HOST_THIS);
	assert_int_equal(host_of("desk", "5.10.0-1-amd64", "x86_64"),
			 RECORDED_HOST_THIS); /* kernels get updated */
	assert_int_equal(host_of("server", "6.1.0-9-amd64", "x86_64"), RECORDED_HOST_OTHER);
}

static void a_name_that_many_have_says_nothing(void **state)
{
	(void)state;
	assert_int_equal(host_of("localhost", "6.1.0-9-amd64", "x86_64"), RECORDED_HOST_UNKNOWN);
	assert_int_equal(host_of("(none)", NULL, "x86_64"), RECORDED_HOST_UNKNOWN);
	assert_int_equal(host_of("", NULL, NULL), RECORDED_HOST_UNKNOWN);
	assert_int_equal(host_of(NULL, "5.10.0-1-amd64", "x86_64"), RECORDED_HOST_UNKNOWN);
}

static void another_architecture_is_another_machine(void **state)
{
	(void)state;
	assert_int_equal(host_of(NULL, NULL, "aarch64"), RECORDED_HOST_OTHER);
	assert_int_equal(host_of("localhost", NULL, "armv7l"), RECORDED_HOST_OTHER);
	assert_int_equal(host_of("desk", NULL, "i686"),
			 RECORDED_HOST_THIS); /* the recorder was a 32-bit program */
}

static void android_is_another_machine(void **state)
{
	(void)state;
	assert_int_equal(host_of(NULL, "5.4.54-android12-0-00667-gf311d00f3041-ab6719143", "x86_64"),
			 RECORDED_HOST_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_goes_by_its_name),
		cmocka_unit_test(a_name_that_many_have_says_nothing),
		cmocka_unit_test(another_architecture_is_another_machine),
		cmocka_unit_test(android_is_another_machine),
	};

	return cmocka_run_group_tests_name("report/load/recorded_host", tests, NULL, NULL);
}
