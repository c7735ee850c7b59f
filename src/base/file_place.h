#ifndef XPROF_BASE_FILE_PLACE_H
#define XPROF_BASE_FILE_PLACE_H

/*
 * The rule for names that exist already, for everything xprof writes: a regular file may be renamed or
 * replaced, nothing else is. A FIFO, a device or a socket is written into, a directory is refused.
 */

enum file_place {
	FILE_PLACE_FREE,      /* nothing there, or a link that leads nowhere */
	FILE_PLACE_REGULAR,   /* a regular file, or a link to one */
	FILE_PLACE_DIRECTORY, /* or a link to one */
	/*
	 * Not a file to replace: open it as it is. Also a regular file that is reached by a link of the system
	 * (/dev/stdout, /proc/self/fd/1): the link would be lost.
	 */
	FILE_PLACE_SPECIAL,
};

enum file_place file_place_at(const char *path);

/*
 * rename(2) that obeys the rule: 0, or -1 with errno. EEXIST if `to` is neither free nor a regular file, or
 * was made meanwhile; EINVAL if `from` is special.
 */
int file_place_rename(const char *from, const char *to);

#endif
