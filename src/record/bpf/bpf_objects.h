#ifndef XPROF_RECORD_BPF_BPF_OBJECTS_H
#define XPROF_RECORD_BPF_BPF_OBJECTS_H

/* The BPF programs of this folder (*.bpf.c), compiled when xprof is built: ELF files, in memory for libbpf. */

#include <stddef.h>

extern const unsigned char bpf_stack_copy[];
extern const size_t bpf_stack_copy_size;

#endif
