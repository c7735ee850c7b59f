#ifndef XPROF_SYMBOL_FILE_PRESENCE_H
#define XPROF_SYMBOL_FILE_PRESENCE_H

/* The present state of a recorded file's path: recorded_file_state() determines it, archives record it. */
enum recorded_file_state {
	RECORDED_FILE_PRESENT,
	RECORDED_FILE_REPLACED,   /* what lies at the path has another build-id, or none */
	RECORDED_FILE_GONE,       /* nothing does */
	RECORDED_FILE_UNREADABLE, /* it may not be read, or is no ELF file */
	RECORDED_FILE_UNPROVED, /* one lies there, but nothing says that it is the one of the other machine */
};

#endif
