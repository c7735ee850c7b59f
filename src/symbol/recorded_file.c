/*
 * open_binary() has the order of the search; at each place the build-id decides whether the file is taken. Errors keep
 * the reason for the file at the recorded path, since that is the one a user can act upon.
 */
#include "symbol/recorded_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "elf/build_id_cache.h"
#include "elf/compressed_file.h"
#include "elf/own_vdso.h"
#include "elf/zip_file.h"
#include "symbol/live_file.h"
#include "symbol/symbol_archive.h"

static void explain_mismatch(const struct recorded_file *recorded, const struct build_id *found,
			     struct error *err)
{
	char recorded_hex[BUILD_ID_HEX_SIZE], found_hex[BUILD_ID_HEX_SIZE];

	if (found->size == 0)
		error_set(err,
			  "%s has no build-id, the recording has %s: the file was replaced after the "
			  "recording",
			  recorded->path, build_id_hex(&recorded->build_id, recorded_hex));
	else
		error_set(err,
			  "build-id of %s is %s, the recording has %s: the file was replaced after the "
			  "recording",
			  recorded->path, build_id_hex(found, found_hex),
			  build_id_hex(&recorded->build_id, recorded_hex));
}

/* "base.apk!/lib/arm64-v8a/libfoo.so": simpleperf and Android's linker name a library mapped right out of an APK like this. */
static struct elf_file *open_inside_zip(const char *path, const char *separator, struct error *err)
{
	char *outer = xstrndup(path, (size_t)(separator - path));
	const char *inner = separator + strlen("!/");
	struct zip_file *zip = zip_file_open(outer, err);
	const struct zip_entry *entry = zip ? zip_file_find(zip, inner) : NULL;
	struct elf_file *file = NULL;

	if (entry) {
		uint8_t *bytes = xmalloc((size_t)entry->size);

		memcpy(bytes, zip_entry_bytes(zip, entry), (size_t)entry->size);
		file = elf_file_open_memory(bytes, (size_t)entry->size, path, err);
	} else if (zip) {
		error_set(err, "%s contains no %s that can be mapped", outer, inner);
	}
	zip_file_close(zip);
	free(outer);
	return file;
}

static struct elf_file *open_path(const char *path, struct error *err)
{
	const char *separator = strstr(path, "!/");

	return separator && access(path, F_OK) != 0 ? open_inside_zip(path, separator, err) :
						      compressed_file_open(path, err);
}

struct elf_file *recorded_file_open_at(const struct recorded_file *recorded, const char *path,
				       struct error *err)
{
	struct elf_file *file = open_path(path, err);

	if (file && !build_id_is_recorded(&recorded->build_id, elf_file_build_id(file))) {
		explain_mismatch(recorded, elf_file_build_id(file), err);
		elf_file_close(file);
		file = NULL;
	}
	return file;
}

static struct elf_file *open_cached(const struct recorded_file *recorded,
				    const struct debug_file_search *search)
{
	char *path = build_id_cache_find(search->buildid_dir, &recorded->build_id,
					 recorded->is_vdso ? "vdso" : "elf");
	struct elf_file *file = path ? recorded_file_open_at(recorded, path, NULL) : NULL;

	free(path);
	return file;
}

/* The kernel appends this to the name of a file that was already deleted when it was mapped, or when its name was read. */
static const char deleted[] = " (deleted)";

static bool was_deleted(const char *path)
{
	size_t length = strlen(path), ending = strlen(deleted);

	return length > ending && strcmp(path + length - ending, deleted) == 0;
}

static struct elf_file *open_live(const struct recorded_file *recorded, const char *path)
{
	struct elf_file *file = NULL;

	for (const uint32_t *pid = recorded->pids; !file && pid && *pid; pid++)
		file = live_file_open(*pid, path, &recorded->build_id);
	return file;
}

/* Without a build-id only the path identifies the file, which means nothing on another machine. */
static bool is_unproved(const struct recorded_file *recorded, const struct debug_file_search *search)
{
	return search->is_of_other_host && recorded->build_id.size == 0;
}

/* Opens `path`, which is without " (deleted)": the same file may have been put there again. */
static struct elf_file *open_at_path(const struct recorded_file *recorded, const char *path,
				     const struct debug_file_search *search, struct error *err)
{
	char *full = xasprintf("%s%s", search->symfs ? search->symfs : "", path);
	struct elf_file *file = NULL;

	if (was_deleted(recorded->path) && recorded->build_id.size == 0)
		error_set(err,
			  "%s had been deleted when it was recorded, and its build-id is unknown: record "
			  "with build-ids",
			  path);
	else if (is_unproved(recorded, search))
		error_set(err,
			  "%s was recorded on another machine without a build-id, so the file here may be a "
			  "different one; '--symfs /' uses it anyway",
			  path);
	else
		file = recorded_file_open_at(recorded, full, err);
	free(full);
	return file;
}

static struct elf_file *open_binary(const struct recorded_file *recorded,
				    const struct debug_file_search *search, struct error *err)
{
	char *path = xstrdup(recorded->path);
	struct elf_file *file;

	if (was_deleted(path))
		path[strlen(path) - strlen(deleted)] = '\0';
	file = open_at_path(recorded, path, search, err);
	if (!file && (!search->symfs || !*search->symfs))
		file = open_live(recorded, path);
	free(path);
	if (!file)
		file = open_cached(recorded, search);
	return file ? file : debug_file_open_downloaded_executable(&recorded->build_id, search);
}

static struct elf_file *open_file(const struct recorded_file *recorded,
				  const struct debug_file_search *search, struct error *err)
{
	struct elf_file *file = open_binary(recorded, search, err);

	/* The binary is gone, but its debug file may still be there. */
	return file ? file : debug_file_open_build_id(&recorded->build_id, search, NULL);
}

bool recorded_file_has_binary(const struct recorded_file *recorded, const struct debug_file_search *search)
{
	struct elf_file *file = open_binary(recorded, search, NULL);

	elf_file_close(file);
	return file != NULL;
}

static struct elf_file *open_vdso(const struct recorded_file *recorded,
				  const struct debug_file_search *search, struct error *err)
{
	struct elf_file *file = NULL;

	if (is_unproved(recorded, search))
		error_set(err, "the [vdso] was recorded on another machine, and its build-id is unknown");
	else
		file = own_vdso_open_named(recorded->path, err);
	if (file && !build_id_is_recorded(&recorded->build_id, elf_file_build_id(file))) {
		error_set(err,
			  "the [vdso] belongs to another kernel: run the report on the recorded machine, "
			  "before it boots another kernel");
		elf_file_close(file);
		file = NULL;
	}
	return file ? file : open_cached(recorded, search);
}

static struct elf_file *open_archived(const struct recorded_file *recorded,
				      const struct symbol_archive *archive, struct error *err)
{
	const struct symbol_object object = { .kind = recorded->is_vdso ? DSO_VDSO : DSO_FILE,
					      .path = recorded->path,
					      .build_id = recorded->build_id };

	return symbol_archive_open_elf(archive, symbol_archive_find(archive, &object), err);
}

struct elf_file *recorded_file_open(const struct recorded_file *recorded,
				    const struct debug_file_search *search, struct error *err)
{
	if (search->archive)
		return open_archived(recorded, search->archive, err);
	return recorded->is_vdso ? open_vdso(recorded, search, err) : open_file(recorded, search, err);
}

struct jitdump *recorded_file_open_jitdump(const char *path, uint32_t pid,
					   const struct debug_file_search *search, struct error *err)
{
	const struct symbol_object object = { .kind = DSO_JITDUMP, .path = path, .pid = pid };
	struct archive_image image;
	size_t size;

	if (!search->archive)
		return jitdump_open(path, pid, search->symfs ? search->symfs : "", err);
	if (symbol_archive_map(search->archive, symbol_archive_find(search->archive, &object), &image, err) <
	    0)
		return NULL;
	size = image.size;
	return jitdump_open_mapped(archive_image_take(&image), size, path, err);
}

enum recorded_file_state recorded_file_state(const struct recorded_file *recorded,
					     const struct debug_file_search *search)
{
	char *path = xasprintf("%s%s", search->symfs ? search->symfs : "", recorded->path);
	enum recorded_file_state state = RECORDED_FILE_PRESENT;
	struct elf_file *file = elf_file_open(path, NULL);
	struct elf_section section;

	if (!file)
		state = access(path, F_OK) == 0 ? RECORDED_FILE_UNREADABLE : RECORDED_FILE_GONE;
	else if (!build_id_is_recorded(&recorded->build_id, elf_file_build_id(file)))
		state = RECORDED_FILE_REPLACED;
	else if (is_unproved(recorded, search))
		state = RECORDED_FILE_UNPROVED;
	else if (elf_file_section(file, ".symtab", &section, NULL) < 0)
		state = RECORDED_FILE_UNREADABLE;
	elf_file_close(file);
	free(path);
	return state;
}
