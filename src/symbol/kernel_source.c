/*
 * open_list() chooses the list: the user's file, else /proc/kallsyms if the recorded kernel is the running one, else
 * perf's copy if there is one. For the running kernel the cached part is tried before the whole list. The distance
 * between recorded and listed reference symbol gives the relocation; modules are named only if it is 0 and the list is
 * not perf's copy.
 */
#include "symbol/kernel_source.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "symbol/kallsyms_cache.h"

struct kernel_source {
	char *kallsyms_path; /* NULL: /proc/kallsyms */
	char *offered_path;  /* NULL: none */
	bool is_offered;     /* the list at offered_path is in use */
	bool is_running_kernel;
	struct recorded_kernel recorded;
	const char *cache_directory;
	struct build_id running;   /* size 0: not read yet, or unknown */
	struct kallsyms *kallsyms; /* NULL until needed, or if it cannot be read */
	struct kallsyms *part;     /* the cached part of the list; NULL: none, or not looked for yet */
	bool whole_wanted;         /* the cached part is not enough */
	bool kallsyms_tried;
	struct error kallsyms_why;
};

struct kernel_source *kernel_source_create(const char *kallsyms_path, bool is_running_kernel,
					   const char *cache_directory)
{
	struct kernel_source *source = xcalloc(1, sizeof(*source));

	source->kallsyms_path = kallsyms_path ? xstrdup(kallsyms_path) : NULL;
	source->is_running_kernel = is_running_kernel;
	source->cache_directory = cache_directory;
	return source;
}

void kernel_source_destroy(struct kernel_source *source)
{
	if (!source)
		return;
	kallsyms_close(source->kallsyms);
	kallsyms_close(source->part);
	free(source->kallsyms_path);
	free(source->offered_path);
	free(source);
}

void kernel_source_learn(struct kernel_source *source, const struct recorded_kernel *kernel)
{
	source->recorded = *kernel;
	if (!source->kallsyms && !source->part)
		source->kallsyms_tried =
			false; /* the recorded kernel may be the running one now: look again */
}

/* Whether the running kernel was recorded, judged by its build-id, or if one is unknown, by what the caller said. */
static bool was_running_kernel_recorded(struct kernel_source *source)
{
	const struct recorded_kernel *recorded = &source->recorded;

	if (source->running.size == 0)
		(void)build_id_read_notes(&source->running, BUILD_ID_KERNEL_NOTES, NULL);
	if (recorded->build_id.size == 0 || source->running.size == 0)
		return source->is_running_kernel;
	if (!build_id_is_recorded(&recorded->build_id, &source->running))
		return false;
	return source->is_running_kernel || recorded->relocation_symbol;
}

void kernel_source_offer(struct kernel_source *source, const char *path)
{
	free(source->offered_path);
	source->offered_path = xstrdup(path);
}

static struct kallsyms_cache_key cache_key(const struct kernel_source *source)
{
	return (struct kallsyms_cache_key){ .directory = source->cache_directory,
					    .build_id = &source->running,
					    .list_path = "/proc/kallsyms",
					    .boot_id_path = "/proc/sys/kernel/random/boot_id" };
}

/* Reads the list of the running kernel. */
static void read_whole(struct kernel_source *source)
{
	const struct kallsyms_cache_key key = cache_key(source);

	source->kallsyms = kallsyms_open("/proc/kallsyms", &source->kallsyms_why);
	if (source->kallsyms)
		kallsyms_cache_save(&key, source->kallsyms);
}

static void open_running_list(struct kernel_source *source)
{
	const struct kallsyms_cache_key key = cache_key(source);

	if (!source->whole_wanted)
		source->part = kallsyms_cache_load(&key);
	if (!source->part)
		read_whole(source);
}

static void open_list(struct kernel_source *source)
{
	if (source->kallsyms_path)
		source->kallsyms = kallsyms_open(source->kallsyms_path, &source->kallsyms_why);
	else if (was_running_kernel_recorded(source))
		open_running_list(source);
	else
		error_set(
			&source->kallsyms_why,
			"the recording was made on another kernel than the running one: give that kernel's vmlinux, "
			"its System.map or a copy of its /proc/kallsyms");
	if (source->kallsyms || source->part || source->kallsyms_path || !source->offered_path)
		return;
	source->kallsyms = kallsyms_open(source->offered_path, NULL);
	source->is_offered = source->kallsyms != NULL;
}

static struct kallsyms *open_once(struct kernel_source *source, struct error *err)
{
	if (!source->kallsyms_tried) {
		source->kallsyms_tried = true;
		open_list(source);
	}
	if (!source->kallsyms && !source->part)
		error_set(err, "%s", source->kallsyms_why.message);
	return source->kallsyms ? source->kallsyms : source->part;
}

void kernel_source_want_whole(struct kernel_source *source)
{
	if (source->whole_wanted)
		return;
	source->whole_wanted = true;
	if (source->part)
		read_whole(source);
}

/* Recorded address of the reference symbol - its address in the list; 0 if either is unknown. */
static uint64_t relocation_of(const struct kernel_source *source, const struct kallsyms *kallsyms)
{
	const struct recorded_kernel *recorded = &source->recorded;
	uint64_t address;

	if (!recorded->relocation_symbol ||
	    kallsyms_address(kallsyms, recorded->relocation_symbol, &address) < 0)
		return 0;
	return recorded->relocation_address - address;
}

struct kallsyms *kernel_source_for_kernel(struct kernel_source *source, uint64_t *relocation,
					  struct error *err)
{
	struct kallsyms *kallsyms = open_once(source, err);

	*relocation = kallsyms ? relocation_of(source, kallsyms) : 0;
	return kallsyms;
}

struct kallsyms *kernel_source_for_modules(struct kernel_source *source, struct error *err)
{
	struct kallsyms *kallsyms;

	kernel_source_want_whole(source);
	kallsyms = open_once(source, err);
	if (kallsyms && kallsyms == source->part) {
		error_set(err, "%s", source->kallsyms_why.message);
		return NULL;
	}
	if (kallsyms && (source->is_offered || relocation_of(source, kallsyms) != 0)) {
		error_set(err,
			  "%s is from another boot than the recording, when modules had other addresses: "
			  "give a copy of /proc/kallsyms that was made before the reboot",
			  kallsyms_path(kallsyms));
		return NULL;
	}
	return kallsyms;
}
