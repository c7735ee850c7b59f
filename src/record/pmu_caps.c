#include "record/pmu_caps.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/feature_encode.h"
#include "record/proc_file.h"

/* Name and value; returns 1, or 0 when it cannot be read. */
static uint32_t add_cap(struct strbuf *caps, const char *directory, const char *name)
{
	struct strbuf value;
	uint32_t added = 0;

	strbuf_init(&value);
	if (name[0] != '.' && proc_file_readf(&value, NULL, "%s/%s", directory, name) == 0) {
		strbuf_cut(&value, strcspn(value.bytes, "\n"));
		feature_add_string(caps, name);
		feature_add_string(caps, value.bytes);
		added = 1;
	}
	strbuf_fini(&value);
	return added;
}

/* u32 nr_caps, then name and value of each; returns nr_caps, and adds nothing when it is 0. */
static uint32_t add_caps(struct strbuf *section, const char *devices, const char *pmu)
{
	char *directory = xasprintf("%s/%s/caps", devices, pmu);
	DIR *stream = opendir(directory);
	const struct dirent *entry;
	struct strbuf caps;
	uint32_t count = 0;

	strbuf_init(&caps);
	while (stream && (entry = readdir(stream)))
		count += add_cap(&caps, directory, entry->d_name);
	if (count) {
		strbuf_add_u32(section, count, false);
		strbuf_add(section, caps.bytes, caps.size);
	}
	if (stream)
		closedir(stream);
	strbuf_fini(&caps);
	free(directory);
	return count;
}

void pmu_caps_make_cpu(struct strbuf *section, const char *sys)
{
	char *devices = xasprintf("%s/bus/event_source/devices", sys);

	(void)add_caps(section, devices, "cpu");
	free(devices);
}

/* u32 nr_pmus, then of each its caps and its name */
void pmu_caps_make_others(struct strbuf *section, const char *sys)
{
	char *devices = xasprintf("%s/bus/event_source/devices", sys);
	DIR *stream = opendir(devices);
	const struct dirent *entry;
	struct strbuf pmus;
	uint32_t count = 0;

	strbuf_init(&pmus);
	while (stream && (entry = readdir(stream))) {
		if (entry->d_name[0] == '.' || strcmp(entry->d_name, "cpu") == 0 ||
		    add_caps(&pmus, devices, entry->d_name) == 0)
			continue;
		feature_add_string(&pmus, entry->d_name);
		count++;
	}
	if (count) {
		strbuf_add_u32(section, count, false);
		strbuf_add(section, pmus.bytes, pmus.size);
	}
	if (stream)
		closedir(stream);
	strbuf_fini(&pmus);
	free(devices);
}
