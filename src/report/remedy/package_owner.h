#ifndef XPROF_REPORT_REMEDY_PACKAGE_OWNER_H
#define XPROF_REPORT_REMEDY_PACKAGE_OWNER_H

/* Finds the distribution's package of a file, and the command that installs the package's debug symbols. */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

enum package_system {
	PACKAGE_SYSTEM_UNKNOWN,
	PACKAGE_SYSTEM_DEBIAN, /* Debian, Ubuntu and what comes from them: dpkg and apt */
	PACKAGE_SYSTEM_FEDORA, /* Fedora, RHEL and what comes from them: rpm and dnf */
	PACKAGE_SYSTEM_SUSE,   /* rpm and zypper */
};

struct distribution {
	const char *root; /* prefix of all paths, as --symfs; borrowed */
	enum package_system system;
	char codename[32];      /* "bookworm"; "" where there is none */
	bool has_debug_archive; /* apt knows of one */
	bool is_ubuntu;
};

/* From /etc/os-release (os-release(5)). root: NULL for none. */
void distribution_identify(struct distribution *distribution, const char *root);

/* The same as a word for an archive, and back: false when it is none that was made by this. */
void distribution_describe(const struct distribution *distribution, struct strbuf *out);
bool distribution_from_description(struct distribution *distribution, const char *description);

struct package_query {
	const char *path; /* as it was recorded, without root; NULL: not asked */
	char *package;    /* answer: its name without architecture; malloc()ed, NULL: none is known */
};

/* All at once: dpkg's database has a list of files for each package, and is read once for all. */
void package_owners_find(const struct distribution *distribution, struct package_query *queries,
			 size_t count);

/* "'apt-get install NAME-dbgsym'". Nothing for a system that is not known. */
void package_debug_command_add(struct strbuf *out, const struct distribution *distribution,
			       const char *package);

/*
 * Whether that needs an archive that the package manager has not been told of, and what it is called. Nothing is added
 * where it is not so.
 */
void package_debug_archive_add(struct strbuf *out, const struct distribution *distribution,
			       const struct package_query *queries, size_t count);

#endif
