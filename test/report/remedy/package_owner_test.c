#include "report/remedy/package_owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static void debian(const struct temp_tree *tree, const char *codename)
{
	char text[128];

	snprintf(text, sizeof(text), "PRETTY_NAME=\"Debian\"\nVERSION_CODENAME=%s\nID=debian\n", codename);
	temp_tree_file(tree, "etc/os-release", text);
}

/* The package of the file and the command for its debug symbols; "" without a package. */
static void assert_owner(const struct temp_tree *tree, const char *path, const char *package,
			 const char *command)
{
	struct package_query query = { .path = path };
	struct distribution distribution;
	struct strbuf out;

	strbuf_init(&out);
	distribution_identify(&distribution, tree->root);
	package_owners_find(&distribution, &query, 1);
	assert_string_equal(query.package ? query.package : "", package);
	if (query.package)
		package_debug_command_add(&out, &distribution, query.package);
	assert_string_equal(out.size ? out.bytes : "", command);
	strbuf_fini(&out);
	free(query.package);
}

static void dpkg_lists_the_files_of_each_package(void **state)
{
	const struct temp_tree *tree = *state;

	debian(tree, "bookworm");
	temp_tree_file(tree, "var/lib/dpkg/info/liblzma5:amd64.list",
		       "/.\n/usr\n/usr/lib/liblzma.so.5.4.1\n");
	temp_tree_file(tree, "var/lib/dpkg/info/xz-utils.list", "/.\n/usr/bin/xz\n");
	temp_tree_file(tree, "var/lib/dpkg/info/xz-utils.md5sums", "/.\n/usr/bin/unxz\n");
	assert_owner(tree, "/usr/lib/liblzma.so.5.4.1", "liblzma5", "'apt-get install liblzma5-dbgsym'");
	assert_owner(tree, "/usr/bin/xz", "xz-utils", "'apt-get install xz-utils-dbgsym'");
	assert_owner(tree, "/usr/bin/unxz", "", "");
	assert_owner(tree, "/usr/bin/x", "", "");
	assert_owner(tree, "usr/bin/xz", "", "");
}

static void a_file_may_be_listed_without_usr(void **state)
{
	const struct temp_tree *tree = *state;

	debian(tree, "bookworm");
	temp_tree_file(tree, "var/lib/dpkg/info/libc6:amd64.list", "/.\n/lib/libc.so.6\n/usr/lib/libm.so\n");
	assert_owner(tree, "/usr/lib/libc.so.6", "libc6", "'apt-get install libc6-dbg'");
	assert_owner(tree, "/lib/libm.so", "libc6", "'apt-get install libc6-dbg'");
}

/* 100 KB. */
static void large_lists_are_read_too(void **state)
{
	const struct temp_tree *tree = *state;
	struct strbuf list;

	strbuf_init(&list);
	for (unsigned int i = 0; i < 5000; i++)
		strbuf_addf(&list, "/usr/share/doc/%04u\n", i);
	strbuf_adds(&list, "/usr/bin/rare\n");
	debian(tree, "bookworm");
	temp_tree_file(tree, "var/lib/dpkg/info/big-sdk.list", list.bytes);
	temp_tree_file(tree, "var/lib/dpkg/info/xz-utils.list", "/.\n/usr/bin/xz\n");
	assert_owner(tree, "/usr/bin/rare", "big-sdk", "'apt-get install big-sdk-dbgsym'");
	assert_owner(tree, "/usr/bin/xz", "xz-utils", "'apt-get install xz-utils-dbgsym'");
	strbuf_fini(&list);
}

static void several_files_are_looked_for_at_once(void **state)
{
	const struct temp_tree *tree = *state;
	struct package_query queries[] = { { .path = "/bin/a" }, { .path = NULL }, { .path = "/bin/b" } };
	struct distribution distribution;

	debian(tree, "bookworm");
	temp_tree_file(tree, "var/lib/dpkg/info/both.list", "/.\n/bin/b\n/bin/a\n");
	distribution_identify(&distribution, tree->root);
	package_owners_find(&distribution, queries, 3);
	assert_string_equal(queries[0].package, "both");
	assert_null(queries[1].package);
	assert_string_equal(queries[2].package, "both");
	free(queries[0].package);
	free(queries[2].package);
}

/* Makes a script the program rpm. */
static void make_rpm(const struct temp_tree *tree, const char *script)
{
	char path[128], directory[128];

	temp_tree_file(tree, "programs/rpm", script);
	snprintf(path, sizeof(path), "%s/programs/rpm", tree->root);
	snprintf(directory, sizeof(directory), "%s/programs:/usr/bin:/bin", tree->root);
	assert_int_equal(chmod(path, 0700), 0);
	assert_int_equal(setenv("PATH", directory, 1), 0);
}

static void rpm_is_asked_where_there_is_rpm(void **state)
{
	const struct temp_tree *tree = *state;

	temp_tree_file(tree, "etc/os-release", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n");
	make_rpm(tree,
		 "#!/bin/sh\n[ \"$1\" = --root ] && [ \"$3 $6 $7\" = '-qf -- /bin/x' ] && echo xz-libs\n");
	assert_owner(tree, "/bin/x", "xz-libs", "'dnf debuginfo-install xz-libs'");
	temp_tree_file(tree, "etc/os-release", "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n");
	assert_owner(tree, "/bin/x", "xz-libs", "'zypper install xz-libs-debuginfo'");
}

static void what_rpm_says_when_it_fails_is_no_name(void **state)
{
	const struct temp_tree *tree = *state;

	temp_tree_file(tree, "etc/os-release", "ID=fedora\n");
	make_rpm(tree, "#!/bin/sh\necho 'file /bin/x is not owned by any package'\nexit 1\n");
	assert_owner(tree, "/bin/x", "", "");
}

static void of_an_unknown_system_nothing_is_known(void **state)
{
	const struct temp_tree *tree = *state;

	assert_owner(tree, "/bin/x", "", "");
	temp_tree_file(tree, "etc/os-release", "ID=plan9\n");
	assert_owner(tree, "/bin/x", "", "");
}

static void assert_archive(const struct temp_tree *tree, const char *package, const char *expected)
{
	const struct package_query query = { .package = (char *)package };
	struct distribution distribution;
	struct strbuf out;

	strbuf_init(&out);
	distribution_identify(&distribution, tree->root);
	package_debug_archive_add(&out, &distribution, &query, 1);
	assert_string_equal(out.size ? out.bytes : "", expected);
	strbuf_fini(&out);
}

static void the_archive_of_debug_symbols_is_said_unless_apt_knows_it(void **state)
{
	const struct temp_tree *tree = *state;

	debian(tree, "trixie");
	assert_archive(tree, "xz-utils",
		       "packages -dbgsym are in an archive of their own, which is missing in apt's "
		       "sources: suite trixie-debug");
	assert_archive(tree, "libc6", "");
	assert_archive(tree, NULL, "");
	temp_tree_file(tree, "var/lib/apt/lists/somewhere_dists_trixie-debug_main_binary-amd64_Packages", "");
	assert_archive(tree, "xz-utils", "");
}

static void ubuntus_archive_has_a_name_of_its_own(void **state)
{
	const struct temp_tree *tree = *state;

	temp_tree_file(tree, "etc/os-release", "ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n");
	assert_archive(tree, "xz-utils",
		       "packages -dbgsym are in an archive of their own, which is missing in apt's "
		       "sources: ddebs");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(dpkg_lists_the_files_of_each_package),
		TEST(a_file_may_be_listed_without_usr),
		TEST(large_lists_are_read_too),
		TEST(several_files_are_looked_for_at_once),
		TEST(rpm_is_asked_where_there_is_rpm),
		TEST(what_rpm_says_when_it_fails_is_no_name),
		TEST(of_an_unknown_system_nothing_is_known),
		TEST(the_archive_of_debug_symbols_is_said_unless_apt_knows_it),
		TEST(ubuntus_archive_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
