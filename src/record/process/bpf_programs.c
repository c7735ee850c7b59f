/*
 * Writes KSYMBOL records of the loaded BPF programs, which bpf(BPF_PROG_GET_NEXT_ID) and related commands list (linux/bpf.h). The
 * kernel calls their functions bpf_prog_TAG_NAME, as kallsyms shows them.
 */

#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "record/process/synthesize.h"

enum { MAX_FUNCTIONS = 1 << 16 }; /* of one program; the verifier allows 256 subprograms */

static int bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int get_program_info(int fd, struct bpf_prog_info *info)
{
	union bpf_attr attr = {
		.info = { .bpf_fd = (uint32_t)fd, .info_len = sizeof(*info), .info = (uintptr_t)info }
	};

	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

static void add_function(struct synthesis *synthesis, const struct bpf_prog_info *info, uint32_t number,
			 uint64_t address, uint32_t length, const uint8_t *tag)
{
	char name[2 * BPF_TAG_SIZE + BPF_OBJ_NAME_LEN + 32];
	int used = snprintf(name, sizeof(name), "bpf_prog_");

	for (unsigned int i = 0; i < BPF_TAG_SIZE; i++)
		used += snprintf(name + used, sizeof(name) - (size_t)used, "%02x", tag[i]);
	/* A subprogram has a tag of its own, and a name only in BTF. "F" is the kernel's name for it without BTF. */
	snprintf(name + used, sizeof(name) - (size_t)used, "_%.*s", BPF_OBJ_NAME_LEN,
		 number ? "F" : info->name);
	synthesize_ksymbol(synthesis, address, length, name);
}

static void add_program(struct synthesis *synthesis, int fd)
{
	struct bpf_prog_info sizes = { 0 }, info = { 0 };
	uint64_t *addresses;
	uint32_t *lengths, count;
	uint8_t *tags;

	if (get_program_info(fd, &sizes) < 0)
		return;
	count = sizes.nr_jited_ksyms;
	if (count == 0 || count != sizes.nr_jited_func_lens || count > MAX_FUNCTIONS)
		return; /* interpreted, or not visible to this user */
	addresses = xcalloc(count, sizeof(*addresses));
	lengths = xcalloc(count, sizeof(*lengths));
	tags = xcalloc(count, BPF_TAG_SIZE);
	info.nr_jited_ksyms = info.nr_jited_func_lens = info.nr_prog_tags = count;
	info.jited_ksyms = (uintptr_t)addresses;
	info.jited_func_lens = (uintptr_t)lengths;
	info.prog_tags = (uintptr_t)tags;
	if (get_program_info(fd, &info) == 0)
		for (uint32_t i = 0; i < count; i++)
			if (addresses[i])
				add_function(synthesis, &info, i, addresses[i], lengths[i],
					     tags + i * BPF_TAG_SIZE);
	free(addresses);
	free(lengths);
	free(tags);
}

void synthesize_bpf_programs(struct synthesis *synthesis)
{
	uint32_t id = 0;

	for (;;) {
		union bpf_attr next = { .start_id = id };
		union bpf_attr by_id;
		int fd;

		if (bpf(BPF_PROG_GET_NEXT_ID, &next) < 0)
			return;
		id = next.next_id;
		memset(&by_id, 0, sizeof(by_id));
		by_id.prog_id = id;
		fd = bpf(BPF_PROG_GET_FD_BY_ID, &by_id);
		if (fd >= 0) {
			add_program(synthesis, fd);
			close(fd);
		}
	}
}
