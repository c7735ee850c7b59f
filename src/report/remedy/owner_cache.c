#include "report/remedy/owner_cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "symbol/cache_file.h"

/*
 * Contents: path of the database (4 bytes of length, text), what tells that it is the same (4 numbers of 8 bytes), number
 * of answers (4 bytes); of each path and package (4 bytes of length, text), the latter empty if there is none.
 */
static const char magic[] = "xprofP\1\n";

enum {
	STATE_NUMBERS = 4,
	MAX_ANSWERS = 4096,   /* thousands of files in one profile: the next ones begin anew */
	SETTLING_SECONDS = 2, /* of the coarsest clock of a file system */
};

struct answer {
	const char *path, *package; /* in the arena; "": none */
};

struct owner_cache {
	char *directory, *database;
	uint64_t state[STATE_NUMBERS];
	int64_t now_s;
	struct arena arena;
	struct answer *answers;
	size_t count, capacity;
	bool is_new; /* something was added */
};

static uint64_t nanoseconds(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

/* Of the database as it is now; false: it is not there, or may just be changing. */
static bool read_state(const char *database, int64_t now_s, uint64_t state[STATE_NUMBERS])
{
	struct stat st;

	if (stat(database, &st) < 0)
		return false;
	state[0] = (uint64_t)st.st_dev;
	state[1] = (uint64_t)st.st_ino;
	state[2] = nanoseconds(&st.st_mtim);
	state[3] = nanoseconds(&st.st_ctim);
	return st.st_mtim.tv_sec + SETTLING_SECONDS < now_s && st.st_ctim.tv_sec + SETTLING_SECONDS < now_s;
}

/* --- the file --------------------------------------------------------------------------------------------- */

static void add_text(struct strbuf *out, const char *text)
{
	strbuf_add_u32(out, (uint32_t)strlen(text), false);
	strbuf_adds(out, text);
}

/* NULL when it is not all there, or no text. */
static const char *take_text(struct byte_reader *r, struct arena *arena)
{
	const uint32_t size = byte_reader_u32(r);
	const uint8_t *bytes = byte_reader_bytes(r, size);
	char *text;

	if (!bytes || memchr(bytes, '\0', size))
		return NULL;
	text = arena_alloc(arena, (size_t)size + 1);
	memcpy(text, bytes, size);
	text[size] = '\0';
	return text;
}

static void append(struct owner_cache *cache, const char *path, const char *package)
{
	cache->answers =
		array_grow(cache->answers, &cache->capacity, cache->count + 1, sizeof(*cache->answers));
	cache->answers[cache->count++] = (struct answer){ path, package };
}

static void decode(struct owner_cache *cache, struct byte_reader r)
{
	const char *database = take_text(&r, &cache->arena);
	uint32_t count;

	if (!database || strcmp(database, cache->database) != 0)
		return;
	for (size_t i = 0; i < STATE_NUMBERS; i++)
		if (byte_reader_u64(&r) != cache->state[i])
			return;
	count = byte_reader_u32(&r);
	for (uint32_t i = 0; i < count && i < MAX_ANSWERS; i++) {
		const char *path = take_text(&r, &cache->arena), *package = take_text(&r, &cache->arena);

		if (!path || !package)
			return;
		append(cache, path, package);
	}
}

struct owner_cache *owner_cache_open(const char *directory, const char *database, int64_t now_s)
{
	struct owner_cache *cache;
	uint64_t state[STATE_NUMBERS];
	struct cache_file file;
	char *path;

	if (!directory || !read_state(database, now_s, state))
		return NULL;
	cache = xcalloc(1, sizeof(*cache));
	arena_init(&cache->arena);
	cache->directory = xstrdup(directory);
	cache->database = xstrdup(database);
	cache->now_s = now_s;
	memcpy(cache->state, state, sizeof(state));
	path = xasprintf("%s/dpkg.owners", directory);
	if (cache_file_open(path, magic, &file) == 1) {
		decode(cache, file.contents);
		cache_file_close(&file);
	}
	free(path);
	return cache;
}

static void save(const struct owner_cache *cache)
{
	struct strbuf file;

	strbuf_init(&file);
	cache_file_start(&file, magic);
	add_text(&file, cache->database);
	for (size_t i = 0; i < STATE_NUMBERS; i++)
		strbuf_add_u64(&file, cache->state[i], false);
	strbuf_add_u32(&file, (uint32_t)cache->count, false);
	for (size_t i = 0; i < cache->count; i++) {
		add_text(&file, cache->answers[i].path);
		add_text(&file, cache->answers[i].package);
	}
	cache_file_save(cache->directory, "dpkg.owners", &file);
	strbuf_fini(&file);
}

void owner_cache_close(struct owner_cache *cache)
{
	uint64_t state[STATE_NUMBERS];

	if (!cache)
		return;
	/* What was read while dpkg was at work may be of before or of after. */
	if (cache->is_new && read_state(cache->database, cache->now_s, state) &&
	    memcmp(state, cache->state, sizeof(state)) == 0)
		save(cache);
	arena_fini(&cache->arena);
	free(cache->answers);
	free(cache->database);
	free(cache->directory);
	free(cache);
}

/* --- answers ---------------------------------------------------------------------------------------------- */

int owner_cache_find(const struct owner_cache *cache, const char *path, const char **package)
{
	for (size_t i = 0; cache && i < cache->count; i++)
		if (strcmp(cache->answers[i].path, path) == 0) {
			*package = *cache->answers[i].package ? cache->answers[i].package : NULL;
			return 1;
		}
	return 0;
}

void owner_cache_add(struct owner_cache *cache, const char *path, const char *package)
{
	if (!cache)
		return;
	if (cache->count == MAX_ANSWERS)
		cache->count = 0;
	append(cache, arena_strdup(&cache->arena, path), arena_strdup(&cache->arena, package ? package : ""));
	cache->is_new = true;
}
