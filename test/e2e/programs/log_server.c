/*
 * A server that forces its file to the disk under a lock, while many clients wait: for recordings of time off the CPU.
 *
 * usage: log_server [REQUESTS [MICROSECONDS]]
 *
 * REQUESTS: of each client; MICROSECONDS: how much slower the disk is made. Writes ./log, and removes it.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
enum { WORKERS = 8, CLIENTS = 64, ENTRY_BYTES = 64 * 1024 };

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char entry[ENTRY_BYTES];
static int log_file, request_count = 40, slower_us;
static int requests[2];
static int answers[CLIENTS][2];

APART static void append_to_log(void)
{
	pthread_mutex_lock(&log_lock);
	if (write(log_file, entry, sizeof(entry)) != sizeof(entry) || fsync(log_file) != 0)
		perror("log");
	if (slower_us)
		usleep((useconds_t)slower_us);
	pthread_mutex_unlock(&log_lock);
}

APART static void serve(unsigned char client)
{
	append_to_log();
	if (write(answers[client][1], "x", 1) != 1)
		perror("answer");
}

static void *work(void *nothing)
{
	unsigned char client;

	(void)nothing;
	pthread_setname_np(pthread_self(), "worker");
	while (read(requests[0], &client, 1) == 1)
		serve(client);
	return NULL;
}

APART static void ask(unsigned char client)
{
	char answer;

	if (write(requests[1], &client, 1) != 1 || read(answers[client][0], &answer, 1) != 1)
		perror("ask");
}

static void *be_client(void *number)
{
	pthread_setname_np(pthread_self(), "client");
	for (int i = 0; i < request_count; i++)
		ask((unsigned char)(size_t)number);
	return NULL;
}

int main(int count, char **arguments)
{
	pthread_t clients[CLIENTS], workers[WORKERS];

	if (count > 1)
		request_count = atoi(arguments[1]);
	if (count > 2)
		slower_us = atoi(arguments[2]);
	log_file = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (log_file < 0 || unlink("log") != 0 || pipe(requests) != 0)
		return 1;
	for (int i = 0; i < CLIENTS; i++)
		if (pipe(answers[i]) != 0)
			return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (size_t i = 0; i < CLIENTS; i++)
		pthread_create(&clients[i], NULL, be_client, (void *)i);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(clients[i], NULL);
	close(requests[1]);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
