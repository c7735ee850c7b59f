#ifndef XPROF_SYMBOL_FILE_PRESENCE_H
#define XPROF_SYMBOL_FILE_PRESENCE_H

/*
 * The state of the path of a recorded file at present: recorded_file_state() determines it, archives store
 * it.
 */
enum recorded_file_state {
	RECORDED_FILE_PRESENT,
	RECORDED_FILE_REPLACED,   /* the file at the path has another build-id, or none */
	RECORDED_FILE_GONE,       /* there is no file at the path */
	RECORDED_FILE_UNREADABLE, /* the file cannot be read, or is not an ELF file */
	RECORDED_FILE_UNPROVED,   /* there is a file, but no proof that it is the one that was recorded on
				   another machine */
};

#endif
