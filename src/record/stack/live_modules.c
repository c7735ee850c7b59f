/*
 * A file is taken if its build-id is the recorded one, or else its device and inode are. Its path belongs to another
 * program, so only a regular file is opened.
 */
#include "record/stack/live_modules.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "elf/own_vdso.h"

/*
 * Without a build-id only device and inode identify the file. Overlay file systems give other numbers than mappings have: no file
 * then.
 */
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

static struct elf_file *open_live(const struct dso *dso, uint32_t pid, const struct debug_file_search *search)
{
	char path[PATH_MAX + 32];
	struct elf_file *file;

	(void)search;
	if (dso->kind == DSO_VDSO)
		return own_vdso_open_named(dso->path, NULL);
	snprintf(path, sizeof(path), "/proc/%u/root%s", pid, dso->path);
	file = open_path(path, dso);
	for (size_t i = 0; !file && i < sizeof(dso->mapped_by) / sizeof(dso->mapped_by[0]); i++) {
		if (!dso->mapped_by[i] || dso->mapped_by[i] == pid)
			continue;
		snprintf(path, sizeof(path), "/proc/%u/root%s", dso->mapped_by[i], dso->path);
		file = open_path(path, dso);
	}
	return file ? file : open_path(dso->path, dso);
}

struct dso_modules *live_modules_create(void)
{
	/* A process may have ended when its samples are processed, and its root directory with it: then try other processes. */
	const struct module_source source = { .open = open_live, .max_attempts = 8 };

	return dso_modules_create(&source);
}
