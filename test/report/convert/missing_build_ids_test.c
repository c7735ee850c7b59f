#include "report/convert/missing_build_ids.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "elf/build_id.h"
#include "support/cmocka.h"
#include "support/state_record.h"

/* This test is a program with a build-id. */
struct fixture {
	char path[PATH_MAX];
	struct stat st;
	struct utsname here;
	struct perf_features features;
	struct state_record record;
};

static struct fixture begin(void)
{
	struct fixture fixture = { 0 };

	assert_true(readlink("/proc/self/exe", fixture.path, sizeof(fixture.path) - 1) > 0);
	assert_int_equal(stat(fixture.path, &fixture.st), 0);
	assert_int_equal(uname(&fixture.here), 0);
	return fixture;
}

static const struct event *map(struct fixture *fixture, uint64_t inode)
{
	return state_mmap2(
		&fixture->record,
		&(struct mmap_of){
			.pid = 1, .start = 0x1000, .length = 0x1000, .path = fixture->path, .inode = inode });
}

static void a_file_that_is_still_the_same_tells_its_build_id_once(void **state)
{
	struct fixture fixture = begin();
	struct missing_build_ids *missing = missing_build_ids_create(&fixture.features);
	struct written_build_id found;
	struct build_id expected;

	(void)state;
	if (build_id_read_file(&expected, fixture.path, NULL) != 0)
		skip();
	assert_true(missing_build_ids_look(missing, map(&fixture, fixture.st.st_ino), &found));
	assert_string_equal(found.path, fixture.path);
	assert_int_equal(found.misc, PERF_RECORD_MISC_USER);
	assert_int_equal(found.build_id_size, expected.size);
	assert_memory_equal(found.build_id, expected.bytes, expected.size);
	assert_false(missing_build_ids_look(missing, map(&fixture, fixture.st.st_ino), &found));
	assert_int_equal(missing_build_id_counts(missing).added, 1);
	missing_build_ids_destroy(missing);
	state_record_fini(&fixture.record);
}

static void a_file_that_took_the_path_later_is_not_asked(void **state)
{
	struct fixture fixture = begin();
	struct missing_build_ids *missing = missing_build_ids_create(&fixture.features);
	struct written_build_id found;

	(void)state;
	assert_false(missing_build_ids_look(missing, map(&fixture, fixture.st.st_ino + 1), &found));
	assert_int_equal(missing_build_id_counts(missing).changed, 1);
	missing_build_ids_destroy(missing);
	state_record_fini(&fixture.record);
}

static void files_of_another_host_are_not_asked(void **state)
{
	struct fixture fixture = begin();
	struct missing_build_ids *missing;
	struct written_build_id found;

	(void)state;
	fixture.features.hostname = "another-host.example";
	missing = missing_build_ids_create(&fixture.features);
	assert_false(missing_build_ids_look(missing, map(&fixture, fixture.st.st_ino), &found));
	assert_int_equal(missing_build_id_counts(missing).foreign, 1);
	missing_build_ids_destroy(missing);
	state_record_fini(&fixture.record);
}

static void without_an_inode_the_host_has_to_be_this_one(void **state)
{
	struct fixture fixture = begin();
	struct written_build_id found;
	struct build_id expected;

	(void)state;
	if (build_id_read_file(&expected, fixture.path, NULL) != 0)
		skip();
	for (int named = 0; named < 2; named++) {
		struct missing_build_ids *missing;

		fixture.features.hostname = named ? fixture.here.nodename : NULL;
		missing = missing_build_ids_create(&fixture.features);
		assert_int_equal(missing_build_ids_look(missing, map(&fixture, 0), &found), named);
		assert_int_equal(missing_build_id_counts(missing).foreign, !named);
		missing_build_ids_destroy(missing);
	}
	state_record_fini(&fixture.record);
}

static void what_the_recording_tells_is_not_missing(void **state)
{
	struct fixture fixture = begin();
	const struct build_id_entry known = { .path = fixture.path, .build_id = { 1 }, .build_id_size = 20 };
	struct missing_build_ids *missing;
	struct written_build_id found;

	(void)state;
	fixture.features.build_ids = &known;
	fixture.features.build_id_count = 1;
	missing = missing_build_ids_create(&fixture.features);
	assert_false(missing_build_ids_look(missing, map(&fixture, fixture.st.st_ino), &found));
	assert_int_equal(missing_build_id_counts(missing).added, 0);
	assert_int_equal(missing_build_id_counts(missing).absent, 0);
	missing_build_ids_destroy(missing);
	state_record_fini(&fixture.record);
}

static void a_file_that_is_gone_is_counted(void **state)
{
	struct fixture fixture = begin();
	struct missing_build_ids *missing = missing_build_ids_create(&fixture.features);
	struct written_build_id found;

	(void)state;
	strcpy(fixture.path, "/nonexistent/libgone.so");
	assert_false(missing_build_ids_look(missing, map(&fixture, 5), &found));
	assert_int_equal(missing_build_id_counts(missing).absent, 1);
	missing_build_ids_destroy(missing);
	state_record_fini(&fixture.record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_is_still_the_same_tells_its_build_id_once),
		cmocka_unit_test(a_file_that_took_the_path_later_is_not_asked),
		cmocka_unit_test(files_of_another_host_are_not_asked),
		cmocka_unit_test(without_an_inode_the_host_has_to_be_this_one),
		cmocka_unit_test(what_the_recording_tells_is_not_missing),
		cmocka_unit_test(a_file_that_is_gone_is_counted),
	};

	return cmocka_run_group_tests_name("report/convert/missing_build_ids", tests, NULL, NULL);
}
