/*
 * /etc/os-release tells the package system. dpkg's lists, one for each package, are read here until all queries are answered;
 * the format of rpm's database changes, so rpm is run for each file.
 */
#include "report/remedy/package_owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "symbol/text_file.h"
#include "text/safe_text.h"

/*
 * The largest lists of files, those of kernel headers and documentation, have a few megabytes. A few percent of the lists are
 * large and have most of the bytes, but hardly any program or library, so they are read last.
 */
static const size_t max_list_bytes = (size_t)64 << 20;
static const off_t large_list_bytes = 64 << 10;

/* --- which distribution ------------------------------------------------------------------------------------- */

/* The value of "KEY=value" or KEY="value", if the line is one; else NULL. */
static char *value_of(char *line, const char *key)
{
	const size_t length = strlen(key);
	char *value = line + length + 1;

	if (strncmp(line, key, length) != 0 || line[length] != '=')
		return NULL;
	value[strcspn(value, "\n")] = '\0';
	if (*value == '"' || *value == '\'') {
		value++;
		value[strcspn(value, "\"'")] = '\0';
	}
	return value;
}

/* ID and ID_LIKE: one name, or several with blanks between them. */
static void take_names(struct distribution *distribution, char *names)
{
	static const struct {
		const char *name;
		enum package_system system;
	} known[] = {
		{ "debian", PACKAGE_SYSTEM_DEBIAN }, { "ubuntu", PACKAGE_SYSTEM_DEBIAN },
		{ "fedora", PACKAGE_SYSTEM_FEDORA }, { "rhel", PACKAGE_SYSTEM_FEDORA },
		{ "centos", PACKAGE_SYSTEM_FEDORA }, { "suse", PACKAGE_SYSTEM_SUSE },
		{ "opensuse", PACKAGE_SYSTEM_SUSE },
	};
	char *rest = NULL;

	for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
		if (strcmp(name, "ubuntu") == 0)
			distribution->is_ubuntu = true;
		for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
			if (strcmp(name, known[i].name) == 0)
				distribution->system = known[i].system;
	}
}

/* apt keeps the lists of all archives in its configuration. Debian's debug suites end in -debug, Ubuntu's host is ddebs. */
static bool knows_debug_archive(const char *root)
{
	static const char *const patterns[] = { "*-debug_*Packages*", "*ddebs*Packages*" };
	bool known = false;

	for (size_t i = 0; i < 2 && !known; i++) {
		char *pattern = xasprintf("%s/var/lib/apt/lists/%s", root, patterns[i]);
		glob_t found;

		if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
			known = found.gl_pathc > 0;
			globfree(&found);
		}
		free(pattern);
	}
	return known;
}

void distribution_identify(struct distribution *distribution, const char *root)
{
	char line[256], *path, *value;
	FILE *file;

	*distribution = (struct distribution){ .root = root ? root : "" };
	path = xasprintf("%s/etc/os-release", distribution->root);
	file = fopen(path, "re");
	free(path);
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if ((value = value_of(line, "ID")) || (value = value_of(line, "ID_LIKE")))
			take_names(distribution, value);
		else if ((value = value_of(line, "VERSION_CODENAME")))
			snprintf(distribution->codename, sizeof(distribution->codename), "%s", value);
	}
	fclose(file);
	if (distribution->system == PACKAGE_SYSTEM_DEBIAN)
		distribution->has_debug_archive = knows_debug_archive(distribution->root);
}

/* --- dpkg: /var/lib/dpkg/info/PACKAGE[:ARCHITECTURE].list ----------------------------------------------------- */

static const char usr[] = "/usr";

/* Does a line begin at `at`, or at /usr before it? */
static bool begins_line(const struct text_file *list, const char *at)
{
	const size_t before = (size_t)(at - list->bytes);

	if (before >= strlen(usr) && memcmp(at - strlen(usr), usr, strlen(usr)) == 0)
		at -= strlen(usr);
	return at == list->bytes || at[-1] == '\n';
}

/* `line` is a path without /usr and with a newline. It may be listed with /usr and without: /lib is a link to /usr/lib. */
static bool lists_path(const struct text_file *list, const char *line)
{
	const char *end = list->bytes + list->size;

	for (const char *at = list->bytes; (at = memmem(at, (size_t)(end - at), line, strlen(line))); at++)
		if (begins_line(list, at))
			return true;
	return false;
}

/* The line for lists_path(); NULL if the query needs no answer. The caller has to free it. */
static char *line_of(const struct package_query *query)
{
	const char *path = query->path;

	if (!path)
		return NULL;
	return xasprintf("%s\n", strncmp(path, "/usr/", strlen("/usr/")) == 0 ? path + strlen(usr) : path);
}

/* Returns the number of queries that were answered. Only large lists are read, or only the others. */
static size_t ask_list(int directory, const char *name, bool large, struct package_query *queries,
		       char *const *lines, size_t count)
{
	struct text_file list;
	struct stat st;
	size_t answered = 0;
	int fd;

	if (fstatat(directory, name, &st, 0) < 0 || (st.st_size > large_list_bytes) != large)
		return 0;
	fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (text_file_read(&list, fd, name, max_list_bytes, NULL) == 0) {
		for (size_t i = 0; i < count; i++)
			if (lines[i] && !queries[i].package && lists_path(&list, lines[i])) {
				queries[i].package = xstrndup(name, strcspn(name, ":"));
				answered++;
			}
		free(list.bytes);
	}
	close(fd);
	return answered;
}

/* Cuts ".list" off names such as "bash.list"; "libc6:amd64.list" has been cut at its colon. */
static void cut_ending(struct package_query *queries, size_t count)
{
	static const char ending[] = ".list";

	for (size_t i = 0; i < count; i++) {
		char *package = queries[i].package;
		size_t length = package ? strlen(package) : 0;

		if (length > strlen(ending) && strcmp(package + length - strlen(ending), ending) == 0)
			package[length - strlen(ending)] = '\0';
	}
}

/* Asks all large lists, or all others, until `wanted` queries are answered. Returns the number that are not. */
static size_t ask_lists(DIR *directory, bool large, struct package_query *queries, char *const *lines,
			size_t count, size_t wanted)
{
	const struct dirent *entry;

	rewinddir(directory);
	while (wanted && (entry = readdir(directory))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (dot && strcmp(dot, ".list") == 0)
			wanted -= ask_list(dirfd(directory), entry->d_name, large, queries, lines, count);
	}
	return wanted;
}

static void read_lists(const char *directory_path, struct package_query *queries, size_t count)
{
	DIR *directory = opendir(directory_path);
	size_t wanted = 0;
	char **lines;

	if (!directory)
		return;
	lines = xcalloc(count + 1, sizeof(*lines));
	for (size_t i = 0; i < count; i++) {
		lines[i] = line_of(&queries[i]);
		wanted += lines[i] != NULL;
	}
	wanted = ask_lists(directory, false, queries, lines, count, wanted);
	(void)ask_lists(directory, true, queries, lines, count, wanted);
	for (size_t i = 0; i < count; i++)
		free(lines[i]);
	free(lines);
	closedir(directory);
	cut_ending(queries, count);
}

static void ask_dpkg(const struct distribution *distribution, struct package_query *queries, size_t count)
{
	char *database = xasprintf("%s/var/lib/dpkg/info", distribution->root);

	read_lists(database, queries, count);
	free(database);
}

/* --- rpm ------------------------------------------------------------------------------------------------------ */

/* Reads the first `size` bytes that a program prints; false if it cannot be run or fails. */
static bool first_output(char *const *words, char *text, size_t size)
{
	posix_spawn_file_actions_t actions;
	int ends[2], status = -1, failed;
	pid_t pid;
	ssize_t got;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	failed = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	got = failed ? -1 : read(ends[0], text, size - 1);
	close(ends[0]);
	if (failed)
		return false;
	(void)TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	text[got > 0 ? got : 0] = '\0';
	return got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The format of rpm's database has changed more than once: asks rpm itself. */
static void ask_rpm(const char *root, struct package_query *query)
{
	char *path = xstrdup(query->path), *from = xstrdup(*root ? root : "/");
	char format[] = "%{NAME}\\n", name[256];
	char rpm[] = "rpm", q[] = "-qf", queryformat[] = "--queryformat", root_option[] = "--root",
	     end[] = "--";
	char *words[] = { rpm, root_option, from, q, queryformat, format, end, path, NULL };

	if (first_output(words, name, sizeof(name))) {
		name[strcspn(name, "\n")] = '\0';
		query->package = *name ? xstrdup(name) : NULL;
	}
	free(from);
	free(path);
}

/* --- all queries ---------------------------------------------------------------------------------------------- */

void package_owners_find(const struct distribution *distribution, struct package_query *queries, size_t count)
{
	bool wanted = false;

	for (size_t i = 0; i < count; i++) {
		queries[i].package = NULL;
		if (queries[i].path && queries[i].path[0] == '/')
			wanted = true;
		else
			queries[i].path = NULL;
	}
	if (!wanted)
		return;
	if (distribution->system == PACKAGE_SYSTEM_DEBIAN)
		ask_dpkg(distribution, queries, count);
	if (distribution->system == PACKAGE_SYSTEM_FEDORA || distribution->system == PACKAGE_SYSTEM_SUSE)
		for (size_t i = 0; i < count; i++)
			if (queries[i].path)
				ask_rpm(distribution->root, &queries[i]);
}

/* The C library's debug symbols are in an ordinary package, because valgrind needs them. */
static bool has_own_debug_package(const char *package)
{
	return strcmp(package, "libc6") == 0;
}

static void add_command(struct strbuf *out, const char *command, const char *package, const char *ending)
{
	strbuf_adds(out, command);
	safe_text_add(out, package);
	strbuf_adds(out, ending);
}

void package_debug_command_add(struct strbuf *out, const struct distribution *distribution,
			       const char *package)
{
	switch (distribution->system) {
	case PACKAGE_SYSTEM_DEBIAN:
		add_command(out, "'apt-get install ", package,
			    has_own_debug_package(package) ? "-dbg'" : "-dbgsym'");
		break;
	case PACKAGE_SYSTEM_FEDORA: add_command(out, "'dnf debuginfo-install ", package, "'"); break;
	case PACKAGE_SYSTEM_SUSE: add_command(out, "'zypper install ", package, "-debuginfo'"); break;
	case PACKAGE_SYSTEM_UNKNOWN: break;
	}
}

void package_debug_archive_add(struct strbuf *out, const struct distribution *distribution,
			       const struct package_query *queries, size_t count)
{
	bool needed = false;

	for (size_t i = 0; i < count; i++)
		if (queries[i].package && !has_own_debug_package(queries[i].package))
			needed = true;
	if (!needed || distribution->system != PACKAGE_SYSTEM_DEBIAN || distribution->has_debug_archive)
		return;
	strbuf_adds(out,
		    "packages -dbgsym are in an archive of their own, which is missing in apt's sources: ");
	if (distribution->is_ubuntu) {
		strbuf_adds(out, "ddebs");
	} else {
		strbuf_adds(out, "suite ");
		safe_text_add(out, *distribution->codename ? distribution->codename : "CODENAME");
		strbuf_adds(out, "-debug");
	}
}

void distribution_describe(const struct distribution *distribution, struct strbuf *out)
{
	strbuf_addf(out, "%d,%d,%d,%s", (int)distribution->system, distribution->has_debug_archive,
		    distribution->is_ubuntu, distribution->codename);
}

bool distribution_from_description(struct distribution *distribution, const char *description)
{
	unsigned int system, has_debug_archive, is_ubuntu;
	int length = 0;

	*distribution = (struct distribution){ .root = "" };
	if (sscanf(description, "%1u,%1u,%1u,%n", &system, &has_debug_archive, &is_ubuntu, &length) != 3 ||
	    !length || system > PACKAGE_SYSTEM_SUSE)
		return false;
	distribution->system = (enum package_system)system;
	distribution->has_debug_archive = has_debug_archive;
	distribution->is_ubuntu = is_ubuntu;
	snprintf(distribution->codename, sizeof(distribution->codename), "%s", description + length);
	return true;
}
