#ifndef XPROF_FORMAT_ELIDED_FRAMES_H
#define XPROF_FORMAT_ELIDED_FRAMES_H

/*
 * An entry of a user callchain that stands for frames that were left out. A record holds some 8,000 frames; of a deeper
 * stack xprof's recorder keeps the innermost and the outermost, and between them the number of those left out.
 *
 * The entry is an address where nothing can be mapped: bits 59 to 57 are set, and user space has at most 57 bits. Its
 * last eight digits, read in hexadecimal, are the number in decimal, so that readers that know nothing of it show one
 * more frame, whose address can be read: 0xe11ded000018977 for 18,977 frames ("elided").
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELIDED_FRAMES_NAME_SIZE = 32 };

/* At most 99,999,999: more are as many. */
uint64_t elided_frames_entry(size_t count);

/* How many frames an entry stands for; 0: it is an address. */
size_t elided_frames_count(uint64_t entry);

/* "[... 18977 frames]". Returns `name`, which has room for ELIDED_FRAMES_NAME_SIZE bytes. */
const char *elided_frames_name(char *name, size_t count);

#endif
