/*
 * A cache file begins with a key, which is size, time and path of the debug file; the encoded answers follow. Loading
 * compares the key with the debug file as it is now.
 */
#include "symbol/dwarf/source_cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cache_file.h"
#include "base/xalloc.h"

/* Contents: size and time of change of the debug file (8 bytes each), its path (4 bytes of length, text), answers. */
static const char magic[] = "xprofS\3\n";

static char *file_name(const struct source_cache_key *key)
{
	char hex[BUILD_ID_HEX_SIZE];

	if (!key->directory || key->build_id->size == 0)
		return NULL;
	return xasprintf("%s.source", build_id_hex(key->build_id, hex));
}

/* Size and time of change of the debug file at present. */
static int stat_debug_file(const struct source_cache_key *key, uint64_t *size, uint64_t *changed_ns)
{
	struct stat st;

	if (stat(key->debug_path, &st) < 0)
		return -1;
	*size = (uint64_t)st.st_size;
	*changed_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	return 0;
}

/* Whether the cache was made from the debug file as it is now. */
static bool is_of_debug_file(struct byte_reader *r, const struct source_cache_key *key)
{
	uint64_t size, changed_ns, now_size, now_changed_ns;
	uint32_t path_size;
	const uint8_t *path;

	size = byte_reader_u64(r);
	changed_ns = byte_reader_u64(r);
	path_size = byte_reader_u32(r);
	path = byte_reader_bytes(r, path_size);
	return byte_reader_ok(r) && path_size == strlen(key->debug_path) &&
	       memcmp(path, key->debug_path, path_size) == 0 &&
	       stat_debug_file(key, &now_size, &now_changed_ns) == 0 && size == now_size &&
	       changed_ns == now_changed_ns;
}

int source_cache_load(const struct source_cache_key *key, struct source_answers *answers)
{
	char *name = file_name(key), *path;
	struct cache_file file;
	bool good = false;

	if (!name)
		return 0;
	path = xasprintf("%s/%s", key->directory, name);
	if (cache_file_open(path, magic, &file) == 1) {
		good = is_of_debug_file(&file.contents, key) && source_answers_decode(answers, file.contents);
		cache_file_close(&file);
	}
	free(path);
	free(name);
	return good;
}

void source_cache_save(const struct source_cache_key *key, const struct source_answers *answers)
{
	char *name = file_name(key);
	uint64_t size, changed_ns;
	struct strbuf file = STRBUF_INIT;

	if (name && stat_debug_file(key, &size, &changed_ns) == 0) {
		cache_file_start(&file, magic);
		strbuf_add_u64(&file, size, false);
		strbuf_add_u64(&file, changed_ns, false);
		strbuf_add_u32(&file, (uint32_t)strlen(key->debug_path), false);
		strbuf_adds(&file, key->debug_path);
		source_answers_encode(answers, &file);
		cache_file_save(key->directory, name, &file);
	}
	strbuf_fini(&file);
	free(name);
}
