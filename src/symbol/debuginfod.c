/*
 * libdebuginfod downloads in one blocking call and reports through a progress function. xprof's own limits are therefore
 * enforced in watch(): size, silence, total time, and the caller's wish to stop. Bytes are also counted on disk, since a
 * compressed transfer can be far smaller than its file. Every file is checked for its build-id before it is used. Start
 * at debuginfod_fetch().
 */
#include "symbol/debuginfod.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/shared_library.h"
#include "base/xalloc.h"
#include "elf/elf_file.h"

/* The client's default timeout for data (debuginfod-client-config(7)); it waits longer to connect. */
enum { DEFAULT_TIMEOUT_S = 90, MAX_TIMEOUT_S = 24 * 60 * 60 };

/* Limit for one file without DEBUGINFOD_MAXTIME, against servers that send just enough not to time out. */
enum { DEFAULT_MAX_TIME_S = 60 * 60 };

struct debuginfod {
	struct debuginfod_library library;
	struct debuginfod_client *client;
	uint64_t timeout_ms;  /* 0: none */
	uint64_t max_time_ms; /* for a whole file; 0: the client enforces its own limit */
};

/* --- the library ------------------------------------------------------------------------------------------ */

int debuginfod_library_load(struct debuginfod_library *library, struct error *err)
{
	static const struct shared_library_function functions[] = {
		{ "debuginfod_begin", offsetof(struct debuginfod_library, begin), false },
		{ "debuginfod_end", offsetof(struct debuginfod_library, end), false },
		{ "debuginfod_find_debuginfo", offsetof(struct debuginfod_library, find_debuginfo), false },
		{ "debuginfod_find_executable", offsetof(struct debuginfod_library, find_executable), false },
		{ "debuginfod_set_progressfn", offsetof(struct debuginfod_library, set_progressfn), false },
	};
	static const struct shared_library libdebuginfod = {
		.name = "libdebuginfod.so.1", /* its ABI since elfutils 0.178 */
		.remedy = "install libdebuginfod1 (Debian, Ubuntu) or elfutils-debuginfod-client (Fedora)",
		.version = "elfutils 0.179",
		.functions = functions,
		.n_functions = sizeof(functions) / sizeof(*functions),
	};

	return shared_library_load(&libdebuginfod, library, err);
}

/* --- the environment -------------------------------------------------------------------------------------- */

/* NULL if unset or empty. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

bool debuginfod_has_servers(void)
{
	const char *urls = environment("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

char *debuginfod_cache_directory(void)
{
	const char *named = environment("DEBUGINFOD_CACHE_PATH");
	const char *caches = environment("XDG_CACHE_HOME"), *home = environment("HOME");
	struct stat st;
	char *old;

	if (named)
		return xstrdup(named);
	old = home ? xasprintf("%s/.debuginfod_client_cache", home) : NULL;
	if (old && stat(old, &st) == 0 && S_ISDIR(st.st_mode))
		return old;
	free(old);
	if (caches)
		return xasprintf("%s/debuginfod_client", caches);
	return home ? xasprintf("%s/.cache/debuginfod_client", home) : NULL;
}

uint64_t debuginfod_max_size_bytes(void)
{
	const char *text = environment("DEBUGINFOD_MAXSIZE");
	long long bytes = text ? strtoll(text, NULL, 10) : 0;

	return bytes > 0 ? (uint64_t)bytes : 0;
}

/* 0 if DEBUGINFOD_MAXTIME is set: the client obeys it by itself. */
static uint64_t max_time_ms(void)
{
	return environment("DEBUGINFOD_MAXTIME") ? 0 : 1000 * (uint64_t)DEFAULT_MAX_TIME_S;
}

static uint64_t timeout_ms(void)
{
	const char *text = environment("DEBUGINFOD_TIMEOUT");
	long seconds = text ? strtol(text, NULL, 10) : DEFAULT_TIMEOUT_S;

	if (seconds <= 0)
		return 0;
	return 1000 * (uint64_t)(seconds < MAX_TIMEOUT_S ? seconds : MAX_TIMEOUT_S);
}

/* --- a client --------------------------------------------------------------------------------------------- */

/* One download in progress. */
struct transfer {
	const struct debuginfod *debuginfod;
	const struct debuginfod_request *request;
	enum debuginfod_status stopped; /* DEBUGINFOD_FOUND: not stopped */
	uint64_t received_bytes, total_bytes;
	uint64_t started_ms, moved_ms; /* moved_ms: when bytes last arrived */
	bool takes_too_long;           /* max_time_ms has passed */
	char *directory;               /* where the cache writes the file; NULL: unknown */
	uint64_t left_bytes;           /* size of files already there, left by clients that were killed */
	uint64_t told;                 /* `received` of the last call of watch() */
	bool tells_bytes;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- progress --------------------------------------------------------------------------------------------- */

static const char *kind_name(enum debuginfod_kind kind)
{
	return kind == DEBUGINFOD_EXECUTABLE ? "executable" : "debuginfo";
}

/* The cache's directory for files of this build-id; NULL if there is no cache. */
static char *directory_of(const struct build_id *id)
{
	char *cache = debuginfod_cache_directory(), hex[BUILD_ID_HEX_SIZE];
	char *directory = cache ? xasprintf("%s/%s", cache, build_id_hex(id, hex)) : NULL;

	free(cache);
	return directory;
}

/*
 * The bytes that the client has written so far, to a file that it renames at the end (debuginfo.XXXXXX). This is an upper
 * bound of the network traffic: a compressed transfer can be a thousandth of it.
 */
static uint64_t written_bytes(const struct transfer *transfer)
{
	DIR *directory = transfer->directory ? opendir(transfer->directory) : NULL;
	const char *kind = kind_name(transfer->request->kind);
	const size_t length = strlen(kind);
	const struct dirent *entry;
	uint64_t sum = 0;
	struct stat st;

	if (!directory)
		return 0;
	while ((entry = readdir(directory)))
		if (!strncmp(entry->d_name, kind, length) && entry->d_name[length] == '.' &&
		    fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size > 0)
			sum += (uint64_t)st.st_size;
	closedir(directory);
	return sum > transfer->left_bytes ? sum - transfer->left_bytes : 0;
}

/*
 * Before a server is chosen, the client passes the number of its calls, which grows by one each time, even while servers
 * redirect it endlessly. Afterwards it passes bytes, which grow in blocks. Servers behind compressing proxies never give a
 * total.
 */
static uint64_t told_bytes(struct transfer *transfer, uint64_t told, bool has_total)
{
	if (has_total || told > transfer->told + 1)
		transfer->tells_bytes = true;
	transfer->told = told;
	return transfer->tells_bytes ? told : 0;
}

/* Why the transfer has to stop; DEBUGINFOD_FOUND: it may go on. */
static enum debuginfod_status reason_to_stop(struct transfer *transfer)
{
	const struct debuginfod_request *request = transfer->request;
	const uint64_t limit = request->max_size_bytes, timeout = transfer->debuginfod->timeout_ms;
	const uint64_t max_time = transfer->debuginfod->max_time_ms;

	if (limit && (transfer->total_bytes > limit || transfer->received_bytes > limit))
		return DEBUGINFOD_TOO_LARGE;
	transfer->takes_too_long = max_time && now_ms() - transfer->started_ms > max_time;
	if (transfer->takes_too_long || (timeout && now_ms() - transfer->moved_ms > timeout))
		return DEBUGINFOD_SILENT;
	if (request->progress &&
	    !request->progress(transfer->received_bytes, transfer->total_bytes, request->context))
		return DEBUGINFOD_STOPPED;
	return DEBUGINFOD_FOUND;
}

/*
 * The transfer that this thread waits for. The library passes only its client to a progress function; attaching the
 * caller's data to the client would take one more function of the library.
 */
static _Thread_local struct transfer *current_transfer;

static int watch(struct debuginfod_client *client, long received, long total)
{
	struct transfer *transfer = current_transfer;
	const uint64_t told = told_bytes(transfer, received > 0 ? (uint64_t)received : 0, total > 0);
	const uint64_t written = written_bytes(transfer), received_bytes = written > told ? written : told;

	(void)client;
	if (received_bytes != transfer->received_bytes)
		transfer->moved_ms = now_ms();
	transfer->received_bytes = received_bytes;
	transfer->total_bytes = total > 0 ? (uint64_t)total : 0;
	transfer->stopped = reason_to_stop(transfer);
	return transfer->stopped != DEBUGINFOD_FOUND;
}

struct debuginfod *debuginfod_create(const struct debuginfod_library *library, struct error *err)
{
	struct debuginfod_client *client = library->begin();
	struct debuginfod *debuginfod;

	if (!client) {
		error_set(err, "libdebuginfod cannot start");
		return NULL;
	}
	debuginfod = xcalloc(1, sizeof(*debuginfod));
	debuginfod->library = *library;
	debuginfod->client = client;
	debuginfod->timeout_ms = timeout_ms();
	debuginfod->max_time_ms = max_time_ms();
	library->set_progressfn(client, watch);
	return debuginfod;
}

void debuginfod_destroy(struct debuginfod *debuginfod)
{
	if (!debuginfod)
		return;
	debuginfod->library.end(debuginfod->client);
	free(debuginfod);
}

/* --- downloading a file ----------------------------------------------------------------------------------- */

/* A file descriptor, or a negated errno value. */
static int find(struct transfer *transfer, char **path)
{
	const struct debuginfod_request *request = transfer->request;
	const struct debuginfod_library *library = &transfer->debuginfod->library;
	int (*const find_file)(struct debuginfod_client *, const unsigned char *, int, char **) =
		request->kind == DEBUGINFOD_EXECUTABLE ? library->find_executable : library->find_debuginfo;
	int result;

	transfer->started_ms = transfer->moved_ms = now_ms();
	transfer->directory = directory_of(&request->build_id);
	transfer->left_bytes = written_bytes(transfer);
	current_transfer = transfer;
	result = find_file(transfer->debuginfod->client, request->build_id.bytes, request->build_id.size,
			   path);
	current_transfer = NULL;
	free(transfer->directory);
	transfer->directory = NULL;
	return result;
}

static enum debuginfod_status status_of(const struct transfer *transfer, int errno_value, struct error *err)
{
	enum debuginfod_status status = transfer->stopped;

	if (status == DEBUGINFOD_FOUND)
		status = errno_value == ENOENT ? DEBUGINFOD_ABSENT :
			 errno_value == EFBIG  ? DEBUGINFOD_TOO_LARGE :
			 errno_value == ETIME  ? DEBUGINFOD_SILENT :
						 DEBUGINFOD_FAILED;
	switch (status) {
	case DEBUGINFOD_ABSENT: error_set(err, "no server has it"); break;
	case DEBUGINFOD_TOO_LARGE: error_set(err, "it is larger than the limit"); break;
	case DEBUGINFOD_STOPPED: error_set(err, "stopped"); break;
	case DEBUGINFOD_SILENT:
		error_set(err, transfer->takes_too_long ?
				       "it takes longer than an hour (DEBUGINFOD_MAXTIME allows more)" :
				       "no server answers in time (DEBUGINFOD_TIMEOUT)");
		break;
	default: error_set(err, "%s", strerror(errno_value)); break;
	}
	return status;
}

/*
 * elfutils 0.188 treats a stopped transfer as if no server had the file: it leaves an empty file in the cache and believes
 * that for ten minutes. Deletes the empty file.
 */
static void forget_absence(const struct debuginfod_request *request)
{
	char *directory = directory_of(&request->build_id), *path;
	struct stat st;

	if (!directory)
		return;
	path = xasprintf("%s/%s", directory, kind_name(request->kind));
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
		(void)unlink(path);
	free(path);
	free(directory);
}

/* Whether it is the requested file: a server may send anything, and other clients share the cache. */
static bool has_build_id(const char *path, const struct build_id *id, struct error *err)
{
	struct elf_file *file = elf_file_open(path, err);
	char hex[BUILD_ID_HEX_SIZE];
	bool same;

	if (!file)
		return false;
	same = build_id_equal(elf_file_build_id(file), id);
	if (!same)
		error_set(err, "its build-id is %s",
			  elf_file_build_id(file)->size ? build_id_hex(elf_file_build_id(file), hex) :
							  "missing");
	elf_file_close(file);
	return same;
}

/* Deletes from the cache a file that must not be used. */
static enum debuginfod_status refuse(struct debuginfod_file *file, enum debuginfod_status status)
{
	(void)unlink(file->path);
	free(file->path);
	file->path = NULL;
	return status;
}

static enum debuginfod_status check(const struct debuginfod_request *request, struct debuginfod_file *file,
				    struct error *err)
{
	struct error why;

	/* A small compressed transfer may have become a large file between two calls of watch(). */
	if (file->downloaded && request->max_size_bytes && file->size_bytes > request->max_size_bytes) {
		error_set(err, "it is larger than the limit");
		return refuse(file, DEBUGINFOD_TOO_LARGE);
	}
	if (has_build_id(file->path, &request->build_id, &why))
		return DEBUGINFOD_FOUND;
	error_set(err, "it is another file than requested, and is not used: %s", why.message);
	return refuse(file, DEBUGINFOD_WRONG);
}

static enum debuginfod_status fetch_once(struct debuginfod *debuginfod,
					 const struct debuginfod_request *request,
					 struct debuginfod_file *file, struct error *err)
{
	struct transfer transfer = { .debuginfod = debuginfod, .request = request };
	char *path = NULL;
	int fd = find(&transfer, &path);
	struct stat st;

	*file = (struct debuginfod_file){ .path = fd >= 0 ? path : NULL,
					  .size_bytes = transfer.total_bytes,
					  .downloaded = transfer.received_bytes > 0 };
	if (fd < 0 && transfer.stopped != DEBUGINFOD_FOUND)
		forget_absence(request);
	if (fd < 0)
		return status_of(&transfer, -fd, err);
	if (fstat(fd, &st) == 0)
		file->size_bytes = (uint64_t)st.st_size;
	close(fd);
	return check(request, file, err);
}

enum debuginfod_status debuginfod_fetch(struct debuginfod *debuginfod,
					const struct debuginfod_request *request,
					struct debuginfod_file *file, struct error *err)
{
	enum debuginfod_status status = fetch_once(debuginfod, request, file, err);

	/* The wrong file came from the cache, which no longer has it: ask a server. */
	if (status == DEBUGINFOD_WRONG && !file->downloaded)
		status = fetch_once(debuginfod, request, file, err);
	return status;
}
