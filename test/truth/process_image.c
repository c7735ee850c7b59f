#include "truth/process_image.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { PATH_BYTES = 1024 };

static void forget_maps(struct process_image *image)
{
	for (size_t i = 0; i < image->count; i++)
		free(image->maps[i].path);
	image->count = 0;
}

void process_image_fini(struct process_image *image)
{
	forget_maps(image);
	free(image->maps);
}

size_t process_image_read(const struct process_image *image, uint64_t address, void *to, size_t size)
{
	struct iovec local = { .iov_base = to, .iov_len = size };
	struct iovec remote = { .iov_base = (void *)(uintptr_t)address, .iov_len = size };
	ssize_t got = process_vm_readv(image->pid, &local, 1, &remote, 1, 0);

	return got > 0 ? (size_t)got : 0;
}

static void add_mapping(struct process_image *image, const char *line)
{
	uint64_t start, end, offset;
	char permissions[8], path[PATH_BYTES] = "";
	struct mapped *mapped;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %1023s", &start, &end, permissions,
		   &offset, path) < 4)
		return;
	image->maps = array_grow(image->maps, &image->capacity, image->count + 1, sizeof(*image->maps));
	mapped = &image->maps[image->count++];
	*mapped = (struct mapped){ .mapping = { .start = start, .end = end },
				   .readable = permissions[0] == 'r',
				   .writable = permissions[1] == 'w',
				   .executable = permissions[2] == 'x',
				   .file_offset = offset,
				   .path = xstrdup(path) };
	image->describe(image->process, mapped);
}

uint64_t process_image_space(struct process_image *image)
{
	char *path, line[PATH_BYTES + 128];
	FILE *maps;

	if (!image->stale)
		return image->space;
	path = xasprintf("/proc/%d/maps", image->pid);
	maps = fopen(path, "re");
	free(path);
	forget_maps(image);
	while (maps && fgets(line, sizeof(line), maps))
		add_mapping(image, line);
	if (maps)
		fclose(maps);
	image->stale = false;
	image->space = module_cache_next_space(image->cache);
	return image->space;
}

const struct mapped *process_image_at(struct process_image *image, uint64_t address)
{
	process_image_space(image);
	for (size_t i = 0; i < image->count; i++)
		if (address - image->maps[i].mapping.start <
		    image->maps[i].mapping.end - image->maps[i].mapping.start)
			return &image->maps[i];
	return NULL;
}

bool process_image_find(void *context, uint64_t address, struct unwind_mapping *mapping)
{
	const struct mapped *mapped = process_image_at(context, address);

	if (mapped)
		*mapping = mapped->mapping;
	return mapped != NULL;
}

const char *process_image_path(struct process_image *image, uint64_t address)
{
	const struct mapped *mapped = process_image_at(image, address);

	return mapped ? mapped->path : "";
}

bool process_image_is_plt(struct process_image *image, uint64_t address)
{
	const struct mapped *mapped = process_image_at(image, address);

	return mapped && mapped->mapping.module &&
	       module_is_plt(mapped->mapping.module, address - mapped->mapping.bias);
}

struct shadow_bounds process_image_stack(struct process_image *image, uint64_t sp)
{
	const struct mapped *mapped = process_image_at(image, sp);

	if (!mapped || !mapped->writable)
		return (struct shadow_bounds){ 0, 0 };
	return (struct shadow_bounds){ mapped->mapping.start, mapped->mapping.end };
}

void process_image_silence(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
}
