#include "report/dump/task_list.h"

#include <string.h>
#include <sys/mman.h>

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

static struct perf_data_builder *builder;

static int set_up(void **state)
{
	(void)state;
	builder = perf_data_builder_create(BUILD_NATIVE);
	perf_data_builder_add_clock(builder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	perf_data_builder_destroy(builder);
	return 0;
}

static void map_pages(uint32_t pid, uint64_t start, uint64_t pages, const char *path, uint64_t time_ns)
{
	perf_data_builder_mmap2(builder, &(struct built_mmap){ .pid = pid,
							       .tid = pid,
							       .start = start,
							       .length = pages * 0x1000,
							       .file_offset = 0x2000,
							       .inode = 42,
							       .prot = PROT_READ | PROT_EXEC,
							       .flags = MAP_PRIVATE,
							       .misc = PERF_RECORD_MISC_USER,
							       .path = path,
							       .time_ns = time_ns });
}

static void map(uint32_t pid, uint64_t start, const char *path, uint64_t time_ns)
{
	map_pages(pid, start, 1, path, time_ns);
}

static void assert_list(bool with_mappings, const char *expected)
{
	struct task_list *list = task_list_create();
	struct perf_file *file;
	struct strbuf out;
	struct event event;
	struct error err;

	perf_data_builder_finish_file(builder);
	file = perf_data_builder_open(builder);
	while (perf_file_next(file, &event, &err) == 1)
		assert_int_equal(task_list_apply(list, file, &event, &err), 0);
	strbuf_init(&out);
	task_list_add(&out, list, with_mappings);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	task_list_destroy(list);
	perf_file_close(file);
}

static void a_task_stands_indented_below_the_one_that_began_it(void **state)
{
	(void)state;
	perf_data_builder_comm(builder, 10, 10, "shell", 1);
	perf_data_builder_fork(builder, 30, 10, 30, 10, 2);
	perf_data_builder_comm(builder, 30, 30, "make", 3);
	perf_data_builder_fork(builder, 20, 30, 20, 30, 4);
	perf_data_builder_comm(builder, 20, 20, "cc", 5);
	assert_list(false, "#      pid      tid     ppid  comm\n"
			   "         0        0       -1 |swapper\n"
			   "        10       10       -1 |shell\n"
			   "        30       30       10 | make\n"
			   "        20       20       30 |  cc\n");
}

static void threads_are_tasks_of_their_process(void **state)
{
	(void)state;
	perf_data_builder_comm(builder, 10, 10, "server", 1);
	perf_data_builder_fork(builder, 10, 10, 12, 10, 2);
	perf_data_builder_comm(builder, 10, 12, "worker", 3);
	perf_data_builder_fork(builder, 10, 10, 11, 10, 4);
	assert_list(false, "#      pid      tid     ppid  comm\n"
			   "         0        0       -1 |swapper\n"
			   "        10       10       -1 |server\n"
			   "        10       11       10 | server\n"
			   "        10       12       10 | worker\n");
}

static void tasks_that_seem_to_descend_from_each_other_do_not_hang(void **state)
{
	(void)state;
	perf_data_builder_fork(builder, 10, 20, 10, 20, 1);
	perf_data_builder_fork(builder, 20, 10, 20, 10, 2);
	perf_data_builder_comm(builder, 10, 10, "a", 3);
	perf_data_builder_comm(builder, 20, 20, "b", 3);
	assert_list(false, "#      pid      tid     ppid  comm\n"
			   "         0        0       -1 |swapper\n"
			   "        20       20       10 |b\n"
			   "        10       10       20 | a\n");
}

static void tasks_are_listed_however_deep_they_are(void **state)
{
	enum { DEPTH = 150 };
	struct task_list *list = task_list_create();
	struct perf_file *file;
	struct strbuf out;
	struct event event;
	size_t lines = 0;

	(void)state;
	perf_data_builder_comm(builder, 1, 1, "first", 1);
	for (uint32_t i = 1; i < DEPTH; i++)
		perf_data_builder_fork(builder, i + 1, i, i + 1, i, 1 + i);
	perf_data_builder_finish_file(builder);
	file = perf_data_builder_open(builder);
	while (perf_file_next(file, &event, NULL) == 1)
		assert_int_equal(task_list_apply(list, file, &event, NULL), 0);
	strbuf_init(&out);
	task_list_add(&out, list, false);
	for (const char *at = out.bytes; (at = strchr(at, '\n')); at++)
		lines++;
	assert_int_equal(lines, DEPTH + 2); /* with the headings and swapper */
	strbuf_fini(&out);
	task_list_destroy(list);
	perf_file_close(file);
}

static void mappings_are_those_that_are_left_in_the_end(void **state)
{
	(void)state;
	perf_data_builder_comm(builder, 10, 10, "a", 1);
	map(10, 0x400000, "/bin/old", 2);
	map(10, 0x400000, "/bin/new", 3);
	map(10, 0x300000, "/lib/first.so", 4);
	assert_list(true, "#      pid      tid     ppid  comm\n"
			  "         0        0       -1 |swapper\n"
			  "        10       10       -1 |a\n"
			  "                                300000-301000 r-xp 00002000 42 /lib/first.so\n"
			  "                                400000-401000 r-xp 00002000 42 /bin/new\n");
}

/* As after mprotect(): by the dynamic linker, of a part in the middle; after exec(), a program has no mappings from before. */
static void of_a_mapping_that_is_covered_the_rest_is_left(void **state)
{
	(void)state;
	perf_data_builder_comm(builder, 10, 10, "a", 1);
	map_pages(10, 0x400000, 4, "/lib/relro.so", 2);
	map_pages(10, 0x400000, 2, "/lib/relro.so", 3);
	map_pages(10, 0x500000, 5, "/lib/outer.so", 4);
	map_pages(10, 0x502000, 1, "/lib/inner.so", 5);
	assert_list(true, "#      pid      tid     ppid  comm\n"
			  "         0        0       -1 |swapper\n"
			  "        10       10       -1 |a\n"
			  "                                400000-402000 r-xp 00002000 42 /lib/relro.so\n"
			  "                                402000-404000 r-xp 00004000 42 /lib/relro.so\n"
			  "                                500000-502000 r-xp 00002000 42 /lib/outer.so\n"
			  "                                502000-503000 r-xp 00002000 42 /lib/inner.so\n"
			  "                                503000-505000 r-xp 00005000 42 /lib/outer.so\n");
}

static void mappings_are_inherited_from_all_that_a_process_descends_from(void **state)
{
	(void)state;
	perf_data_builder_comm(builder, 10, 10, "a", 1);
	map(10, 0x400000, "/bin/a", 2);
	perf_data_builder_fork(builder, 20, 10, 20, 10, 3);
	map(20, 0x500000, "/lib/b.so", 4);
	map(10, 0x600000, "/lib/too_late.so", 5);
	perf_data_builder_fork(builder, 5, 20, 5, 20, 6);
	assert_list(true, "#      pid      tid     ppid  comm\n"
			  "         0        0       -1 |swapper\n"
			  "        10       10       -1 |a\n"
			  "                                400000-401000 r-xp 00002000 42 /bin/a\n"
			  "                                600000-601000 r-xp 00002000 42 /lib/too_late.so\n"
			  "        20       20       10 | a\n"
			  "                                 400000-401000 r-xp 00002000 42 /bin/a\n"
			  "                                 500000-501000 r-xp 00002000 42 /lib/b.so\n"
			  "         5        5       20 |  a\n"
			  "                                  400000-401000 r-xp 00002000 42 /bin/a\n"
			  "                                  500000-501000 r-xp 00002000 42 /lib/b.so\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_task_stands_indented_below_the_one_that_began_it),
		TEST(threads_are_tasks_of_their_process),
		TEST(tasks_that_seem_to_descend_from_each_other_do_not_hang),
		TEST(tasks_are_listed_however_deep_they_are),
		TEST(mappings_are_those_that_are_left_in_the_end),
		TEST(of_a_mapping_that_is_covered_the_rest_is_left),
		TEST(mappings_are_inherited_from_all_that_a_process_descends_from),
	};

	return cmocka_run_group_tests_name("report/dump/task_list", tests, NULL, NULL);
}
