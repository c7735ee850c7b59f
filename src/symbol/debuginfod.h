#ifndef XPROF_SYMBOL_DEBUGINFOD_H
#define XPROF_SYMBOL_DEBUGINFOD_H

/*
 * Files from debuginfod servers, by build-id: debug files, and executables that are gone. libdebuginfod,
 * which is loaded when needed, talks to the servers. It keeps downloads in a cache of the user that all
 * debuggers share, and remembers for a while what no server had. elf/debug_file.h finds files in the cache,
 * like any other file.
 *
 * The user chooses the servers with DEBUGINFOD_URLS in the environment, as for gdb and perf.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "elf/build_id.h"

enum debuginfod_kind { DEBUGINFOD_DEBUGINFO, DEBUGINFOD_EXECUTABLE };

/* The functions of libdebuginfod that xprof uses; names without "debuginfod_". */
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

/* -1: it is not installed or too old; err says so, and which packages bring it. */
int debuginfod_library_load(struct debuginfod_library *library, struct error *err);

/* Are any servers named in DEBUGINFOD_URLS? */
bool debuginfod_has_servers(void);

/*
 * Where the client keeps its files: $DEBUGINFOD_CACHE_PATH, else $XDG_CACHE_HOME/debuginfod_client, else
 * ~/.cache/debuginfod_client, or ~/.debuginfod_client_cache where that was made by an old client. malloc()ed; NULL
 * when none is known.
 */
char *debuginfod_cache_directory(void);

/* $DEBUGINFOD_MAXSIZE, the most that one file may have; 0: not set. */
uint64_t debuginfod_max_size_bytes(void);

struct debuginfod;

/* The library's table is copied. NULL when the client cannot start. */
struct debuginfod *debuginfod_create(const struct debuginfod_library *library, struct error *err);
void debuginfod_destroy(struct debuginfod *debuginfod);

struct debuginfod_request {
	enum debuginfod_kind kind;
	struct build_id build_id;
	uint64_t max_size_bytes; /* larger files are not downloaded, however they are compressed on their way; 0: no limit */
	/*
	 * Called several times a second, at least once. total_bytes is 0 as long as no server has said how
	 * large the file is. Returns false to stop. May be NULL.
	 */
	bool (*progress)(uint64_t received_bytes, uint64_t total_bytes, void *context);
	void *context;
};

enum debuginfod_status {
	DEBUGINFOD_FOUND,
	DEBUGINFOD_ABSENT,    /* no server has it */
	DEBUGINFOD_TOO_LARGE, /* than the request, or DEBUGINFOD_MAXSIZE, allows */
	DEBUGINFOD_STOPPED,   /* by the progress function */
	DEBUGINFOD_SILENT, /* no answer, or nothing more of it, for DEBUGINFOD_TIMEOUT seconds; or an hour for a file */
	DEBUGINFOD_WRONG, /* its build-id is another one, or it is no ELF file: it was removed from the cache */
	DEBUGINFOD_FAILED, /* no connection, or another failure */
};

struct debuginfod_file {
	char *path;          /* in the cache; malloc()ed. NULL: not found */
	uint64_t size_bytes; /* also of one that was not found, as far as a server has said it */
	bool downloaded;     /* false: it was in the cache already */
};

/* err is set unless the file was found, says why in half a sentence. */
enum debuginfod_status debuginfod_fetch(struct debuginfod *debuginfod,
					const struct debuginfod_request *request,
					struct debuginfod_file *file, struct error *err);

#endif
