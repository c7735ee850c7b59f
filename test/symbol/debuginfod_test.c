#include "symbol/debuginfod.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/temp_tree.h"

/* A libdebuginfod that behaves as a test has set it up. */
static struct {
	struct temp_tree tree;
	int result;          /* result of find: 0 returns a file, else a negated errno value */
	long totals[4][2];   /* values passed to the progress function, up to a line of zeros */
	size_t calls;        /* calls of the progress function, until it stopped the transfer */
	char asked[64];      /* "debuginfo abcd" */
	bool leaves_absence; /* leaves an empty file after a stopped transfer, as elfutils 0.188 */
	size_t waits;        /* calls before the first answer: the progress function gets their number */
	size_t written[4]; /* by call: what the client has written so far, to a file that it renames in the end */
	size_t wrong_files; /* so many answers are files with another build-id */
	bool sends_prose;   /* sends something that is no ELF file */
	size_t answers;
	bool ended;
	int (*progress)(struct debuginfod_client *client, long received, long total);
} fake;

static struct debuginfod_client *begin(void)
{
	return (struct debuginfod_client *)&fake;
}

static void end(struct debuginfod_client *client)
{
	(void)client;
	fake.ended = true;
}

static void set_progressfn(struct debuginfod_client *client,
			   int (*progress)(struct debuginfod_client *client, long received, long total))
{
	(void)client;
	fake.progress = progress;
}

/* Larger than what the client passes, since the transfer is compressed. */
static void write_part(const char *kind, size_t size)
{
	char name[64], path[256];

	if (!size)
		return;
	snprintf(name, sizeof(name), "abcd/%s.aBcDeF", kind);
	snprintf(path, sizeof(path), "%s/%s", fake.tree.root, name);
	if (access(path, F_OK) != 0)
		temp_tree_file(&fake.tree, name, "");
	assert_int_equal(truncate(path, (off_t)size), 0);
}

static void write_answer(const char *name)
{
	const uint8_t id[] = { 0xab, fake.answers++ < fake.wrong_files ? 0xce : 0xcd };
	struct elf_builder builder;

	if (fake.sends_prose) {
		temp_tree_file(&fake.tree, name, "<html>come back later</html>");
		return;
	}
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_build_id(&builder, id, sizeof(id));
	elf_builder_write(&builder, &fake.tree, name);
}

static int find(const char *kind, struct debuginfod_client *client, const unsigned char *build_id, int size,
		char **path)
{
	char name[32];
	size_t i;

	assert_int_equal(size, 2);
	snprintf(fake.asked, sizeof(fake.asked), "%s %02x%02x", kind, build_id[0], build_id[1]);
	snprintf(name, sizeof(name), "abcd/%s", kind);
	for (i = 1; i <= fake.waits; i++)
		if (fake.progress(client, (long)i, 0))
			return -ENOENT;
	for (i = 0; i < 4 && (fake.totals[i][0] || fake.totals[i][1]); i++) {
		write_part(kind, fake.written[i]);
		fake.calls++;
		if (!fake.progress(client, fake.totals[i][0], fake.totals[i][1]))
			continue;
		if (fake.leaves_absence)
			temp_tree_file(&fake.tree, name, "");
		return -ENOENT;
	}
	if (fake.result)
		return fake.result;
	write_answer(name);
	*path = xasprintf("%s/%s", fake.tree.root, name);
	return open(*path, O_RDONLY);
}

static int find_debuginfo(struct debuginfod_client *client, const unsigned char *build_id, int size,
			  char **path)
{
	return find("debuginfo", client, build_id, size, path);
}

static int find_executable(struct debuginfod_client *client, const unsigned char *build_id, int size,
			   char **path)
{
	return find("executable", client, build_id, size, path);
}

static const struct debuginfod_library library = { begin, end, find_debuginfo, find_executable,
						   set_progressfn };

static int set_up(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	temp_tree_create(&fake.tree);
	unsetenv("DEBUGINFOD_TIMEOUT");
	unsetenv("DEBUGINFOD_MAXSIZE");
	return setenv("DEBUGINFOD_CACHE_PATH", fake.tree.root, 1);
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&fake.tree);
	return 0;
}

static struct debuginfod_request request = { .build_id = { .bytes = { 0xab, 0xcd }, .size = 2 } };

static enum debuginfod_status fetch(struct debuginfod_file *file, struct error *err)
{
	struct debuginfod *debuginfod = debuginfod_create(&library, err);
	enum debuginfod_status status = debuginfod_fetch(debuginfod, &request, file, err);

	debuginfod_destroy(debuginfod);
	return status;
}

static void assert_status(enum debuginfod_status expected)
{
	struct debuginfod_file file;
	struct error err;

	assert_int_equal(fetch(&file, &err), expected);
	free(file.path);
}

static void a_file_that_is_found_comes_with_its_path_and_size(void **state)
{
	struct debuginfod_file file;
	struct error err;
	struct stat st;

	(void)state;
	fake.totals[0][0] = fake.totals[0][1] = 7;
	assert_int_equal(fetch(&file, &err), DEBUGINFOD_FOUND);
	assert_string_equal(file.path + strlen(fake.tree.root), "/abcd/debuginfo");
	assert_int_equal(stat(file.path, &st), 0);
	assert_int_equal(file.size_bytes, st.st_size);
	assert_true(file.downloaded);
	assert_string_equal(fake.asked, "debuginfo abcd");
	assert_true(fake.ended);
	free(file.path);
}

static void a_file_of_the_cache_was_not_downloaded(void **state)
{
	struct debuginfod_file file;
	struct error err;

	(void)state;
	assert_int_equal(fetch(&file, &err), DEBUGINFOD_FOUND);
	assert_false(file.downloaded);
	free(file.path);
}

static void assert_refused(const char *why)
{
	struct debuginfod_file file;
	struct error err;
	char path[128];

	fake.totals[0][0] = fake.totals[0][1] = 7;
	assert_int_equal(fetch(&file, &err), DEBUGINFOD_WRONG);
	assert_null(file.path);
	assert_non_null(strstr(err.message, "it is another file than requested, and is not used: "));
	assert_non_null(strstr(err.message, why));
	snprintf(path, sizeof(path), "%s/abcd/debuginfo", fake.tree.root);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(fake.answers, 1);
}

static void a_file_of_another_build_id_is_refused_and_not_kept(void **state)
{
	(void)state;
	fake.wrong_files = 2;
	assert_refused("its build-id is abce");
}

static void what_is_no_elf_file_is_refused_and_not_kept(void **state)
{
	(void)state;
	fake.sends_prose = true;
	assert_refused("debuginfo");
}

static void what_lay_wrong_in_the_cache_is_asked_for_anew(void **state)
{
	(void)state;
	fake.wrong_files = 1;
	assert_status(DEBUGINFOD_FOUND);
	assert_int_equal(fake.answers, 2);
}

static void executables_are_another_question(void **state)
{
	(void)state;
	request.kind = DEBUGINFOD_EXECUTABLE;
	assert_status(DEBUGINFOD_FOUND);
	request.kind = DEBUGINFOD_DEBUGINFO;
	assert_string_equal(fake.asked, "executable abcd");
}

static void failures_are_told_apart(void **state)
{
	static const struct {
		int result;
		enum debuginfod_status status;
	} failures[] = {
		{ -ENOENT, DEBUGINFOD_ABSENT },       { -EFBIG, DEBUGINFOD_TOO_LARGE },
		{ -ETIME, DEBUGINFOD_SILENT },        { -ECONNREFUSED, DEBUGINFOD_FAILED },
		{ -EHOSTUNREACH, DEBUGINFOD_FAILED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		fake.result = failures[i].result;
		assert_status(failures[i].status);
	}
}

static void what_is_too_large_is_stopped_when_the_server_says_so(void **state)
{
	struct debuginfod_file file;
	struct error err;

	(void)state;
	request.max_size_bytes = 1000;
	fake.totals[0][0] = 1; /* one call, no answer yet */
	fake.totals[1][0] = 10;
	fake.totals[1][1] = 1001;
	fake.totals[2][0] = 20;
	fake.totals[2][1] = 1001;
	assert_int_equal(fetch(&file, &err), DEBUGINFOD_TOO_LARGE);
	request.max_size_bytes = 0;
	assert_int_equal(fake.calls, 2);
	assert_int_equal(file.size_bytes, 1001);
	assert_null(file.path);
}

static void what_is_too_large_is_stopped_when_no_total_is_known(void **state)
{
	(void)state;
	request.max_size_bytes = 100000;
	fake.totals[0][0] = 100000;
	fake.totals[1][0] = 200000;
	fake.totals[2][0] = 300000;
	assert_status(DEBUGINFOD_TOO_LARGE);
	request.max_size_bytes = 0;
	assert_int_equal(fake.calls, 2);
}

static void what_is_compressed_on_its_way_is_measured_where_it_is_written(void **state)
{
	(void)state;
	request.max_size_bytes = 1000000;
	fake.totals[0][0] = 1000;
	fake.written[0] = 1000000;
	fake.totals[1][0] = 2000;
	fake.written[1] = 2000000;
	fake.totals[2][0] = 3000;
	assert_status(DEBUGINFOD_TOO_LARGE);
	request.max_size_bytes = 0;
	assert_int_equal(fake.calls, 2);
}

static void what_killed_clients_left_is_not_measured(void **state)
{
	(void)state;
	write_part("debuginfo", 2000000);
	request.max_size_bytes = 1000000;
	fake.totals[0][0] = fake.totals[0][1] = 1000;
	assert_status(DEBUGINFOD_FOUND);
	request.max_size_bytes = 0;
}

static void what_became_too_large_unseen_is_not_kept(void **state)
{
	(void)state;
	request.max_size_bytes = 30;
	fake.totals[0][0] = fake.totals[0][1] = 30;
	assert_status(DEBUGINFOD_TOO_LARGE);
	request.max_size_bytes = 0;
}

static void the_client_does_not_remember_as_absent_what_was_stopped(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/abcd/debuginfo", fake.tree.root);
	fake.leaves_absence = true;
	fake.totals[0][0] = fake.totals[0][1] = 7;
	request.max_size_bytes = 1;
	assert_status(DEBUGINFOD_TOO_LARGE);
	request.max_size_bytes = 0;
	assert_int_equal(access(path, F_OK), -1);
}

static bool stop(uint64_t received_bytes, uint64_t total_bytes, void *context)
{
	uint64_t *seen = context;

	seen[0] = received_bytes;
	seen[1] = total_bytes;
	return received_bytes < 5;
}

static bool see(uint64_t received_bytes, uint64_t total_bytes, void *context)
{
	uint64_t *seen = context;

	(void)total_bytes;
	seen[0] = received_bytes > seen[0] ? received_bytes : seen[0];
	seen[1]++;
	return true;
}

/* As many calls as endless redirections cause: they must not count as bytes that arrive. */
static void calls_without_an_answer_are_no_bytes(void **state)
{
	uint64_t seen[2] = { 0, 0 };

	(void)state;
	request.progress = see;
	request.context = seen;
	fake.waits = 70000;
	assert_status(DEBUGINFOD_FOUND);
	request.progress = NULL;
	assert_int_equal(seen[0], 0);
	assert_int_equal(seen[1], 70000);
}

static void who_watches_can_stop_it(void **state)
{
	uint64_t seen[2];

	(void)state;
	request.progress = stop;
	request.context = seen;
	fake.totals[0][0] = 4;
	fake.totals[1][0] = 5;
	fake.totals[0][1] = fake.totals[1][1] = 7;
	assert_status(DEBUGINFOD_STOPPED);
	request.progress = NULL;
	assert_int_equal(fake.calls, 2);
	assert_int_equal(seen[0], 5);
	assert_int_equal(seen[1], 7);
}

static void the_cache_is_where_the_client_has_it(void **state)
{
	char expected[128], *directory;

	(void)state;
	unsetenv("DEBUGINFOD_CACHE_PATH");
	setenv("HOME", fake.tree.root, 1);
	setenv("XDG_CACHE_HOME", "", 1);
	directory = debuginfod_cache_directory();
	snprintf(expected, sizeof(expected), "%s/.cache/debuginfod_client", fake.tree.root);
	assert_string_equal(directory, expected);
	free(directory);
	setenv("XDG_CACHE_HOME", "/caches", 1);
	directory = debuginfod_cache_directory();
	assert_string_equal(directory, "/caches/debuginfod_client");
	free(directory);
	temp_tree_file(&fake.tree, ".debuginfod_client_cache/cache_clean_interval_s", "1");
	directory = debuginfod_cache_directory();
	snprintf(expected, sizeof(expected), "%s/.debuginfod_client_cache", fake.tree.root);
	assert_string_equal(directory, expected);
	free(directory);
}

static void an_environment_of_spaces_names_no_server(void **state)
{
	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	assert_false(debuginfod_has_servers());
	setenv("DEBUGINFOD_URLS", "  ", 1);
	assert_false(debuginfod_has_servers());
	setenv("DEBUGINFOD_URLS", "http://localhost:1", 1);
	assert_true(debuginfod_has_servers());
}

static void a_limit_that_is_no_number_is_none(void **state)
{
	(void)state;
	assert_int_equal(debuginfod_max_size_bytes(), 0);
	setenv("DEBUGINFOD_MAXSIZE", "-1", 1);
	assert_int_equal(debuginfod_max_size_bytes(), 0);
	setenv("DEBUGINFOD_MAXSIZE", "4096", 1);
	assert_int_equal(debuginfod_max_size_bytes(), 4096);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_that_is_found_comes_with_its_path_and_size),
		TEST(a_file_of_the_cache_was_not_downloaded),
		TEST(a_file_of_another_build_id_is_refused_and_not_kept),
		TEST(what_is_no_elf_file_is_refused_and_not_kept),
		TEST(what_lay_wrong_in_the_cache_is_asked_for_anew),
		TEST(executables_are_another_question),
		TEST(failures_are_told_apart),
		TEST(what_is_too_large_is_stopped_when_the_server_says_so),
		TEST(what_is_too_large_is_stopped_when_no_total_is_known),
		TEST(what_is_compressed_on_its_way_is_measured_where_it_is_written),
		TEST(what_killed_clients_left_is_not_measured),
		TEST(what_became_too_large_unseen_is_not_kept),
		TEST(the_client_does_not_remember_as_absent_what_was_stopped),
		TEST(calls_without_an_answer_are_no_bytes),
		TEST(who_watches_can_stop_it),
		TEST(the_cache_is_where_the_client_has_it),
		TEST(an_environment_of_spaces_names_no_server),
		TEST(a_limit_that_is_no_number_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
