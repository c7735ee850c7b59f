import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/* Waits in known ways for known times, each in a thread of its own: see wait_threads.py for what is printed. */
public class Waits {
	static final int ROUNDS = 20, DELAY_MS = 10;
	static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
	static final List<String> lines = Collections.synchronizedList(new ArrayList<>());
	static final Object monitor = new Object();
	static boolean isReady;

	interface Wait {
		void once() throws Exception;
	}

	static long offCpu() {
		return System.nanoTime() - threads.getCurrentThreadCpuTime();
	}

	static Thread measured(String name, String waker, Wait wait) {
		Thread thread = new Thread(() -> {
			try {
				long begin = offCpu();
				for (int i = 0; i < ROUNDS; i++)
					wait.once();
				lines.add(String.format("%s %.6f %s", name, (offCpu() - begin) / 1e9, waker));
			} catch (Exception e) {
				throw new RuntimeException(e);
			}
		}, name);
		thread.start();
		return thread;
	}

	static Thread waker(String name, Wait wake) {
		Thread thread = new Thread(() -> {
			try {
				for (int i = 0; i < ROUNDS; i++) {
					Thread.sleep(DELAY_MS);
					wake.once();
				}
			} catch (Exception e) {
				throw new RuntimeException(e);
			}
		}, name);
		thread.start();
		return thread;
	}

	public static void main(String[] arguments) throws Exception {
		offCpu();
		String.format("%.6f", 1.0); // loads what formatting takes
		Thread sleep = measured("wait_sleep", "-", () -> Thread.sleep(DELAY_MS));
		Thread park = measured("wait_park", "wake_park", () -> LockSupport.park());
		Thread wakePark = waker("wake_park", () -> LockSupport.unpark(park));
		Thread notified = measured("wait_monitor", "wake_monitor", () -> {
			synchronized (monitor) {
				while (!isReady)
					monitor.wait();
				isReady = false;
			}
		});
		waker("wake_monitor", () -> {
			synchronized (monitor) {
				isReady = true;
				monitor.notify();
			}
		});
		sleep.join();
		park.join();
		notified.join();
		for (String line : lines)
			System.out.println(line);
	}
}
