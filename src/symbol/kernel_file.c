/*
 * Builds the paths at which distributions keep kernel files and opens the first one that fits the recorded build-id.
 * Search by build-id comes first, paths made of the release or of the module's name next, perf's cache and downloads
 * last.
 */
#include "symbol/kernel_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "symbol/recorded_file.h"

/* NULL if there is no file, or one of another build; err is set in the latter case. */
static struct elf_file *open_checked(const char *path, const struct build_id *id, struct error *err)
{
	const struct recorded_file recorded = { .path = path, .build_id = *id };

	return access(path, F_OK) == 0 ? recorded_file_open_at(&recorded, path, err) : NULL;
}

static struct elf_file *open_below(const char *directory, const char *path, const struct build_id *id,
				   const struct debug_file_search *search, struct error *err)
{
	char *full = xasprintf("%s%s%s", search->symfs ? search->symfs : "", directory, path);
	struct elf_file *file = open_checked(full, id, err);

	free(full);
	return file;
}

/* --- the kernel proper --------------------------------------------------------------- */

/* Where a kernel's build and its packages put it; places marked is_debug are below each directory of debug files. */
static struct elf_file *open_of_release(const char *release, const struct build_id *id,
					const struct debug_file_search *search, struct error *err)
{
	static const struct {
		const char *before, *behind;
		bool is_debug;
	} places[] = {
		{ "/boot/vmlinux-", "", true },        /* Debian, Ubuntu */
		{ "/lib/modules/", "/vmlinux", true }, /* Fedora, RHEL */
		{ "/boot/vmlinux-", ".debug", true },  /* SUSE */
		{ "/lib/modules/", "/build/vmlinux", false },
		{ "/usr/lib/modules/", "/build/vmlinux", false },
		{ "/boot/vmlinux-", "", false },
		{ "/boot/vmlinux-", ".xz", false },
		{ "/boot/vmlinux-", ".gz", false },
	};
	struct elf_file *file = NULL;

	for (size_t i = 0; !file && i < sizeof(places) / sizeof(*places); i++) {
		char *path = xasprintf("%s%s%s", places[i].before, release, places[i].behind);

		if (!places[i].is_debug)
			file = open_below("", path, id, search, err);
		for (const char *const *dir = search->debug_dirs; places[i].is_debug && !file && *dir; dir++)
			file = open_below(*dir, path, id, search, err);
		free(path);
	}
	return file;
}

struct elf_file *kernel_file_open_vmlinux(const struct build_id *id, const char *release,
					  const struct debug_file_search *search, struct error *err)
{
	const struct recorded_file recorded = { .path = "/boot/vmlinux", .build_id = *id };
	struct elf_file *file;

	if (!id->size) {
		error_set(err, "the recording has no build-id of its kernel");
		return NULL;
	}
	file = debug_file_open_build_id(id, search, err);
	if (!file && release && !strchr(release, '/'))
		file = open_of_release(release, id, search, err);
	return file ? file : recorded_file_open(&recorded, search, NULL);
}

struct elf_file *kernel_file_open_named(const char *path, const struct build_id *id, struct error *err)
{
	const struct recorded_file recorded = { .path = path, .build_id = *id };

	return recorded_file_open_at(&recorded, path, err);
}

/* --- modules ----------------------------------------------------------------------------- */

/*
 * Tries "/usr/lib/debug" + "/lib/modules/…/ext4.ko.debug" (Fedora), then without ".debug" (Debian). The suffix of a
 * compressed module is dropped.
 */
static struct elf_file *open_debug_module(const char *path, const struct build_id *id,
					  const struct debug_file_search *search, struct error *err)
{
	const char *end = strstr(path, ".ko");
	struct elf_file *file = NULL;

	if (!end)
		return NULL;
	for (const char *const *dir = search->debug_dirs; !file && *dir; dir++) {
		char *name = xasprintf("%.*s.ko.debug", (int)(end - path), path);

		file = open_below(*dir, name, id, search, err);
		name[end - path + 3] = '\0';
		if (!file)
			file = open_below(*dir, name, id, search, err);
		free(name);
	}
	return file;
}

/* Prefers debug files: they have symbols and the sizes of sections, too. */
struct elf_file *kernel_file_open_module(const char *path, const struct build_id *id,
					 const struct debug_file_search *search, struct error *err)
{
	const struct recorded_file recorded = { .path = path, .build_id = *id };
	struct elf_file *file = debug_file_open_build_id(id, search, err);

	if (!file && path[0] == '/' && id->size)
		file = open_debug_module(path, id, search, err);
	/* Without a build-id only the path identifies the file, which means nothing on another machine. */
	if (!file && path[0] == '/' && (id->size || !search->is_of_other_host))
		file = open_below("", path, id, search, err);
	return file || !id->size ? file : recorded_file_open(&recorded, search, NULL);
}
