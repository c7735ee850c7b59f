#ifndef XPROF_ARCHIVE_LIBARCHIVE_H
#define XPROF_ARCHIVE_LIBARCHIVE_H

/*
 * The functions of libarchive that xprof uses. The library is loaded only when a tar is written or read,
 * because the dynamic linker takes longer to load it with its own dependencies (XML and Unicode among them)
 * than all the rest of xprof.
 */

#include "base/error.h"

#ifdef HAVE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>

/* clang-format off */
#define LIBARCHIVE_FUNCTIONS(FUNCTION) \
	FUNCTION(archive_entry_filetype) \
	FUNCTION(archive_entry_free) \
	FUNCTION(archive_entry_hardlink) \
	FUNCTION(archive_entry_new) \
	FUNCTION(archive_entry_pathname) \
	FUNCTION(archive_entry_set_filetype) \
	FUNCTION(archive_entry_set_mtime) \
	FUNCTION(archive_entry_set_pathname) \
	FUNCTION(archive_entry_set_perm) \
	FUNCTION(archive_entry_set_size) \
	FUNCTION(archive_entry_set_symlink) \
	FUNCTION(archive_entry_size) \
	FUNCTION(archive_entry_sparse_add_entry) \
	FUNCTION(archive_entry_symlink) \
	FUNCTION(archive_error_string) \
	FUNCTION(archive_filter_bytes) \
	FUNCTION(archive_read_data_block) \
	FUNCTION(archive_read_free) \
	FUNCTION(archive_read_new) \
	FUNCTION(archive_read_next_header) \
	FUNCTION(archive_read_open_fd) \
	FUNCTION(archive_read_support_filter_bzip2) \
	FUNCTION(archive_read_support_filter_gzip) \
	FUNCTION(archive_read_support_filter_lz4) \
	FUNCTION(archive_read_support_filter_xz) \
	FUNCTION(archive_read_support_filter_zstd) \
	FUNCTION(archive_read_support_format_tar) \
	FUNCTION(archive_write_add_filter_bzip2) \
	FUNCTION(archive_write_add_filter_gzip) \
	FUNCTION(archive_write_add_filter_none) \
	FUNCTION(archive_write_add_filter_xz) \
	FUNCTION(archive_write_add_filter_zstd) \
	FUNCTION(archive_write_close) \
	FUNCTION(archive_write_data) \
	FUNCTION(archive_write_free) \
	FUNCTION(archive_write_header) \
	FUNCTION(archive_write_new) \
	FUNCTION(archive_write_open_fd) \
	FUNCTION(archive_write_set_bytes_in_last_block) \
	FUNCTION(archive_write_set_filter_option) \
	FUNCTION(archive_write_set_format_pax_restricted)
/* clang-format on */

/* Pointers to functions, each with the name and the type that archive.h and archive_entry.h give it. */
struct libarchive {
#define LIBARCHIVE_MEMBER(name) __typeof__(name) *name;
	LIBARCHIVE_FUNCTIONS(LIBARCHIVE_MEMBER)
#undef LIBARCHIVE_MEMBER
};

#else

struct libarchive;

#endif

/*
 * Fills in all members; they stay valid until the process ends. Returns -1 if libarchive is not installed or
 * too old, or if xprof was built without it; err names the remedy.
 */
int libarchive_load(struct libarchive *library, struct error *err);

#endif
