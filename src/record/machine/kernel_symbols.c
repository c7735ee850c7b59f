/*
 * search() reads kallsyms up to _text, or to its end if it has only _stext. The size of the code comes from
 * /proc/iomem; if that is hidden, the search goes on to _etext.
 */
#include "record/machine/kernel_symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "record/machine/proc_file.h"

enum { KALLSYMS_PIECE_BYTES = 64 * 1024 };

/* Yields lines "addr T name [module]" from large reads. */
struct kallsyms {
	int fd;
	size_t used, size; /* of `piece` */
	char piece[KALLSYMS_PIECE_BYTES];
};

/* Returns 1 and a line without its newline, or 0 at the end. No line is longer than a piece. */
static int next_line(struct kallsyms *kallsyms, char **line)
{
	for (;;) {
		char *start = kallsyms->piece + kallsyms->used;
		char *newline = memchr(start, '\n', kallsyms->size - kallsyms->used);
		ssize_t got;

		if (newline) {
			*newline = '\0';
			kallsyms->used = (size_t)(newline + 1 - kallsyms->piece);
			*line = start;
			return 1;
		}
		kallsyms->size -= kallsyms->used;
		memmove(kallsyms->piece, start, kallsyms->size);
		kallsyms->used = 0;
		got = read(kallsyms->fd, kallsyms->piece + kallsyms->size,
			   sizeof(kallsyms->piece) - kallsyms->size);
		if (got <= 0)
			return 0;
		kallsyms->size += (size_t)got;
	}
}

/* The address in `line` if it names `symbol`, otherwise 0. */
static uint64_t address_of(const char *line, const char *symbol)
{
	char *end;
	uint64_t address = strtoull(line, &end, 16);

	return end[0] == ' ' && end[1] && end[2] == ' ' && strcmp(end + 3, symbol) == 0 ? address : 0;
}

/* " 01000000-022090c7 : Kernel code" has physical addresses, but the size is the same. 0 if they are hidden. */
static uint64_t code_size_from_iomem(const char *proc)
{
	struct strbuf iomem = STRBUF_INIT;
	const char *name;
	uint64_t size = 0;

	if (proc_file_readf(&iomem, NULL, "%s/iomem", proc) == 0 &&
	    (name = strstr(iomem.bytes, " : Kernel code"))) {
		uint64_t first, last = 0;
		char *end;

		while (name > iomem.bytes && name[-1] != '\n')
			name--;
		first = strtoull(name, &end, 16);
		if (*end == '-')
			last = strtoull(end + 1, NULL, 16);
		if (last > first)
			size = last - first + 1;
	}
	strbuf_fini(&iomem);
	return size;
}

static int search(struct kallsyms *kallsyms, struct kernel_text *text, const char *proc)
{
	bool stext_seen = false;
	uint64_t stext = 0, size;
	char *line;

	while (text->start == 0 && next_line(kallsyms, &line)) {
		uint64_t address = address_of(line, "_text");

		if (address)
			*text = (struct kernel_text){ .start = address, .reference = "_text" };
		else if (!stext_seen && (stext = address_of(line, "_stext")))
			stext_seen = true;
	}
	if (text->start == 0 && stext)
		*text = (struct kernel_text){ .start = stext, .reference = "_stext" };
	if (text->start == 0)
		return 0;
	text->reference_address = text->start;
	size = code_size_from_iomem(proc);
	if (size)
		text->end = text->start + size;
	while (text->end == 0 && next_line(kallsyms, &line))
		text->end = address_of(line, "_etext");
	if (text->end <= text->start)
		text->end = text->start +
			    (UINT64_C(1) << 30); /* more than any kernel has; modules override overlaps */
	return 1;
}

int kernel_text_find(struct kernel_text *text, const char *proc, struct error *err)
{
	struct kallsyms *kallsyms;
	char path[PATH_MAX];
	int found;

	*text = (struct kernel_text){ 0 };
	snprintf(path, sizeof(path), "%s/kallsyms", proc);
	kallsyms = calloc(1, sizeof(*kallsyms));
	if (!kallsyms)
		return error_set_errno(err, errno, "cannot read %s", path);
	kallsyms->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (kallsyms->fd < 0) {
		error_set_errno(err, errno, "cannot open %s", path);
		free(kallsyms);
		return -1;
	}
	found = search(kallsyms, text, proc);
	close(kallsyms->fd);
	free(kallsyms);
	return found;
}
