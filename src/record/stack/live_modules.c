/*
 * One slot per DSO, tried MAX_ATTEMPTS times at most. A file is taken if its build-id is the recorded one, or else its
 * device and inode are. Its path belongs to another program, so only a regular file is opened, and no longer used once
 * it was cut short.
 */
#include "record/stack/live_modules.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "base/xalloc.h"
#include "elf/own_vdso.h"

/* Processes may be gone when their samples are looked at, and their root directories with them: others are asked, too. */
enum { MAX_ATTEMPTS = 8 };

struct live_module { /* of one DSO */
	struct module *module;
	uint8_t attempts;
};

struct live_modules {
	struct live_module *items; /* by number of DSO */
	size_t count, capacity;
	size_t open_count;
};

struct live_modules *live_modules_create(void)
{
	return xcalloc(1, sizeof(struct live_modules));
}

void live_modules_destroy(struct live_modules *modules)
{
	if (!modules)
		return;
	for (size_t i = 0; i < modules->count; i++)
		module_destroy(modules->items[i].module);
	free(modules->items);
	free(modules);
}

/* Without a build-id only device and inode can tell; overlay file systems give others than mappings have: no file then. */
static bool is_mapped_file(const struct dso *dso, const struct stat *status)
{
	return dso->build_id.size ||
	       (dso->inode && status->st_ino == dso->inode && major(status->st_dev) == dso->device_major &&
		minor(status->st_dev) == dso->device_minor);
}

static struct elf_file *open_path(const char *path, const struct dso *dso)
{
	int fd = regular_file_open(path, NULL);
	struct elf_file *file = NULL;
	struct stat status;
	char opened[32];

	if (fd < 0)
		return NULL;
	snprintf(opened, sizeof(opened), "/proc/self/fd/%d", fd);
	if (fstat(fd, &status) == 0 && is_mapped_file(dso, &status))
		file = elf_file_open(opened, NULL);
	close(fd);
	if (file && !build_id_is_recorded(&dso->build_id, elf_file_build_id(file))) {
		elf_file_close(file);
		file = NULL;
	}
	return file;
}

static struct elf_file *open_file(const struct dso *dso, uint32_t pid)
{
	char path[PATH_MAX + 32];
	struct elf_file *file;

	snprintf(path, sizeof(path), "/proc/%u/root%s", pid, dso->path);
	file = open_path(path, dso);
	return file ? file : open_path(dso->path, dso);
}

static void open_module(struct live_modules *modules, struct live_module *item, const struct dso *dso,
			uint32_t pid)
{
	struct elf_file *file =
		dso->kind == DSO_VDSO ? own_vdso_open_named(dso->path, NULL) : open_file(dso, pid);

	if (!file)
		return;
	item->module = module_create(dso->number, file, NULL, NULL);
	if (item->module)
		modules->open_count++;
}

/* Programs are built while they run. */
static bool is_whole(const struct module *module)
{
	return elf_file_check_whole(module_file(module), NULL) == 0;
}

static struct live_module *item_of(struct live_modules *modules, uint32_t number)
{
	if (number >= modules->count) {
		modules->items = array_grow(modules->items, &modules->capacity, (size_t)number + 1,
					    sizeof(*modules->items));
		memset(modules->items + modules->count, 0,
		       (number + 1 - modules->count) * sizeof(*modules->items));
		modules->count = (size_t)number + 1;
	}
	return &modules->items[number];
}

struct module *live_modules_get(struct live_modules *modules, const struct dso *dso, uint32_t pid)
{
	struct live_module *item;

	if ((dso->kind != DSO_FILE && dso->kind != DSO_VDSO) || dso->number > MODULE_MAX_NUMBER)
		return NULL;
	item = item_of(modules, dso->number);
	if (!item->module && item->attempts < MAX_ATTEMPTS) {
		item->attempts++;
		open_module(modules, item, dso, pid);
	}
	return item->module && is_whole(item->module) ? item->module : NULL;
}

size_t live_modules_count(const struct live_modules *modules)
{
	return modules->open_count;
}
