#ifndef XPROF_FORMAT_ELIDED_FRAMES_H
#define XPROF_FORMAT_ELIDED_FRAMES_H

/*
 * An entry of a user callchain that stands for frames that were left out. A record holds some 8,000 frames. If a stack
 * is deeper, xprof's recorder keeps the innermost and the outermost frames, and puts between them the number of frames
 * that it left out.
 *
 * The entry is an address where nothing can be mapped: bits 59 to 57 are set, and user space has at most 57 bits. Its
 * last eight hexadecimal digits spell the decimal number, so that other tools show one frame with a readable address:
 * 0xe11ded000018977 for 18,977 elided frames.
 */

#include <stddef.h>
#include <stdint.h>

enum { ELIDED_FRAMES_NAME_SIZE = 32 };

/* The entry for `count` frames, at most 99,999,999; larger counts give the entry for 99,999,999. */
uint64_t elided_frames_entry(size_t count);

/* The number of frames that an entry stands for; 0 if it is an address. */
size_t elided_frames_count(uint64_t entry);

/* "[... 18977 frames]". Returns `name`, which has room for ELIDED_FRAMES_NAME_SIZE bytes. */
const char *elided_frames_name(char *name, size_t count);

#endif
