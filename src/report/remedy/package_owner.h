#ifndef XPROF_REPORT_REMEDY_PACKAGE_OWNER_H
#define XPROF_REPORT_REMEDY_PACKAGE_OWNER_H

/* Finds the package that owns a file, and the command that installs the package's debug symbols. */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

enum package_system {
	PACKAGE_SYSTEM_UNKNOWN,
	PACKAGE_SYSTEM_DEBIAN, /* Debian, Ubuntu and derivatives: dpkg and apt */
	PACKAGE_SYSTEM_FEDORA, /* Fedora, RHEL and derivatives: rpm and dnf */
	PACKAGE_SYSTEM_SUSE,   /* rpm and zypper */
};

struct distribution {
	const char *root; /* prefix of all paths, from --symfs; borrowed */
	enum package_system system;
	char codename[32];      /* "bookworm"; "" if unknown */
	bool has_debug_archive; /* apt has an archive of debug packages among its sources */
	bool is_ubuntu;
};

/* Reads /etc/os-release (os-release(5)) below `root`; NULL: of this system. */
void distribution_identify(struct distribution *distribution, const char *root);

/*
 * Encodes it as a word, to be stored in an archive, and decodes it. Decoding returns false for any other
 * word.
 */
void distribution_describe(const struct distribution *distribution, struct strbuf *out);
bool distribution_from_description(struct distribution *distribution, const char *description);

struct package_query {
	const char *path; /* the recorded path, without root; NULL: skip this query */
	char *package;    /* the answer: name without architecture, malloc()ed; NULL: unknown */
};

/* Answers all queries at once, because dpkg's database, a list of files per package, is read only once. */
void package_owners_find(const struct distribution *distribution, struct package_query *queries,
			 size_t count);

/* Appends "'apt-get install NAME-dbgsym'"; nothing for an unknown package system. */
void package_debug_command_add(struct strbuf *out, const struct distribution *distribution,
			       const char *package);

/*
 * If the command needs an archive that is not among the package manager's sources, appends a sentence that
 * names it.
 */
void package_debug_archive_add(struct strbuf *out, const struct distribution *distribution,
			       const struct package_query *queries, size_t count);

#endif
