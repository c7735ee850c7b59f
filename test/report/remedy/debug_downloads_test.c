#include "report/remedy/debug_downloads.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/nameless_profile.h"

enum { MIB = 1 << 20 };

static struct nameless_profile nameless;
static char cache[96];

/* A server, a user, and what they said. */
static struct {
	struct strbuf asked; /* requests to the server: "executable ab01, debuginfo ab01, " */
	int failure;         /* 0, or the result of every request */
	long size_bytes;
	bool interrupt; /* Ctrl-C, while it sends */
	bool mistakes;  /* it sends a file of another build-id */
	int (*progress)(struct debuginfod_client *client, long received, long total);
	size_t questions;
	char question[512];
	bool answer;
	char *messages;
	size_t messages_size;
} world;

static struct debuginfod_client *begin(void)
{
	return (struct debuginfod_client *)&world;
}

static void end(struct debuginfod_client *client)
{
	(void)client;
}

static void set_progressfn(struct debuginfod_client *client,
			   int (*progress)(struct debuginfod_client *client, long received, long total))
{
	(void)client;
	world.progress = progress;
}

static int find(const char *kind, const unsigned char *build_id, char **path)
{
	char *name = xasprintf("cache/%02x%02x/%s", build_id[0], build_id[1], kind);
	int fd;

	strbuf_addf(&world.asked, "%s %02x%02x, ", kind, build_id[0], build_id[1]);
	if (world.interrupt)
		raise(SIGINT);
	if (world.failure || world.progress(NULL, world.size_bytes, world.size_bytes)) {
		free(name);
		return world.failure ? world.failure : -ENOENT;
	}
	nameless_profile_elf(&nameless, name, build_id[1] ^ world.mistakes, true);
	*path = xasprintf("%s/%s", nameless.tree.root, name);
	assert_int_equal(truncate(*path, world.size_bytes), 0);
	fd = open(*path, O_RDONLY);
	free(name);
	return fd;
}

static int find_debuginfo(struct debuginfod_client *client, const unsigned char *build_id, int size,
			  char **path)
{
	(void)client;
	(void)size;
	return find("debuginfo", build_id, path);
}

static int find_executable(struct debuginfod_client *client, const unsigned char *build_id, int size,
			   char **path)
{
	(void)client;
	(void)size;
	return find("executable", build_id, path);
}

static const struct debuginfod_library library = { begin, end, find_debuginfo, find_executable,
						   set_progressfn };

static bool ask(const char *question, void *context)
{
	(void)context;
	world.questions++;
	snprintf(world.question, sizeof(world.question), "%s", question);
	return world.answer;
}

static int set_up(void **state)
{
	(void)state;
	memset(&world, 0, sizeof(world));
	strbuf_init(&world.asked);
	world.size_bytes = MIB;
	nameless_profile_init(&nameless);
	snprintf(cache, sizeof(cache), "%s/cache", nameless.tree.root);
	unsetenv("DEBUGINFOD_MAXSIZE");
	unsetenv("DEBUGINFOD_TIMEOUT");
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	return setenv("DEBUGINFOD_URLS", "http://localhost:1", 1);
}

static int tear_down(void **state)
{
	(void)state;
	strbuf_fini(&world.asked);
	free(world.messages);
	nameless_profile_fini(&nameless);
	return 0;
}

/* Runs twice, as for two recordings. Returns the first result. */
static bool run(enum debuginfod_mode mode, uint64_t limit_bytes)
{
	static const char *const no_dirs[] = { NULL };
	const struct debug_file_search search = { .symfs = nameless.tree.root,
						  .debug_dirs = no_dirs,
						  .debuginfod_cache = cache };
	FILE *messages = open_memstream(&world.messages, &world.messages_size);
	struct debug_downloads *downloads =
		debug_downloads_create(&(struct debug_downloads_options){ .mode = mode,
									  .limit_bytes = limit_bytes,
									  .messages = messages,
									  .ask = ask,
									  .client_functions = &library });
	bool found;

	nameless_profile_load(&nameless, NULL);
	found = debug_downloads_run(downloads, &nameless.loaded, &search);
	if (!found)
		(void)debug_downloads_run(downloads, &nameless.loaded, &search);
	debug_downloads_destroy(downloads);
	fclose(messages);
	return found;
}

static void on_downloads_what_is_missing_hottest_first(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/warm", 2, false);
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, 0, 2);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 3);
	assert_true(run(DEBUGINFOD_ON, 100 * MIB));
	assert_string_equal(world.asked.bytes, "executable ab01, debuginfo ab01, debuginfo ab02, ");
	assert_int_equal(world.questions, 0);
	assert_string_equal(world.messages, "xprof: debuginfod: 3 files, 3.00 MiB downloaded\n");
}

static void off_asks_no_server(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 3);
	assert_false(run(DEBUGINFOD_OFF, 100 * MIB));
	assert_int_equal(world.asked.size + world.questions, 0);
	assert_string_equal(world.messages, "");
}

static void the_question_says_what_and_how_much(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 3);
	nameless_profile_add(&nameless, NAMELESS_WARM, 0, 1);
	world.answer = true;
	assert_true(run(DEBUGINFOD_ASK, 100 * MIB));
	assert_string_equal(
		world.question,
		"xprof: 2 files have debug information that is missing here: hot (75.0% of samples), warm "
		"(25.0% of samples)\nDownload it from the servers in DEBUGINFOD_URLS, at most 100 MiB, hottest "
		"first? (--debuginfod=on or off: no question)");
}

static void who_says_no_is_not_asked_again(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 3);
	assert_false(run(DEBUGINFOD_ASK, 100 * MIB));
	assert_int_equal(world.questions, 1);
	assert_int_equal(world.asked.size, 0);
}

static void without_servers_none_is_asked(void **state)
{
	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 3);
	assert_false(run(DEBUGINFOD_ASK, 100 * MIB));
	assert_int_equal(world.questions, 0);
	assert_string_equal(world.messages, "");
}

static void a_file_that_no_server_had_lately_is_not_asked_for(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, false);
	temp_tree_file(&nameless.tree, "cache/ab01/debuginfo", "");
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 3);
	assert_false(run(DEBUGINFOD_ASK, 100 * MIB));
	assert_int_equal(world.questions, 0);
}

static void the_limit_is_one_of_all_files(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, false);
	nameless_profile_elf(&nameless, "bin/warm", 2, false);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 3);
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, 0, 2);
	assert_true(run(DEBUGINFOD_ON, MIB + MIB / 2));
	assert_string_equal(
		world.messages,
		"xprof: debuginfod: warm: not downloaded: it has 1.00 MiB, more than the 512 KiB that "
		"--debuginfod-limit leaves\nxprof: debuginfod: 1 file, 1.00 MiB downloaded\n");
}

static void what_no_server_has_is_counted(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, false);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 3);
	world.failure = -ENOENT;
	assert_false(run(DEBUGINFOD_ON, MIB));
	assert_non_null(strstr(world.messages, "no server has 1 of the requested files\n"));
}

static void a_file_of_another_build_id_is_said_and_not_counted(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, false);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 3);
	world.mistakes = true;
	assert_false(run(DEBUGINFOD_ON, 100 * MIB));
	assert_non_null(strstr(world.messages, "hot: it is another file than requested, and is not used: "
					       "its build-id is ab00"));
	assert_null(strstr(world.messages, "downloaded"));
}

static void a_server_that_is_silent_is_asked_once(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 3);
	nameless_profile_add(&nameless, NAMELESS_WARM, 0, 2);
	world.failure = -ETIME;
	assert_false(run(DEBUGINFOD_ON, MIB));
	assert_string_equal(world.asked.bytes, "executable ab01, ");
	assert_non_null(strstr(world.messages, "hot: no server answers in time (DEBUGINFOD_TIMEOUT)\n"));
}

static void servers_that_cannot_be_reached_are_given_up(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 3);
	nameless_profile_add(&nameless, NAMELESS_WARM, 0, 2);
	world.failure = -ECONNREFUSED;
	assert_false(run(DEBUGINFOD_ON, MIB));
	assert_string_equal(world.asked.bytes, "executable ab01, debuginfo ab01, executable ab02, ");
	assert_non_null(strstr(world.messages, "cannot be reached: going on without\n"));
}

static void ctrl_c_ends_the_downloads_alone(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 3);
	nameless_profile_add(&nameless, NAMELESS_WARM, 0, 2);
	world.interrupt = true;
	assert_false(run(DEBUGINFOD_ON, MIB));
	assert_string_equal(world.asked.bytes, "executable ab01, ");
	assert_string_equal(world.messages, "xprof: debuginfod: stopped: going on with what is there\n");
}

static void who_is_declined_is_told_once_and_only_if_he_had_asked(void **state)
{
	static const enum debuginfod_mode modes[] = { DEBUGINFOD_ON, DEBUGINFOD_ASK, DEBUGINFOD_OFF };
	FILE *messages = open_memstream(&world.messages, &world.messages_size);

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct debug_downloads *downloads = debug_downloads_create(
			&(struct debug_downloads_options){ .mode = modes[i], .messages = messages });

		debug_downloads_decline(downloads, "it is a pipe");
		debug_downloads_decline(downloads, "it is a pipe");
		if (modes[i] == DEBUGINFOD_ON)
			assert_false(debug_downloads_are_possible(downloads));
		debug_downloads_destroy(downloads);
	}
	fclose(messages);
	assert_string_equal(world.messages, "xprof: debuginfod: it is a pipe\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(on_downloads_what_is_missing_hottest_first),
		TEST(off_asks_no_server),
		TEST(the_question_says_what_and_how_much),
		TEST(who_says_no_is_not_asked_again),
		TEST(without_servers_none_is_asked),
		TEST(a_file_that_no_server_had_lately_is_not_asked_for),
		TEST(the_limit_is_one_of_all_files),
		TEST(what_no_server_has_is_counted),
		TEST(a_file_of_another_build_id_is_said_and_not_counted),
		TEST(a_server_that_is_silent_is_asked_once),
		TEST(servers_that_cannot_be_reached_are_given_up),
		TEST(ctrl_c_ends_the_downloads_alone),
		TEST(who_is_declined_is_told_once_and_only_if_he_had_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
