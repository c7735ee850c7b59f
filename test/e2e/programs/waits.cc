// Waits in known ways for known times, each in a thread of its own: see wait_threads.py for what is printed.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <time.h>

namespace
{
const int rounds = 20;
const auto delay = std::chrono::milliseconds(10);

double seconds_of(clockid_t clock)
{
	timespec now;

	clock_gettime(clock, &now);
	return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}

double off_cpu()
{
	return seconds_of(CLOCK_MONOTONIC) - seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

std::mutex lines_lock;
std::vector<std::string> lines;

void measure(const char *name, const char *waker, const std::function<void()> &wait)
{
	char line[128];

	pthread_setname_np(pthread_self(), name);
	const double begin = off_cpu();
	for (int i = 0; i < rounds; i++)
		wait();
	const double seconds = off_cpu() - begin;
	pthread_setname_np(pthread_self(), "over");
	snprintf(line, sizeof(line), "%s %.6f %s", name, seconds, waker);
	const std::lock_guard<std::mutex> guard(lines_lock);
	lines.push_back(line);
}

void wake_often(const char *name, const std::function<void()> &wake)
{
	pthread_setname_np(pthread_self(), name);
	for (int i = 0; i < rounds; i++) {
		std::this_thread::sleep_for(delay);
		wake();
	}
	pthread_setname_np(pthread_self(), "over");
}
} // namespace

int main()
{
	std::mutex mutex;
	std::condition_variable condition;
	bool is_ready = false;
	std::thread threads[] = {
		std::thread(measure, "wait_sleep", "-", [] { std::this_thread::sleep_for(delay); }),
		std::thread(measure, "wait_ready", "wake_ready",
			    [&] {
				    std::unique_lock<std::mutex> guard(mutex);
				    condition.wait(guard, [&] { return is_ready; });
				    is_ready = false;
			    }),
		std::thread(wake_often, "wake_ready",
			    [&] {
				    const std::lock_guard<std::mutex> guard(mutex);
				    is_ready = true;
				    condition.notify_one();
			    }),
	};
	for (auto &thread : threads)
		thread.join();
	for (const auto &line : lines)
		puts(line.c_str());
}
