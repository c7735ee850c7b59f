/*
 * Replaces /sys/bus/event_source/devices by a directory with the machine's PMUs and links to the real machine's software PMUs. A
 * mount namespace hides this from the rest of the system.
 */
#include "kernel/machine_files.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

static const char devices[] = "/sys/bus/event_source/devices";

static int write_file(const char *directory, const char *name, const char *text, struct error *err)
{
	char *path = xasprintf("%s/%s", directory, name);
	FILE *out = fopen(path, "w");
	int result = 0;

	if (!out || fprintf(out, "%s\n", text) < 0)
		result = error_set_errno(err, errno, "%s", path);
	if (out && fclose(out) != 0 && result == 0)
		result = error_set_errno(err, errno, "%s", path);
	free(path);
	return result;
}

static int write_number(const char *directory, const char *name, unsigned long number, struct error *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", number);
	return write_file(directory, name, text, err);
}

static int make_directory(const char *directory, const char *name, struct error *err)
{
	char *path = xasprintf("%s/%s", directory, name);
	const int result = mkdir(path, 0755) < 0 ? error_set_errno(err, errno, "%s", path) : 0;

	free(path);
	return result;
}

/* "0-1,3": those that the real machine has */
static void add_cpus(struct strbuf *text, uint64_t cpus)
{
	const long count = sysconf(_SC_NPROCESSORS_ONLN);

	for (long cpu = 0; cpu < count && cpu < 64; cpu++)
		if (cpus >> cpu & 1)
			strbuf_addf(text, "%s%ld", text->size ? "," : "", cpu);
}

static int write_cpus(const char *directory, const struct machine_pmu *pmu, struct error *err)
{
	struct strbuf text;
	int result;

	strbuf_init(&text);
	add_cpus(&text, pmu->cpus);
	result = write_file(directory, "cpus", text.bytes, err);
	strbuf_fini(&text);
	return result;
}

static int fill_pmu(const char *pmu_directory, const struct machine *machine, const struct machine_pmu *pmu,
		    struct error *err)
{
	if (make_directory(pmu_directory, "caps", err) < 0 ||
	    make_directory(pmu_directory, "format", err) < 0 ||
	    make_directory(pmu_directory, "events", err) < 0 ||
	    write_number(pmu_directory, "type", pmu->type, err) < 0 ||
	    write_number(pmu_directory, "caps/max_precise", machine->max_precise, err) < 0 ||
	    write_file(pmu_directory, "format/event", "config:0-7", err) < 0 ||
	    write_file(pmu_directory, "format/umask", "config:8-15", err) < 0 ||
	    write_file(pmu_directory, "events/cpu-cycles", "event=0x3c", err) < 0)
		return -1;
	if (machine->branch_entries &&
	    write_number(pmu_directory, "caps/branches", machine->branch_entries, err) < 0)
		return -1;
	if (machine->branch_bits & MACHINE_COUNTERS &&
	    (write_number(pmu_directory, "caps/branch_counter_nr", MACHINE_COUNTERS_NUMBER, err) < 0 ||
	     write_number(pmu_directory, "caps/branch_counter_width", MACHINE_COUNTERS_BITS, err) < 0))
		return -1;
	if (machine->branch_event && write_file(pmu_directory, "events/branch-brs", "event=0xc4", err) < 0)
		return -1;
	return strcmp(pmu->name, "cpu") == 0 ? 0 : write_cpus(pmu_directory, pmu, err);
}

static int make_pmu(const char *directory, const struct machine *machine, const struct machine_pmu *pmu,
		    struct error *err)
{
	char *pmu_directory = xasprintf("%s/%s", directory, pmu->name);
	const int result = make_directory(directory, pmu->name, err) < 0 ?
				   -1 :
				   fill_pmu(pmu_directory, machine, pmu, err);

	free(pmu_directory);
	return result;
}

/* Leaves out the real PMU "cpu" and others that the machine plays. */
static int link_others(const char *directory, struct error *err)
{
	static const char *const kept[] = {
		"software", "tracepoint", "breakpoint", "kprobe", "uprobe", "msr"
	};

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		char *link = xasprintf("%s/%s", directory, kept[i]),
		     *real = xasprintf("/sys/devices/%s", kept[i]);
		const bool failed = access(real, F_OK) == 0 && symlink(real, link) < 0;

		if (failed)
			error_set_errno(err, errno, "%s", link);
		free(link);
		free(real);
		if (failed)
			return -1;
	}
	return 0;
}

static int bind_file(const char *directory, size_t number, const struct play_file *file, struct error *err)
{
	char name[32], *path;
	int result;

	snprintf(name, sizeof(name), "file%zu", number);
	path = xasprintf("%s/%s", directory, name);
	result = write_file(directory, name, file->text ? file->text : "", err);
	if (result == 0 && mount(path, file->path, NULL, MS_BIND, NULL) < 0)
		result = error_set_errno(err, errno, "cannot bind over %s", file->path);
	free(path);
	return result;
}

static int bind_devices(const struct machine *machine, const char *directory, struct error *err)
{
	for (size_t i = 0; i < 2; i++)
		if (machine->pmus[i].name && make_pmu(directory, machine, &machine->pmus[i], err) < 0)
			return -1;
	if (link_others(directory, err) < 0)
		return -1;
	if (mount(directory, devices, NULL, MS_BIND, NULL) < 0)
		return error_set_errno(err, errno, "cannot bind over %s", devices);
	return 0;
}

int machine_files_bind(const struct machine *machine, const struct play_script *script, const char *directory,
		       struct error *err)
{
	char *devices_made = xasprintf("%s/devices", directory);
	int result = 0;

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		result = error_set_errno(err, errno, "no mount namespace of its own");
	if (result == 0 && mkdir(devices_made, 0755) < 0)
		result = error_set_errno(err, errno, "%s", devices_made);
	if (result == 0)
		result = bind_devices(machine, devices_made, err);
	for (size_t i = 0; result == 0 && i < script->file_count; i++)
		result = bind_file(directory, i, &script->files[i], err);
	free(devices_made);
	return result;
}
