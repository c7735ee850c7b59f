#ifndef XPROF_RECORD_BPF_LIBBPF_H
#define XPROF_RECORD_BPF_LIBBPF_H

/*
 * The functions of libbpf that the recorder calls. The library is loaded when BPF programs are: the other commands need
 * none of it, and recordings work without it (stack dumps of the kernel instead of copies).
 */

#include "base/error.h"

#ifdef HAVE_LIBBPF

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/* clang-format off */
#define LIBBPF_FUNCTIONS(FUNCTION) \
	FUNCTION(bpf_map__fd) \
	FUNCTION(bpf_map__set_initial_value) \
	FUNCTION(bpf_map__set_max_entries) \
	FUNCTION(bpf_map_lookup_elem) \
	FUNCTION(bpf_object__close) \
	FUNCTION(bpf_object__find_map_by_name) \
	FUNCTION(bpf_object__find_program_by_name) \
	FUNCTION(bpf_object__load) \
	FUNCTION(bpf_object__open_mem) \
	FUNCTION(bpf_program__fd) \
	FUNCTION(bpf_program__set_autoload) \
	FUNCTION(libbpf_num_possible_cpus) \
	FUNCTION(libbpf_set_print)
/* clang-format on */

/* Pointers to functions, each with the name and the type that libbpf's headers give it. */
struct libbpf {
#define LIBBPF_MEMBER(name) __typeof__(name) *name;
	LIBBPF_FUNCTIONS(LIBBPF_MEMBER)
#undef LIBBPF_MEMBER
};

#else

struct libbpf;

#endif

/* Fills in all members, which stay valid. -1: not installed, too old, or xprof was built without it; err says what helps. */
int libbpf_load(struct libbpf *library, struct error *err);

#endif
