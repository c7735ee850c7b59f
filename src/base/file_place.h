#ifndef XPROF_BASE_FILE_PLACE_H
#define XPROF_BASE_FILE_PLACE_H

/*
 * The rule for output paths that exist already: a regular file may be renamed or replaced, nothing else may.
 * A FIFO, a device or a socket is written into, a directory is refused.
 */

enum file_place {
	FILE_PLACE_FREE,      /* nothing there, or a link that leads nowhere */
	FILE_PLACE_REGULAR,   /* a regular file, or a link to one */
	FILE_PLACE_DIRECTORY, /* or a link to one */
	/*
	 * Must be opened as it is, not replaced. Includes a regular file that is reached through a link of the
	 * system (/dev/stdout, /proc/self/fd/1), since a rename would replace the link.
	 */
	FILE_PLACE_SPECIAL,
};

enum file_place file_place_at(const char *path);

/*
 * As rename(2), but obeys the rule above. Returns 0, or -1 with errno: EEXIST if `to` is neither free nor a
 * regular file, or was created meanwhile; EINVAL if `from` is FILE_PLACE_SPECIAL.
 */
int file_place_rename(const char *from, const char *to);

#endif
