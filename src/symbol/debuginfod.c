#include "symbol/debuginfod.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/shared_library.h"
#include "base/xalloc.h"

/* What the client waits for data unless told otherwise (debuginfod-client-config(7)); it waits longer to connect. */
enum { DEFAULT_TIMEOUT_S = 90, MAX_TIMEOUT_S = 24 * 60 * 60 };

struct debuginfod {
	struct debuginfod_library library;
	struct debuginfod_client *client;
	uint64_t timeout_ms; /* 0: none */
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

/* NULL when it is empty, too. */
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

static uint64_t timeout_ms(void)
{
	const char *text = environment("DEBUGINFOD_TIMEOUT");
	long seconds = text ? strtol(text, NULL, 10) : DEFAULT_TIMEOUT_S;

	if (seconds <= 0)
		return 0;
	return 1000 * (uint64_t)(seconds < MAX_TIMEOUT_S ? seconds : MAX_TIMEOUT_S);
}

/* --- a client --------------------------------------------------------------------------------------------- */

/* One file on its way. */
struct transfer {
	const struct debuginfod *debuginfod;
	const struct debuginfod_request *request;
	enum debuginfod_status stopped; /* DEBUGINFOD_FOUND: not stopped */
	uint64_t received_bytes, total_bytes;
	uint64_t moved_ms; /* when something came last */
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Why the transfer has to stop; DEBUGINFOD_FOUND: it need not. */
static enum debuginfod_status reason_to_stop(const struct transfer *transfer)
{
	const struct debuginfod_request *request = transfer->request;
	const uint64_t limit = request->max_size_bytes, timeout = transfer->debuginfod->timeout_ms;

	if (limit && (transfer->total_bytes > limit || transfer->received_bytes > limit))
		return DEBUGINFOD_TOO_LARGE;
	if (timeout && now_ms() - transfer->moved_ms > timeout)
		return DEBUGINFOD_SILENT;
	if (request->progress &&
	    !request->progress(transfer->received_bytes, transfer->total_bytes, request->context))
		return DEBUGINFOD_STOPPED;
	return DEBUGINFOD_FOUND;
}

/*
 * The one that this thread waits for: the library gives its client alone to a progress function, and what would lead
 * from there to data of the caller's is a function of the library again.
 */
static _Thread_local struct transfer *current_transfer;

/*
 * Until a server has been chosen the number is one of calls, which come once a second or when something happens;
 * servers behind compressing proxies never say a total.
 */
static uint64_t bytes_of(long received, long total)
{
	enum { MOST_CALLS = 1 << 16 };

	return received > (total > 0 ? 0 : MOST_CALLS) ? (uint64_t)received : 0;
}

static int watch(struct debuginfod_client *client, long received, long total)
{
	struct transfer *transfer = current_transfer;
	const uint64_t received_bytes = bytes_of(received, total);

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

/* --- a file ----------------------------------------------------------------------------------------------- */

/* A file descriptor, or a negated errno value. */
static int find(struct transfer *transfer, char **path)
{
	const struct debuginfod_request *request = transfer->request;
	const struct debuginfod_library *library = &transfer->debuginfod->library;
	int (*const find_file)(struct debuginfod_client *, const unsigned char *, int, char **) =
		request->kind == DEBUGINFOD_EXECUTABLE ? library->find_executable : library->find_debuginfo;
	int result;

	transfer->moved_ms = now_ms();
	current_transfer = transfer;
	result = find_file(transfer->debuginfod->client, request->build_id.bytes, request->build_id.size,
			   path);
	current_transfer = NULL;
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
	case DEBUGINFOD_TOO_LARGE: error_set(err, "it is larger than is allowed"); break;
	case DEBUGINFOD_STOPPED: error_set(err, "stopped"); break;
	case DEBUGINFOD_SILENT: error_set(err, "no server answers in time (DEBUGINFOD_TIMEOUT)"); break;
	default: error_set(err, "%s", strerror(errno_value)); break;
	}
	return status;
}

/*
 * elfutils 0.188 takes a transfer that was stopped for an answer that there is no such file, and believes that for ten
 * minutes: it leaves an empty file.
 */
static void forget_absence(const struct debuginfod_request *request)
{
	char *directory = debuginfod_cache_directory(), *path, hex[BUILD_ID_HEX_SIZE];
	struct stat st;

	if (!directory)
		return;
	path = xasprintf("%s/%s/%s", directory, build_id_hex(&request->build_id, hex),
			 request->kind == DEBUGINFOD_EXECUTABLE ? "executable" : "debuginfo");
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
		(void)unlink(path);
	free(path);
	free(directory);
}

enum debuginfod_status debuginfod_fetch(struct debuginfod *debuginfod,
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
	return DEBUGINFOD_FOUND;
}
