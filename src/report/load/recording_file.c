/*
 * Tries the path as an archive, then as a perf.data. Without libarchive, the path is still tried as a perf.data, but the
 * error remains the one about the library. Parts are closed in reverse order, because each borrows from the one opened
 * before it.
 */
#include "report/load/recording_file.h"

#include <sys/stat.h>
#include <unistd.h>

static int map_recording(struct recording_file *recording, struct error *err)
{
	const char *name = symbol_archive_recording_file(recording->archive);
	int result = archive_reader_map(recording->reader, name, &recording->image, err);

	if (result == 0)
		return error_set(err, "%s has no file %s: it is damaged",
				 archive_reader_path(recording->reader), name);
	return result < 0 ? -1 : 0;
}

static int open_archive(struct recording_file *recording, struct error *err)
{
	const char *name;

	recording->archive = symbol_archive_open(recording->reader, err);
	if (!recording->archive || map_recording(recording, err) < 0)
		return -1;
	name = symbol_archive_recording_name(recording->archive);
	recording->file = perf_file_open_memory(recording->image.bytes, recording->image.size, name, err);
	return recording->file ? 0 : error_wrap(err, "%s", archive_reader_path(recording->reader));
}

const char *recording_file_default(void)
{
	struct stat input;

	return fstat(STDIN_FILENO, &input) == 0 && S_ISFIFO(input.st_mode) ? "-" : "perf.data";
}

/* Recordings compressed by gzip, xz or zstd can be read without the library. */
static int open_without_library(struct recording_file *recording, const char *path)
{
	struct error err;

	recording->file = perf_file_open(path, &err);
	return recording->file ? 0 : -1;
}

int recording_file_open(struct recording_file *recording, const char *path, struct error *err)
{
	enum archive_open found;

	*recording = (struct recording_file){ .file = NULL };
	found = archive_reader_open(path, SYMBOL_ARCHIVE_LIST, &recording->reader, err);
	if (found == ARCHIVE_OPEN_FAILED)
		return -1;
	if (found == ARCHIVE_OPEN_NO_LIBRARY)
		return open_without_library(recording, path);
	if (found == ARCHIVE_OPEN_NONE) {
		recording->file = perf_file_open(path, err);
		return recording->file ? 0 : -1;
	}
	if (open_archive(recording, err) == 0)
		return 0;
	recording_file_close(recording);
	return -1;
}

void recording_file_close(struct recording_file *recording)
{
	perf_file_close(recording->file);
	archive_image_unmap(&recording->image);
	symbol_archive_close(recording->archive);
	archive_reader_close(recording->reader);
	*recording = (struct recording_file){ .file = NULL };
}
