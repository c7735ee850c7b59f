/* Builds the one path that the cache's layout allows and checks that it exists; the caller opens it. */
#include "elf/build_id_cache.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"

char *build_id_cache_find(const char *directory, const struct build_id *id, const char *file)
{
	const char *home = getenv("HOME");
	char hex[BUILD_ID_HEX_SIZE];
	char *path;

	if ((!directory && !home) || id->size < 2)
		return NULL;
	build_id_hex(id, hex);
	path = directory ? xasprintf("%s/.build-id/%.2s/%s/%s", directory, hex, hex + 2, file) :
			   xasprintf("%s/.debug/.build-id/%.2s/%s/%s", home, hex, hex + 2, file);
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}
