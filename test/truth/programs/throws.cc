// Exceptions through frames with and without destructors, and other kinds of calls in C++.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

static volatile unsigned sink;

struct Counted {
	unsigned value;
	explicit Counted(unsigned v) : value(v)
	{
	}
	NOINLINE ~Counted()
	{
		sink = sink + value;
	}
};

static NOINLINE void thrower(unsigned depth)
{
	Counted counted(depth);
	if (depth == 0)
		throw std::runtime_error("bottom");
	thrower(depth - 1);
}

static NOINLINE void passes_on(unsigned depth)
{
	try {
		thrower(depth);
	} catch (const std::logic_error &) {
		sink = 1;
	} catch (...) {
		sink = sink + 2;
		throw;
	}
}

struct Shape {
	virtual ~Shape() = default;
	virtual unsigned area(unsigned n) const = 0;
};
struct Square : Shape {
	NOINLINE unsigned area(unsigned n) const override
	{
		return n ? n + area(n - 1) : 1;
	}
};

static NOINLINE unsigned library()
{
	std::vector<unsigned> numbers;
	std::map<std::string, unsigned> names;
	for (unsigned i = 0; i < 12; i++)
		numbers.push_back(i * 7919 % 13);
	std::sort(numbers.begin(), numbers.end(), [](unsigned a, unsigned b) { return a > b; });
	names[std::to_string(numbers[0])] = 1;
	names["twelve, and long enough for the heap"] = 2;
	std::function<unsigned(unsigned)> twice = [&](unsigned n) { return n * 2 + (unsigned)names.size(); };
	return twice(numbers[3]);
}

int main()
{
	for (unsigned i = 0; i < 2; i++) {
		try {
			passes_on(3 + i);
		} catch (const std::exception &e) {
			sink = sink + (unsigned)std::string(e.what()).size();
		}
	}
	std::unique_ptr<Shape> shape = std::make_unique<Square>();
	sink = sink + shape->area(4) + library();
	try {
		std::string("short").at(99);
	} catch (const std::out_of_range &) {
		sink = sink + 1;
	}
	return 0;
}
