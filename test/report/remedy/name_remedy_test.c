#include "report/remedy/name_remedy.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/nameless_profile.h"

static struct nameless_profile nameless;

static int set_up(void **state)
{
	(void)state;
	nameless_profile_init(&nameless);
	return setenv("DEBUGINFOD_URLS", "http://localhost:1", 1);
}

static int tear_down(void **state)
{
	(void)state;
	nameless_profile_fini(&nameless);
	return 0;
}

/* The text with "ROOT" in place of the directory that is searched. */
static void assert_text(const struct strbuf *out, const char *expected)
{
	const char *at = out->size ? out->bytes : "", *root;
	struct strbuf text;

	strbuf_init(&text);
	for (; (root = strstr(at, nameless.tree.root)); at = root + strlen(nameless.tree.root)) {
		strbuf_add(&text, at, (size_t)(root - at));
		strbuf_adds(&text, "ROOT");
	}
	strbuf_adds(&text, at);
	assert_string_equal(text.size ? text.bytes : "", expected);
	strbuf_fini(&text);
}

static void assert_rendered(double percent, size_t most, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	nameless_profile_load(&nameless, NULL);
	(void)name_remedies_render(&out, &nameless.loaded, "> ", percent, most);
	assert_text(&out, expected);
	strbuf_fini(&out);
}

static void a_stripped_file_of_a_package_has_a_command(void **state)
{
	(void)state;
	temp_tree_file(&nameless.tree, "etc/os-release", "ID=debian\nVERSION_CODENAME=bookworm\n");
	temp_tree_file(&nameless.tree, "var/lib/dpkg/info/hot-things.list", "/.\n/bin\n/bin/hot\n");
	nameless_profile_elf(&nameless, "bin/hot", 1, false);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	assert_rendered(
		0, 0,
		"> 100.0% in /bin/hot: stripped: 'apt-get install hot-things-dbgsym', or --debuginfod=on\n"
		"> packages -dbgsym are in an archive of their own, which is missing in apt's sources: "
		"suite bookworm-debug\n");
}

static void a_stripped_file_of_ones_own_is_told_apart(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/unknown", 0, false);
	nameless_profile_add(&nameless, NAMELESS_UNKNOWN + 0x800, 0, 1);
	assert_rendered(0, 0,
			"> 100.0% in /bin/unknown: stripped: not owned by any known package: put the "
			"unstripped file in its place, or its debug file below a --debug-dir\n");
}

static void what_servers_did_not_have_is_not_looked_for_there_again(void **state)
{
	struct strbuf out;

	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	strbuf_init(&out);
	nameless_profile_load(&nameless, NULL);
	nameless.loaded.servers_asked = true;
	(void)name_remedies_render(&out, &nameless.loaded, "", 0, 0);
	assert_text(&out, "100.0% in /bin/hot: there is no such file in ROOT\n");
	strbuf_fini(&out);
}

/* Expects this remedy for a file that is missing where this machine would have it. */
static void assert_absence(enum recorded_host host, const char *hostname, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	nameless.loaded.facts.host = host;
	nameless.loaded.facts.hostname = hostname;
	(void)name_remedies_render(&out, &nameless.loaded, "", 0, 0);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void a_file_that_is_not_here_is_of_the_machine_that_was_recorded(void **state)
{
	(void)state;
	nameless.symfs = "";
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	nameless_profile_load(&nameless, NULL);
	nameless.loaded.servers_asked = true;
	assert_absence(RECORDED_HOST_THIS, "here",
		       "100.0% in /bin/hot: the file is not here; it was removed or belongs to a container: "
		       "--symfs DIRECTORY with its files\n");
	assert_absence(
		RECORDED_HOST_UNKNOWN, NULL,
		"100.0% in /bin/hot: the file is not here; it was removed or belongs to a container or another "
		"machine: --symfs DIRECTORY with its files\n");
	assert_absence(RECORDED_HOST_OTHER, "elsewhere",
		       "100.0% in /bin/hot: a file of elsewhere: --symfs DIRECTORY with its files, or run "
		       "'xprof archive' there\n");
	assert_absence(RECORDED_HOST_OTHER, NULL,
		       "100.0% in /bin/hot: a file of another machine: --symfs DIRECTORY with its files, or "
		       "run 'xprof archive' there\n");
}

static void that_no_server_is_known_is_said_once(void **state)
{
	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	nameless_profile_elf(&nameless, "bin/hot", 3, true);
	nameless_profile_elf(&nameless, "bin/warm", 4, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 3);
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, 0, 1);
	assert_rendered(0, 0,
			"> 75.0% in /bin/hot: another build of it is in ROOT, or --debuginfod=on\n"
			"> 25.0% in /bin/warm: another build of it is in ROOT, or --debuginfod=on\n"
			"> --debuginfod needs servers in the environment variable DEBUGINFOD_URLS\n");
}

static void the_rest_is_counted(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 3, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 97);
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, 0, 2);
	nameless_profile_add(&nameless, NAMELESS_UNKNOWN + 0x800, 0, 1);
	assert_rendered(0, 1,
			"> 97.0% in /bin/hot: another build of it is in ROOT, or --debuginfod=on\n"
			"> 2 more: 'xprof report --names' lists all\n");
}

static void small_shares_get_no_line(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 999);
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, 0, 1);
	assert_rendered(0.5, 3, "");
}

static void callers_have_a_share_of_their_own(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 3, true);
	nameless_profile_elf(&nameless, "bin/warm", 2, true);
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, NAMELESS_HOT + 0x800, 3);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	assert_rendered(0, 0,
			"> 25.0% (100.0% with callers) in /bin/hot: another build of it is in ROOT, or "
			"--debuginfod=on\n");
}

static void memory_without_a_file_has_no_remedy(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, 0x50000000, 0, 1);
	assert_rendered(0, 0, "> 100.0% in no file: the recording has no mapping at these addresses\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_stripped_file_of_a_package_has_a_command),
		TEST(a_stripped_file_of_ones_own_is_told_apart),
		TEST(what_servers_did_not_have_is_not_looked_for_there_again),
		TEST(a_file_that_is_not_here_is_of_the_machine_that_was_recorded),
		TEST(that_no_server_is_known_is_said_once),
		TEST(the_rest_is_counted),
		TEST(small_shares_get_no_line),
		TEST(callers_have_a_share_of_their_own),
		TEST(memory_without_a_file_has_no_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
