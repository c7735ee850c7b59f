#ifndef XPROF_SYMBOL_DEBUGINFOD_H
#define XPROF_SYMBOL_DEBUGINFOD_H

/*
 * Downloads files from debuginfod servers by build-id: debug files, and missing executables. libdebuginfod,
 * which is loaded when needed, talks to the servers. It keeps downloads in a cache of the user that all
 * debuggers share, and remembers for some time which files no server had. elf/debug_file.h finds files in the
 * cache.
 *
 * The user chooses the servers with DEBUGINFOD_URLS in the environment, as for gdb and perf.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "elf/build_id.h"

enum debuginfod_kind { DEBUGINFOD_DEBUGINFO, DEBUGINFOD_EXECUTABLE };

/* The functions of libdebuginfod that xprof uses, without the prefix "debuginfod_". */
struct debuginfod_client;
struct debuginfod_library {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find_debuginfo)(struct debuginfod_client *client, const unsigned char *build_id,
			      int build_id_size, char **path);
	int (*find_executable)(struct debuginfod_client *client, const unsigned char *build_id,
			       int build_id_size, char **path);
	void (*set_progressfn)(struct debuginfod_client *client,
			       int (*progress)(struct debuginfod_client *client, long received, long total));
};

/* Returns -1 with err set if it is not installed or too old; err names the packages to install. */
int debuginfod_library_load(struct debuginfod_library *library, struct error *err);

/* Are any servers named in DEBUGINFOD_URLS? */
bool debuginfod_has_servers(void);

/*
 * The cache of the client: $DEBUGINFOD_CACHE_PATH, else $XDG_CACHE_HOME/debuginfod_client, else
 * ~/.cache/debuginfod_client, or ~/.debuginfod_client_cache if an old client created that. malloc()ed; NULL if
 * none is known.
 */
char *debuginfod_cache_directory(void);

/* $DEBUGINFOD_MAXSIZE, the size limit for one file; 0: not set. */
uint64_t debuginfod_max_size_bytes(void);

struct debuginfod;

/* `library` is copied. Returns NULL with err set if the client cannot start. */
struct debuginfod *debuginfod_create(const struct debuginfod_library *library, struct error *err);
void debuginfod_destroy(struct debuginfod *debuginfod);

struct debuginfod_request {
	enum debuginfod_kind kind;
	struct build_id build_id;
	uint64_t max_size_bytes; /* larger files are not downloaded, even if their compressed transfer is smaller; 0: no
				    limit */
	/*
	 * Called several times a second, at least once. total_bytes is 0 until a server has sent the size of
	 * the file. Returns false to stop the download. May be NULL.
	 */
	bool (*progress)(uint64_t received_bytes, uint64_t total_bytes, void *context);
	void *context;
};

enum debuginfod_status {
	DEBUGINFOD_FOUND,
	DEBUGINFOD_ABSENT,    /* no server has it */
	DEBUGINFOD_TOO_LARGE, /* larger than the request or DEBUGINFOD_MAXSIZE allows */
	DEBUGINFOD_STOPPED,   /* stopped by the progress function */
	DEBUGINFOD_SILENT,    /* no data for DEBUGINFOD_TIMEOUT seconds, or more than an hour for one file */
	DEBUGINFOD_WRONG,     /* another build-id, or not an ELF file; the file was removed from the cache */
	DEBUGINFOD_FAILED,    /* no connection, or another failure */
};

struct debuginfod_file {
	char *path;          /* in the cache; malloc()ed; NULL: not found */
	uint64_t size_bytes; /* also set for a file that was not downloaded, if a server sent its size */
	bool downloaded;     /* false: it was in the cache already */
};

/* Unless the file was found, err has the reason, as a clause. */
enum debuginfod_status debuginfod_fetch(struct debuginfod *debuginfod,
					const struct debuginfod_request *request,
					struct debuginfod_file *file, struct error *err);

#endif
