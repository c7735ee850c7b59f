/* The child installs the filter and sends its listener through a socket; then it executes the command. */
#include "kernel/notifier.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define THIS_ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

/* The low half of an argument: descriptors are ints. */
#define ARGUMENT(number) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (number)))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
/* Notifies on each call with this number. */
#define EACH(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), ANSWER(SECCOMP_RET_USER_NOTIF)
/* Notifies on calls whose argument is the descriptor of a played event; seven instructions. */
#define OF_EVENT(number, argument)                                                                     \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 5), LOAD(ARGUMENT(argument)),                 \
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_FD, 0, 2),                                   \
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, END_OF_FDS, 1, 0), ANSWER(SECCOMP_RET_USER_NOTIF), \
		ANSWER(SECCOMP_RET_ALLOW)

static int install_filter(void)
{
	struct sock_filter code[] = {
		LOAD(offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0),
		ANSWER(SECCOMP_RET_ALLOW),
		LOAD(offsetof(struct seccomp_data, nr)),
		EACH(SYS_perf_event_open),
		EACH(SYS_execve),
		EACH(SYS_exit_group),
#ifdef SYS_poll
		EACH(SYS_poll),
#endif
		EACH(SYS_ppoll),
#ifdef SYS_epoll_wait
		EACH(SYS_epoll_wait),
#endif
		EACH(SYS_epoll_pwait),
		EACH(SYS_epoll_pwait2),
		OF_EVENT(SYS_epoll_ctl, 2),
		OF_EVENT(SYS_ioctl, 0),
		OF_EVENT(SYS_read, 0),
		OF_EVENT(SYS_close, 0),
		OF_EVENT(SYS_mmap, 4),
		ANSWER(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { .len = sizeof(code) / sizeof(code[0]), .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

static int send_fd(int socket, int fd)
{
	char byte = 0;
	struct iovec bytes = { .iov_base = &byte, .iov_len = 1 };
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct msghdr message = {
		.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
}

static int receive_fd(int socket)
{
	char byte;
	struct iovec bytes = { .iov_base = &byte, .iov_len = 1 };
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct msghdr message = {
		.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)
	};
	struct cmsghdr *head;
	int fd;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !(head = CMSG_FIRSTHDR(&message)))
		return -1;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

static void become(int socket, char *const *command, int (*prepare)(void *context, struct error *err),
		   void *context)
{
	struct rlimit limit;
	struct error err = { 0 };
	int listener;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max < END_OF_FDS ? limit.rlim_max : END_OF_FDS;
	setrlimit(RLIMIT_NOFILE, &limit);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* without its supervisor it would wait forever */
	if (prepare(context, &err) < 0) {
		fprintf(stderr, "kernel_player: %s\n", err.message);
		_exit(125);
	}
	listener = install_filter();
	if (listener < 0 || send_fd(socket, listener) < 0) {
		perror("kernel_player: no system calls can be supervised");
		_exit(125);
	}
	close(listener);
	close(socket);
	execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

int notifier_start(struct notifier *notifier, char *const *command,
		   int (*prepare)(void *context, struct error *err), void *context, struct error *err)
{
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0)
		return error_set_errno(err, errno, "no socket");
	notifier->child = fork();
	if (notifier->child == 0) {
		close(sockets[0]);
		become(sockets[1], command, prepare, context);
	}
	close(sockets[1]);
	notifier->fd = notifier->child < 0 ? -1 : receive_fd(sockets[0]);
	close(sockets[0]);
	return notifier->fd < 0 ? error_set(err, "the command was not started") : 0;
}

int notifier_next(const struct notifier *notifier, struct seccomp_notif *call)
{
	memset(call, 0, sizeof(*call));
	if (ioctl(notifier->fd, SECCOMP_IOCTL_NOTIF_RECV, call) == 0)
		return 1;
	return errno == ENOENT || errno == EINTR ? 0 : -1;
}

/* Fails if the caller was interrupted or killed, which does no harm. */
static void respond(const struct notifier *notifier, struct seccomp_notif_resp response)
{
	(void)ioctl(notifier->fd, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

void notifier_return(const struct notifier *notifier, uint64_t call, int64_t value)
{
	respond(notifier, (struct seccomp_notif_resp){ .id = call, .val = value });
}

void notifier_fail(const struct notifier *notifier, uint64_t call, int errno_value)
{
	respond(notifier, (struct seccomp_notif_resp){ .id = call, .error = -errno_value });
}

void notifier_continue(const struct notifier *notifier, uint64_t call)
{
	respond(notifier,
		(struct seccomp_notif_resp){ .id = call, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE });
}

bool notifier_return_fd(const struct notifier *notifier, uint64_t call, int fd, int wanted_fd,
			bool close_on_exec)
{
	struct seccomp_notif_addfd addition = { .id = call,
						.flags = SECCOMP_ADDFD_FLAG_SETFD | SECCOMP_ADDFD_FLAG_SEND,
						.srcfd = (uint32_t)fd,
						.newfd = (uint32_t)wanted_fd,
						.newfd_flags = close_on_exec ? 02000000 /* O_CLOEXEC */ : 0 };

	return ioctl(notifier->fd, SECCOMP_IOCTL_NOTIF_ADDFD, &addition) >= 0;
}

bool notifier_read_memory(pid_t pid, uint64_t address, void *bytes, size_t size)
{
	struct iovec here = { .iov_base = bytes, .iov_len = size };
	struct iovec there = { .iov_base = (void *)(uintptr_t)address, .iov_len = size };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool notifier_write_memory(pid_t pid, uint64_t address, const void *bytes, size_t size)
{
	struct iovec here = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = size };
	struct iovec there = { .iov_base = (void *)(uintptr_t)address, .iov_len = size };

	return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}
