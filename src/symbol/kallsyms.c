/*
 * Reads the list as one text, splits it into lines in place and adds the wanted symbols to a symbol_map; the module's
 * name, in brackets, becomes the group. _text and _stext are noted separately, because the map keeps only one name per
 * address. A list in which all addresses are zero is refused, with the remedy in the message.
 */
#include "symbol/kallsyms.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str_pool.h"
#include "base/xalloc.h"
#include "symbol/text_file.h"

/* Large kernels with debugging options list several hundred thousand symbols, in 20 MB. */
static const size_t MAX_KALLSYMS_BYTES = (size_t)256 << 20;

struct kallsyms {
	char *path;
	struct text_file text; /* names point into it */
	struct symbol_map *map;
	struct str_pool *modules; /* number of a name = group */
	size_t bad_line_count;
	size_t line_count;
	bool has_address;    /* some address is not zero */
	bool has_text_start; /* _text and _stext are kept here, since aliases may displace them in the map */
	uint64_t text_start;
	bool has_stext_start;
	uint64_t stext_start;
	bool is_part;
	uint64_t part_start, part_end; /* the range that a part covers */
	struct cache_file file;        /* the cache file that a part is mapped from */
};

/* Letters as in nm(1): code and weak symbols, and data, since functions written in assembly are sometimes typed as data. */
static bool is_wanted_type(char type)
{
	return type != '\0' && strchr("TtWwDdBb", type);
}

static uint8_t binding_of(char type)
{
	if (type == 'W')
		return STB_WEAK;
	return isupper((unsigned char)type) ? STB_GLOBAL : STB_LOCAL;
}

/* Splits "name\t[module]" and returns the module's group. */
static uint16_t take_module(struct kallsyms *kallsyms, char *name, char *line_end)
{
	char *blank, *open;
	uint32_t number;

	if (line_end == name || line_end[-1] != ']')
		return KALLSYMS_KERNEL_GROUP;
	blank = strpbrk(name, " \t");
	open = blank ? strchr(blank, '[') : NULL;
	if (!open)
		return KALLSYMS_KERNEL_GROUP;
	*blank = '\0';
	number = str_pool_add_n(kallsyms->modules, open + 1, (size_t)(line_end - 1 - (open + 1)));
	return number < UINT16_MAX ? (uint16_t)number : UINT16_MAX - 1;
}

static void note_text_start(struct kallsyms *kallsyms, const char *name, uint64_t address)
{
	if (strcmp(name, "_text") == 0 && !kallsyms->has_text_start) {
		kallsyms->has_text_start = true;
		kallsyms->text_start = address;
	} else if (strcmp(name, "_stext") == 0 && !kallsyms->has_stext_start) {
		kallsyms->has_stext_start = true;
		kallsyms->stext_start = address;
	}
}

/* "ffffffff81000000 T _stext" or "ffffffffc0201000 t f\t[module]" */
static void parse_line(struct kallsyms *kallsyms, char *line, char *line_end)
{
	const char *at = line;
	uint64_t address;
	char type, *name;
	uint16_t group;

	kallsyms->line_count++;
	if (!text_take_hex(&at, &address) || !isalpha((unsigned char)at[0]) || at[1] != ' ' ||
	    at[2] == '\0') {
		kallsyms->bad_line_count++;
		return;
	}
	type = at[0];
	name = line + (at + 2 - line);
	if (address)
		kallsyms->has_address = true;
	/* $a, $d, $x: mapping symbols of ARM modules */
	if (!is_wanted_type(type) || name[0] == '$')
		return;
	group = take_module(kallsyms, name, line_end);
	if (name[0] == '_' && group == KALLSYMS_KERNEL_GROUP)
		note_text_start(kallsyms, name, address);
	symbol_map_add(kallsyms->map, address, 0, name, binding_of(type), group, SYMBOL_MAP_DEMANGLED);
}

static void parse(struct kallsyms *kallsyms)
{
	char *next = kallsyms->text.bytes;
	const char *end = next + kallsyms->text.size;
	char *line, *line_end;

	while ((line = text_next_line(&next, end, &line_end)))
		parse_line(kallsyms, line, line_end);
}

/* Reads the value as sysctl(8) shows it; "unknown" if the file cannot be read. */
static void read_sysctl(const char *path, char value[static 16])
{
	FILE *file = fopen(path, "re");

	if (!file || !fgets(value, 16, file))
		snprintf(value, 16, "unknown");
	value[strcspn(value, "\n")] = '\0';
	if (file)
		fclose(file);
}

/* As the kernel's kallsyms_show_value(): even with kptr_restrict 0, addresses are hidden if perf_event_paranoid is above 1. */
static int refuse_hidden(const char *path, struct error *err)
{
	char kptr_restrict[16], paranoid[16];

	read_sysctl("/proc/sys/kernel/kptr_restrict", kptr_restrict);
	read_sysctl("/proc/sys/kernel/perf_event_paranoid", paranoid);
	if (strncmp(path, "/proc/", strlen("/proc/")) != 0)
		return error_set(
			err,
			"%s has no addresses, all are zero: it was copied by a user who may not see them; "
			"copy /proc/kallsyms as root",
			path);
	return error_set(
		err,
		"%s hides its addresses (kptr_restrict is %s, perf_event_paranoid is %s): run as root, "
		"or 'sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1'",
		path, kptr_restrict, paranoid);
}

struct kallsyms *kallsyms_from_text(char *text, size_t size, const char *name, struct error *err)
{
	struct kallsyms *kallsyms = xcalloc(1, sizeof(*kallsyms));

	kallsyms->path = xstrdup(name);
	kallsyms->text = (struct text_file){ .bytes = text, .size = size };
	kallsyms->map = symbol_map_create();
	kallsyms->modules = str_pool_create();
	parse(kallsyms);
	if (kallsyms->line_count > kallsyms->bad_line_count && kallsyms->has_address) {
		symbol_map_seal(kallsyms->map, SYMBOL_MAP_INNERMOST, NULL, NULL);
		return kallsyms;
	}
	if (kallsyms->line_count > kallsyms->bad_line_count)
		refuse_hidden(name, err);
	else
		error_set(err, "%s holds no kernel symbols: lines 'address type name' are expected", name);
	kallsyms_close(kallsyms);
	return NULL;
}

struct kallsyms *kallsyms_open(const char *path, struct error *err)
{
	struct text_file text;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int result;

	if (fd < 0) {
		error_set_errno(err, errno, "cannot open %s", path);
		return NULL;
	}
	result = text_file_read(&text, fd, path, MAX_KALLSYMS_BYTES, err);
	close(fd);
	return result < 0 ? NULL : kallsyms_from_text(text.bytes, text.size, path, err);
}

struct kallsyms *kallsyms_from_part(const struct kallsyms_part *part, const char *name)
{
	struct kallsyms *kallsyms = xcalloc(1, sizeof(*kallsyms));

	kallsyms->path = xstrdup(name);
	kallsyms->file = part->file;
	kallsyms->map = symbol_map_of_sorted(&part->symbols);
	kallsyms->modules = str_pool_create();
	kallsyms->has_text_start = part->text_start != 0;
	kallsyms->text_start = part->text_start;
	kallsyms->has_stext_start = part->stext_start != 0;
	kallsyms->stext_start = part->stext_start;
	kallsyms->is_part = true;
	kallsyms->part_start = part->symbols.base;
	kallsyms->part_end = part->symbols.end;
	return kallsyms;
}

bool kallsyms_covers(const struct kallsyms *kallsyms, uint64_t address)
{
	return !kallsyms->is_part || (address >= kallsyms->part_start && address < kallsyms->part_end);
}

void kallsyms_close(struct kallsyms *kallsyms)
{
	if (!kallsyms)
		return;
	symbol_map_destroy(kallsyms->map);
	str_pool_destroy(kallsyms->modules);
	if (kallsyms->is_part)
		cache_file_close(&kallsyms->file);
	free(kallsyms->text.bytes);
	free(kallsyms->path);
	free(kallsyms);
}

const char *kallsyms_path(const struct kallsyms *kallsyms)
{
	return kallsyms->path;
}

struct symbol_map *kallsyms_map(struct kallsyms *kallsyms)
{
	return kallsyms->map;
}

bool kallsyms_has_module(const struct kallsyms *kallsyms, const char *module)
{
	return str_pool_find(kallsyms->modules, module) != UINT32_MAX;
}

const char *kallsyms_module(const struct kallsyms *kallsyms, uint16_t group)
{
	return group < str_pool_count(kallsyms->modules) ? str_pool_text(kallsyms->modules, group) : "";
}

int kallsyms_address(const struct kallsyms *kallsyms, const char *name, uint64_t *address)
{
	if (strcmp(name, "_text") == 0 && kallsyms->has_text_start)
		*address = kallsyms->text_start;
	else if (strcmp(name, "_stext") == 0 && kallsyms->has_stext_start)
		*address = kallsyms->stext_start;
	else
		return -1;
	return 0;
}
