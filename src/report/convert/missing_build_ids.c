/*
 * A dso_table tells which mappings are of one file, so each file is examined once: DSOs below dsos_seen are done. Files are read
 * by their paths, the kernel and its modules by their notes in /sys.
 */
#include "report/convert/missing_build_ids.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/xalloc.h"
#include "elf/build_id.h"
#include "process/dso_table.h"
#include "report/load/recorded_host.h"

struct missing_build_ids {
	const struct perf_features *features;
	size_t features_known; /* number of features->build_ids that the DSO table has */
	struct dso_table *dsos;
	uint32_t dsos_seen; /* DSOs below it were examined */
	struct missing_build_id_counts counts;
};

struct missing_build_ids *missing_build_ids_create(const struct perf_features *features)
{
	struct missing_build_ids *missing = xcalloc(1, sizeof(*missing));

	missing->features = features;
	missing->dsos = dso_table_create();
	return missing;
}

void missing_build_ids_destroy(struct missing_build_ids *missing)
{
	if (!missing)
		return;
	dso_table_destroy(missing->dsos);
	free(missing);
}

struct missing_build_id_counts missing_build_id_counts(const struct missing_build_ids *missing)
{
	return missing->counts;
}

static void take_known(struct missing_build_ids *missing)
{
	const struct perf_features *features = missing->features;

	for (; missing->features_known < features->build_id_count; missing->features_known++) {
		const struct build_id_entry *entry = &features->build_ids[missing->features_known];
		struct build_id id = { .size = entry->build_id_size };

		memcpy(id.bytes, entry->build_id, entry->build_id_size);
		dso_table_build_id(missing->dsos, entry->path, &id);
	}
}

static bool is_this_kernel(const struct perf_features *features)
{
	struct utsname here;

	return recorded_host_of(features) == RECORDED_HOST_THIS && features->os_release &&
	       uname(&here) == 0 && strcmp(features->os_release, here.release) == 0;
}

static bool find_of_module(struct build_id *id, const char *name)
{
	size_t length = strlen(name);
	char path[PATH_MAX];

	if (length < 3 || name[0] != '[' || strchr(name, '/'))
		return false;
	snprintf(path, sizeof(path), "/sys/module/%.*s/notes/.note.gnu.build-id", (int)length - 2, name + 1);
	return build_id_read_notes(id, path, NULL) == 0;
}

static bool find_of_kernel(struct missing_build_ids *missing, const struct dso *dso, struct build_id *id)
{
	bool found;

	if (!is_this_kernel(missing->features)) {
		missing->counts.foreign++;
		return false;
	}
	found = dso->kind == DSO_KERNEL ? build_id_read_notes(id, BUILD_ID_KERNEL_NOTES, NULL) == 0 :
					  find_of_module(id, dso->name);
	missing->counts.absent += !found;
	return found;
}

static bool find_of_file(struct missing_build_ids *missing, const struct dso *dso, struct build_id *id)
{
	const enum recorded_host host = recorded_host_of(missing->features);
	struct stat st;

	/* Devices are not compared: on overlay and btrfs, stat() and the mapping have different ones. */
	if (host == RECORDED_HOST_OTHER || (host == RECORDED_HOST_UNKNOWN && !dso->inode)) {
		missing->counts.foreign++;
		return false;
	}
	if (stat(dso->path, &st) == 0 && dso->inode && st.st_ino != dso->inode) {
		missing->counts.changed++;
		return false;
	}
	if (build_id_read_file(id, dso->path, NULL) != 0) {
		missing->counts.absent++;
		return false;
	}
	return true;
}

/* The DSO of a record that maps code; NULL for others. */
static const struct dso *mapped_dso(struct missing_build_ids *missing, const struct event *event,
				    uint16_t *cpumode)
{
	struct mmap_record record;

	*cpumode = event->misc & RECORD_MISC_CPUMODE_MASK;
	if ((event->type != PERF_RECORD_MMAP && event->type != PERF_RECORD_MMAP2) ||
	    event_decode_mmap(event, &record, NULL) != 0)
		return NULL;
	if (*cpumode == PERF_RECORD_MISC_USER && record.prot & PROT_EXEC)
		return dso_table_user(missing->dsos, &record);
	if (*cpumode == PERF_RECORD_MISC_KERNEL)
		return dso_table_kernel(missing->dsos, &record);
	return NULL;
}

bool missing_build_ids_look(struct missing_build_ids *missing, const struct event *event,
			    struct written_build_id *found)
{
	struct build_id id;
	const struct dso *dso;
	uint16_t cpumode;
	bool is_found = false;

	take_known(missing);
	dso = mapped_dso(missing, event, &cpumode);
	if (!dso || dso->number < missing->dsos_seen)
		return false;
	missing->dsos_seen = dso->number + 1;
	if (dso->build_id.size)
		return false;
	if (dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE)
		is_found = find_of_kernel(missing, dso, &id);
	else if (dso->kind == DSO_FILE)
		is_found = find_of_file(missing, dso, &id);
	if (!is_found)
		return false;
	missing->counts.added++;
	*found = (struct written_build_id){ .path = (char *)dso->path,
					    .misc = cpumode,
					    .build_id_size = id.size };
	memcpy(found->build_id, id.bytes, id.size);
	return true;
}
