/*
 * process_maps_each() tries the ioctl. An older kernel refuses the first query, before anything was visited; the text is
 * parsed then. A second query asks for the build-id, once for neighbouring mappings of one file.
 */
#include "record/process/process_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "record/machine/procmap_query.h"

/*
 * For a build-id the kernel reads the file, and logs a complaint if it cannot, as with the rings of other recorders
 * (anon_inode:[perf_event]), BPF maps, "/[aio]" and devices.
 */
static bool may_have_build_id(const char *path)
{
	return path[0] == '/' && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/[", 2) != 0;
}

static void fill_mapping(struct process_mapping *mapping, const struct procmap_query *query, const char *name)
{
	*mapping = (struct process_mapping){
		.start = query->vma_start,
		.end = query->vma_end,
		.file_offset = query->vma_offset,
		.prot = (query->vma_flags & QUERY_READABLE ? PROT_READ : 0) |
			(query->vma_flags & QUERY_WRITABLE ? PROT_WRITE : 0) |
			(query->vma_flags & QUERY_EXECUTABLE ? PROT_EXEC : 0),
		.flags = query->vma_flags & QUERY_SHARED ? MAP_SHARED : MAP_PRIVATE,
		.device_major = query->dev_major,
		.device_minor = query->dev_minor,
		.inode = query->inode,
		.path = query->vma_name_size ? name : "",
	};
}

static void set_build_id(struct process_mapping *mapping, const uint8_t *bytes, uint32_t size)
{
	if (size > BUILD_ID_MAX_BYTES)
		return;
	mapping->build_id.size = (uint8_t)size;
	memcpy(mapping->build_id.bytes, bytes, size);
}

static bool is_wanted(const struct process_mapping *mapping, bool data)
{
	return mapping->prot & PROT_EXEC || (data && mapping->prot & PROT_READ);
}

/* Mappings of one file follow each other, so the previous answer is kept. */
struct known_build_id {
	uint8_t bytes[BUILD_ID_MAX_BYTES];
	uint32_t size;
	uint64_t inode;
	uint32_t dev_major, dev_minor;
	bool is_known;
};

static void query_build_id(int maps_fd, const struct procmap_query *mapping, struct known_build_id *known)
{
	struct procmap_query query = {
		.size = sizeof(query),
		.query_addr = mapping->vma_start,
		.build_id_size = sizeof(known->bytes),
		.build_id_addr = (uintptr_t)known->bytes,
	};

	if (known->is_known && mapping->inode && known->inode == mapping->inode &&
	    known->dev_major == mapping->dev_major && known->dev_minor == mapping->dev_minor)
		return;
	*known = (struct known_build_id){ .inode = mapping->inode,
					  .dev_major = mapping->dev_major,
					  .dev_minor = mapping->dev_minor,
					  .is_known = true };
	if (procmap_query(maps_fd, &query) == 0)
		known->size = query.build_id_size;
}

/* Returns 0 when done, 1 if this kernel does not know the query (nothing was visited), -1 if the process is gone. */
static int query_each(int maps_fd, bool data, process_mapping_visit *visit, void *context)
{
	struct known_build_id known = { .is_known = false };
	char name[PATH_MAX];
	uint64_t address = 0;

	for (;;) {
		struct process_mapping mapping;
		struct procmap_query query = {
			.size = sizeof(query),
			.query_flags = QUERY_COVERING_OR_NEXT | (data ? 0 : QUERY_EXECUTABLE),
			.query_addr = address,
			.vma_name_size = sizeof(name),
			.vma_name_addr = (uintptr_t)name,
		};

		if (procmap_query(maps_fd, &query) < 0) {
			if (errno == ENOENT)
				return 0;
			if (errno == ESRCH)
				return -1;
			return address == 0 ? 1 : 0;
		}
		fill_mapping(&mapping, &query, name);
		if (is_wanted(&mapping, data)) {
			if (may_have_build_id(mapping.path)) {
				query_build_id(maps_fd, &query, &known);
				set_build_id(&mapping, known.bytes, known.size);
			}
			visit(&mapping, context);
		}
		if (query.vma_end <= address)
			return 0;
		address = query.vma_end;
	}
}

/* Reads the number at *text and moves *text past `terminator`. Returns false if the number does not end with it. */
static bool take_number(char **text, int base, char terminator, uint64_t *number)
{
	char *end;

	*number = strtoull(*text, &end, base);
	if (end == *text || *end != terminator)
		return false;
	*text = end + 1;
	return true;
}

/* "START-END rwxp OFFSET MAJOR:MINOR INODE   PATH" */
int process_maps_parse_line(char *line, struct process_mapping *mapping)
{
	uint64_t major_number, minor_number;
	const char *permissions;

	*mapping = (struct process_mapping){ 0 };
	if (!take_number(&line, 16, '-', &mapping->start) || !take_number(&line, 16, ' ', &mapping->end))
		return -1;
	permissions = line;
	if (strnlen(line, 5) < 5 || line[4] != ' ')
		return -1;
	line += 5;
	if (!take_number(&line, 16, ' ', &mapping->file_offset) ||
	    !take_number(&line, 16, ':', &major_number) || !take_number(&line, 16, ' ', &minor_number))
		return -1;
	mapping->inode = strtoull(line, &line, 10);
	mapping->device_major = (uint32_t)major_number;
	mapping->device_minor = (uint32_t)minor_number;
	mapping->prot = (permissions[0] == 'r' ? PROT_READ : 0) | (permissions[1] == 'w' ? PROT_WRITE : 0) |
			(permissions[2] == 'x' ? PROT_EXEC : 0);
	mapping->flags = permissions[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	mapping->path = line + strspn(line, " ");
	return 0;
}

static int read_all(int fd, struct strbuf *text)
{
	char piece[16 * 1024];
	ssize_t got;

	while ((got = TEMP_FAILURE_RETRY(read(fd, piece, sizeof(piece)))) != 0) {
		if (got < 0)
			return -1;
		strbuf_add(text, piece, (size_t)got);
	}
	return 0;
}

static int parse_each(int maps_fd, bool data, process_mapping_visit *visit, void *context)
{
	struct strbuf text = STRBUF_INIT;
	char *rest = NULL;
	int result;

	result = read_all(maps_fd, &text);
	for (char *line = text.bytes ? strtok_r(text.bytes, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct process_mapping mapping;

		if (process_maps_parse_line(line, &mapping) == 0 && is_wanted(&mapping, data))
			visit(&mapping, context);
	}
	strbuf_fini(&text);
	return result;
}

int process_maps_each(const char *proc, pid_t pid, bool data, process_mapping_visit *visit, void *context)
{
	char path[PATH_MAX];
	int fd, result;

	snprintf(path, sizeof(path), "%s/%d/maps", proc, (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	result = query_each(fd, data, visit, context);
	if (result > 0)
		result = parse_each(fd, data, visit, context);
	close(fd);
	return result;
}
