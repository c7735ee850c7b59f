/* Lists the directory once; versionsort(3) puts data.2 before data.10. */
#include "format/recording_directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

static int is_records_file(const struct dirent *entry)
{
	const char *name = entry->d_name;

	return strncmp(name, "data.", 5) == 0 && name[5] &&
	       strspn(name + 5, "0123456789") == strlen(name + 5);
}

int recording_directory_init(struct recording_directory *directory, const char *path, struct error *err)
{
	char *data = xasprintf("%s/data", path);
	struct dirent **entries;
	int count;

	*directory = (struct recording_directory){ 0 };
	if (access(data, F_OK) != 0) {
		free(data);
		return error_set(err, "%s is a directory without a file 'data', so it is not a recording",
				 path);
	}
	count = scandir(path, &entries, is_records_file, versionsort);
	if (count < 0) {
		free(data);
		return error_set_errno(err, errno, "cannot read directory %s", path);
	}
	directory->paths = xcalloc((size_t)count + 1, sizeof(directory->paths[0]));
	directory->paths[directory->count++] = data;
	for (int i = 0; i < count; i++) {
		directory->paths[directory->count++] = xasprintf("%s/%s", path, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return 0;
}

void recording_directory_fini(struct recording_directory *directory)
{
	for (size_t i = 0; i < directory->count; i++)
		free(directory->paths[i]);
	free(directory->paths);
	*directory = (struct recording_directory){ 0 };
}
