/*
 * HEADER_HOSTNAME, HEADER_ARCH and HEADER_OSRELEASE tell where a recording was made. Any of them may be missing: simpleperf
 * writes no host name, pipes often have none of the three.
 */
#include "report/load/recorded_host.h"

#include <string.h>
#include <sys/utsname.h>

/* A 32-bit personality changes the result of uname -m, but the machine is the same. */
static const char *const *family_of(const char *machine)
{
	static const char *const families[][4] = {
		{ "x86_64", "i686", "i386", NULL },
		{ "aarch64", "armv8l", "armv7l", NULL },
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		for (const char *const *name = families[i]; *name; name++)
			if (strcmp(*name, machine) == 0)
				return families[i];
	return NULL;
}

static bool is_same_machine(const char *recorded, const char *here)
{
	const char *const *family = family_of(here);

	return strcmp(recorded, here) == 0 || (family && family_of(recorded) == family);
}

/* A name that many machines share tells nothing. */
static bool is_a_name(const char *hostname)
{
	return *hostname && strcmp(hostname, "localhost") != 0 && strcmp(hostname, "(none)") != 0;
}

static bool is_android(const char *release)
{
	return strstr(release, "android") != NULL;
}

enum recorded_host recorded_host_compare(const struct perf_features *features, const struct utsname *here)
{
	const char *hostname = features->hostname, *release = features->os_release;

	if (features->arch && *features->arch && !is_same_machine(features->arch, here->machine))
		return RECORDED_HOST_OTHER;
	if (release && is_android(release) && !is_android(here->release))
		return RECORDED_HOST_OTHER;
	if (!hostname || !is_a_name(hostname))
		return RECORDED_HOST_UNKNOWN;
	return strcmp(hostname, here->nodename) == 0 ? RECORDED_HOST_THIS : RECORDED_HOST_OTHER;
}

enum recorded_host recorded_host_of(const struct perf_features *features)
{
	struct utsname here;

	return uname(&here) == 0 ? recorded_host_compare(features, &here) : RECORDED_HOST_UNKNOWN;
}
