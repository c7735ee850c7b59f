/*
 * add_key() describes the machine as it is now: boot id, build-id and the first 4 KiB of the list. A cache file is
 * believed if it begins with the same bytes. The symbols behind the key are searched in place in the mapped file, so
 * loading costs a check of the numbers and no parsing; find_core() picks the part of the list that cannot change until
 * the next boot.
 */
#include "symbol/kallsyms_cache.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache_file.h"
#include "base/xalloc.h"

/*
 * Contents: the key, which is compared with the present state of the machine (boot id, build-id, first lines: see
 * add_key()); base, end, _text and _stext (8 bytes each; _text and _stext are 0 if there is none), number of symbols and
 * bytes of text (4 each); starts, and positions of names in the text (4 bytes each), bindings (1 each), text.
 */
static const char magic[] = "xprofK\1\n";

enum {
	BOOT_ID_BYTES = 36,       /* a UUID as text */
	FIRST_LINES_BYTES = 4096, /* some ninety lines, which take next to no time to read */
};

static char *file_name(const struct kallsyms_cache_key *key)
{
	char hex[BUILD_ID_HEX_SIZE];

	return xasprintf("%s.kallsyms", build_id_hex(key->build_id, hex));
}

/* --- the key --------------------------------------------------------------------------------------------- */

/* Reads the first `size` bytes of a file; false if it has fewer. A read() of /proc may return less than requested. */
static bool read_beginning(const char *path, char *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t got = 0;
	ssize_t n = 1;

	while (fd >= 0 && got < size && n > 0) {
		n = read(fd, bytes + got, size - got);
		if (n > 0)
			got += (size_t)n;
	}
	if (fd >= 0)
		close(fd);
	return got == size;
}

/* To a process without the right to see addresses, they read as zero. */
static bool shows_addresses(const char *lines, size_t size)
{
	bool in_address = true;

	for (size_t i = 0; i < size; i++) {
		if (in_address && isxdigit((unsigned char)lines[i]) && lines[i] != '0')
			return true;
		in_address = lines[i] == '\n' || (in_address && lines[i] != ' ');
	}
	return false;
}

/* Adds boot id, build-id and first lines of the list; false if they cannot be read. */
static bool add_key(struct strbuf *out, const struct kallsyms_cache_key *key)
{
	char boot_id[BOOT_ID_BYTES], *lines;
	bool known;

	if (!key->directory || key->build_id->size == 0 ||
	    !read_beginning(key->boot_id_path, boot_id, sizeof(boot_id)))
		return false;
	lines = xmalloc(FIRST_LINES_BYTES);
	known = read_beginning(key->list_path, lines, FIRST_LINES_BYTES) &&
		shows_addresses(lines, FIRST_LINES_BYTES);
	if (known) {
		strbuf_add(out, boot_id, sizeof(boot_id));
		strbuf_add_u32(out, (uint32_t)key->build_id->size, false);
		strbuf_add(out, key->build_id->bytes, key->build_id->size);
		strbuf_add(out, lines, FIRST_LINES_BYTES);
	}
	free(lines);
	return known;
}

/* --- loading --------------------------------------------------------------------------------------------- */

/* NULL if truncated. */
static const uint8_t *take_items(struct byte_reader *r, uint32_t count, size_t item_bytes)
{
	return byte_reader_bytes(r,
				 count <= byte_reader_left(r) / item_bytes ? count * item_bytes : SIZE_MAX);
}

static bool are_sound(const struct sorted_symbols *symbols, uint32_t text_bytes)
{
	uint32_t start = sorted_symbols_number(symbols->starts, 0), before;

	if (start != 0 || sorted_symbols_number(symbols->names, 0) >= text_bytes)
		return false;
	for (uint32_t i = 1; i < symbols->count; i++) {
		before = start;
		start = sorted_symbols_number(symbols->starts, i);
		if (start <= before || sorted_symbols_number(symbols->names, i) >= text_bytes)
			return false;
	}
	return symbols->end > symbols->base && symbols->end - symbols->base > start &&
	       symbols->text[text_bytes - 1] == '\0';
}

/* Fills in all but the file. False if the contents are invalid. */
static bool decode(struct kallsyms_part *part, struct byte_reader r)
{
	struct sorted_symbols *symbols = &part->symbols;
	uint32_t text_bytes;

	symbols->base = byte_reader_u64(&r);
	symbols->end = byte_reader_u64(&r);
	part->text_start = byte_reader_u64(&r);
	part->stext_start = byte_reader_u64(&r);
	symbols->count = byte_reader_u32(&r);
	text_bytes = byte_reader_u32(&r);
	symbols->starts = take_items(&r, symbols->count, sizeof(uint32_t));
	symbols->names = take_items(&r, symbols->count, sizeof(uint32_t));
	symbols->bindings = take_items(&r, symbols->count, 1);
	symbols->text = (const char *)byte_reader_bytes(&r, text_bytes);
	return byte_reader_ok(&r) && symbols->count > 0 && text_bytes > 0 && are_sound(symbols, text_bytes);
}

static struct kallsyms *load_file(const char *path, const struct strbuf *now, const char *list_path)
{
	struct kallsyms_part part = { 0 };
	const uint8_t *then;

	if (cache_file_open(path, magic, &part.file) != 1)
		return NULL;
	then = byte_reader_bytes(&part.file.contents, now->size);
	if (then && memcmp(then, now->bytes, now->size) == 0 && decode(&part, part.file.contents))
		return kallsyms_from_part(&part, list_path);
	cache_file_close(&part.file);
	return NULL;
}

struct kallsyms *kallsyms_cache_load(const struct kallsyms_cache_key *key)
{
	struct kallsyms *kallsyms = NULL;
	struct strbuf now = STRBUF_INIT;
	char *name, *path;

	if (add_key(&now, key)) {
		name = file_name(key);
		path = xasprintf("%s/%s", key->directory, name);
		kallsyms = load_file(path, &now, key->list_path);
		free(path);
		free(name);
	}
	strbuf_fini(&now);
	return kallsyms;
}

/* --- saving ---------------------------------------------------------------------------------------------- */

/* A range of entry numbers, and the addresses that it covers. */
struct core {
	size_t first, count;
	uint64_t base, end;
};

/*
 * Takes the symbols from _stext up to the last one of the kernel proper, whose end is unknown. False if a symbol of
 * something else lies in between, or if one does not end where the next begins: the cache stores starts only.
 */
static bool find_core(const struct kallsyms *kallsyms, const struct symbol_map *map, struct core *core)
{
	size_t count = symbol_map_count(map), last = 0, i = 0;

	*core = (struct core){ .count = 0 };
	if (kallsyms_address(kallsyms, "_stext", &core->base) < 0)
		return false;
	while (i < count && symbol_map_entry(map, i)->start < core->base)
		i++;
	core->first = last = i;
	for (; i < count; i++)
		if (symbol_map_entry(map, i)->group == KALLSYMS_KERNEL_GROUP)
			last = i;
	if (last == core->first || symbol_map_entry(map, core->first)->start != core->base)
		return false;
	for (i = core->first; i < last; i++)
		if (symbol_map_entry(map, i)->group != KALLSYMS_KERNEL_GROUP ||
		    symbol_map_entry(map, i)->end != symbol_map_entry(map, i + 1)->start)
			return false;
	core->count = last - core->first;
	core->end = symbol_map_entry(map, last)->start;
	return core->end - core->base <= UINT32_MAX;
}

static void add_core(struct strbuf *out, const struct symbol_map *map, const struct core *core)
{
	struct strbuf names = STRBUF_INIT, bindings = STRBUF_INIT, text = STRBUF_INIT;

	for (size_t i = core->first; i < core->first + core->count; i++) {
		const struct symbol_map_entry *entry = symbol_map_entry(map, i);

		strbuf_add_u32(&names, (uint32_t)text.size, false);
		strbuf_addc(&bindings, (char)entry->binding);
		strbuf_add(&text, entry->name, strlen(entry->name) + 1);
	}
	strbuf_add_u32(out, (uint32_t)core->count, false);
	strbuf_add_u32(out, (uint32_t)text.size, false);
	for (size_t i = core->first; i < core->first + core->count; i++)
		strbuf_add_u32(out, (uint32_t)(symbol_map_entry(map, i)->start - core->base), false);
	strbuf_add(out, names.bytes, names.size);
	strbuf_add(out, bindings.bytes, bindings.size);
	strbuf_add(out, text.bytes, text.size);
	strbuf_fini(&text);
	strbuf_fini(&bindings);
	strbuf_fini(&names);
}

static void save_file(const struct kallsyms_cache_key *key, const struct strbuf *now,
		      const struct kallsyms *kallsyms, const struct symbol_map *map, const struct core *core)
{
	char *name = file_name(key), *path = xasprintf("%s/%s", key->directory, name);
	uint64_t text_start = 0;
	struct strbuf file = STRBUF_INIT;

	if (!cache_file_begins(path, magic, now->bytes, now->size)) {
		cache_file_start(&file, magic);
		strbuf_add(&file, now->bytes, now->size);
		strbuf_add_u64(&file, core->base, false);
		strbuf_add_u64(&file, core->end, false);
		(void)kallsyms_address(kallsyms, "_text", &text_start);
		strbuf_add_u64(&file, text_start, false);
		strbuf_add_u64(&file, core->base, false);
		add_core(&file, map, core);
		cache_file_save(key->directory, name, &file);
	}
	strbuf_fini(&file);
	free(path);
	free(name);
}

void kallsyms_cache_save(const struct kallsyms_cache_key *key, struct kallsyms *kallsyms)
{
	const struct symbol_map *map = kallsyms_map(kallsyms);
	struct strbuf now = STRBUF_INIT;
	struct core core;

	if (add_key(&now, key) && find_core(kallsyms, map, &core))
		save_file(key, &now, kallsyms, map, &core);
	strbuf_fini(&now);
}
