#include "record/bpf/loader_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "support/cmocka.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Shorthands for instructions, as in the kernel's own test programs (linux/filter.h). */
#define MOVE(to, from)                                                                  \
	{                                                                               \
		.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (to), .src_reg = (from) \
	}
#define SET(to, value)                                                               \
	{                                                                            \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (to), .imm = (value) \
	}
#define ADD(to, value)                                                               \
	{                                                                            \
		.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = (to), .imm = (value) \
	}
#define SHIFT(to, value)                                                             \
	{                                                                            \
		.code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = (to), .imm = (value) \
	}
#define DATA(to, offset)                                                                             \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (to), .src_reg = BPF_PSEUDO_MAP_IDX_VALUE }, \
	{                                                                                            \
		.imm = (offset)                                                                      \
	}
#define LOAD(size, to, from, offset)                                                                    \
	{                                                                                               \
		.code = BPF_LDX | BPF_MEM | (size), .dst_reg = (to), .src_reg = (from), .off = (offset) \
	}
#define STORE(size, to, offset, from)                                                                   \
	{                                                                                               \
		.code = BPF_STX | BPF_MEM | (size), .dst_reg = (to), .src_reg = (from), .off = (offset) \
	}
#define STORE_VALUE(size, to, offset, value)                                                        \
	{                                                                                           \
		.code = BPF_ST | BPF_MEM | (size), .dst_reg = (to), .off = (offset), .imm = (value) \
	}
#define JUMP(how, reg, value, distance)                                                              \
	{                                                                                            \
		.code = BPF_JMP | (how) | BPF_K, .dst_reg = (reg), .off = (distance), .imm = (value) \
	}
#define CALL(helper)                                        \
	{                                                   \
		.code = BPF_JMP | BPF_CALL, .imm = (helper) \
	}
#define EXIT()                             \
	{                                  \
		.code = BPF_JMP | BPF_EXIT \
	}

/* Runs the program on the first words of the context and the data. */
static int run(const struct bpf_insn *program, size_t count, uint64_t *data, uint64_t *context)
{
	assert_true(loader_program_is_known(program, count));
	return loader_program_run(program, data, context);
}

static void words_go_between_context_stack_and_data(void **state)
{
	static const struct bpf_insn program[] = {
		MOVE(BPF_REG_6, BPF_REG_1),
		LOAD(BPF_DW, BPF_REG_0, BPF_REG_6, 8),
		STORE(BPF_DW, BPF_REG_10, -512, BPF_REG_0),
		LOAD(BPF_W, BPF_REG_2, BPF_REG_10, -508), /* the upper half */
		DATA(BPF_REG_1, 8),
		STORE(BPF_W, BPF_REG_1, 0, BPF_REG_2),
		STORE_VALUE(BPF_H, BPF_REG_1, 4, -1),
		STORE_VALUE(BPF_W, BPF_REG_6, 0, 7),
		SHIFT(BPF_REG_0, 60),
		ADD(BPF_REG_0, -2),
		EXIT(),
	};
	uint64_t data[2] = { 1, 0 }, context[2] = { 0, 0x8877665544332211 };

	(void)state;
	assert_int_equal(run(program, COUNT(program), data, context), 6);
	assert_int_equal(data[0], 1);
	assert_int_equal(data[1], 0xffff88776655);
	assert_int_equal(context[0], 7);
}

static void jumps_compare_with_signs(void **state)
{
	/* Adds up the weights of the conditions that hold for the context's word. */
	static const struct bpf_insn program[] = {
		LOAD(BPF_DW, BPF_REG_1, BPF_REG_1, 0),
		SET(BPF_REG_0, 0),
		JUMP(BPF_JSLT, BPF_REG_1, 0, 1),
		ADD(BPF_REG_0, 1), /* not negative */
		JUMP(BPF_JSLE, BPF_REG_1, 0, 1),
		ADD(BPF_REG_0, 2), /* positive */
		JUMP(BPF_JSGE, BPF_REG_1, -1, 1),
		ADD(BPF_REG_0, 4), /* less than -1 */
		JUMP(BPF_JEQ, BPF_REG_1, 5, 1),
		ADD(BPF_REG_0, 8), /* not 5 */
		JUMP(BPF_JNE, BPF_REG_1, 5, 1),
		ADD(BPF_REG_0, 16), /* 5 */
		JUMP(BPF_JSET, BPF_REG_1, 1, 1),
		ADD(BPF_REG_0, 32), /* even */
		JUMP(BPF_JA, BPF_REG_0, 0, 1),
		ADD(BPF_REG_0, 64), /* never */
		EXIT(),
	};
	static const struct {
		int64_t value;
		int sum;
	} cases[] = { { 0, 1 + 8 + 32 }, { 5, 1 + 2 + 16 }, { -1, 8 }, { -2, 4 + 8 + 32 } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t context = (uint64_t)cases[i].value;

		assert_int_equal(run(program, COUNT(program), NULL, &context), cases[i].sum);
	}
}

static void memory_is_copied_or_cleared(void **state)
{
	static const struct bpf_insn program[] = {
		DATA(BPF_REG_3, 0),
		DATA(BPF_REG_1, 8),
		SET(BPF_REG_2, 8),
		CALL(BPF_FUNC_copy_from_user),
		DATA(BPF_REG_1, 0),
		SET(BPF_REG_2, 8),
		SET(BPF_REG_3, 0),
		CALL(BPF_FUNC_probe_read_kernel),
		EXIT(),
	};
	uint64_t data[2] = { 0x1234, 0 };

	(void)state;
	assert_int_equal(run(program, COUNT(program), data, NULL), -EFAULT);
	assert_int_equal(data[0], 0);
	assert_int_equal(data[1], 0x1234);
}

static void descriptors_are_closed_and_errors_returned(void **state)
{
	static const struct bpf_insn program[] = {
		LOAD(BPF_W, BPF_REG_1, BPF_REG_1, 0),
		CALL(BPF_FUNC_sys_close),
		EXIT(),
	};
	uint64_t fd = (uint64_t)open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(run(program, COUNT(program), NULL, &fd), 0);
	assert_int_equal(fcntl((int)fd, F_GETFD), -1);
	assert_int_equal(run(program, COUNT(program), NULL, &fd), -EBADF);
}

static void bpf_is_called_with_what_the_data_says(void **state)
{
	/* No command has this number. */
	static const struct bpf_insn program[] = {
		SET(BPF_REG_1, 10000), DATA(BPF_REG_2, 0), SET(BPF_REG_3, 8), CALL(BPF_FUNC_sys_bpf), EXIT(),
	};
	uint64_t data[1] = { 0 };
	int result = run(program, COUNT(program), data, NULL);

	(void)state;
	assert_true(result == -EINVAL || result == -EPERM || result == -ENOSYS);
}

static void what_is_not_known_is_left_to_the_kernel(void **state)
{
	static const struct bpf_insn cases[][2] = {
		{ CALL(BPF_FUNC_btf_find_by_name_kind), EXIT() },
		{ { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL }, EXIT() },
		{ { .code = BPF_ALU64 | BPF_MUL | BPF_K }, EXIT() },
		{ { .code = BPF_LD | BPF_IMM | BPF_DW, .src_reg = BPF_PSEUDO_MAP_FD }, { .code = 0 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_false(loader_program_is_known(cases[i], 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_go_between_context_stack_and_data),
		cmocka_unit_test(jumps_compare_with_signs),
		cmocka_unit_test(memory_is_copied_or_cleared),
		cmocka_unit_test(descriptors_are_closed_and_errors_returned),
		cmocka_unit_test(bpf_is_called_with_what_the_data_says),
		cmocka_unit_test(what_is_not_known_is_left_to_the_kernel),
	};

	return cmocka_run_group_tests_name("record/bpf/loader_program", tests, NULL, NULL);
}
