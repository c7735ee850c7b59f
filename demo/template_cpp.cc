/* C++, with frame pointers, below a recursion of 8 different functions. */

#include "burn.h"

namespace demo
{

template <typename Cell> class Grid
{
      public:
	static uint64_t relax(uint64_t seed, unsigned int units);
};

template <typename Cell> uint64_t Grid<Cell>::relax(uint64_t seed, unsigned int units)
{
	return burn(seed, units);
}

template <int Level> struct Nest {
	static uint64_t descend(uint64_t seed, unsigned int units)
	{
		seed = Nest<Level - 1>::descend(seed, units);
		__asm__ volatile("" : "+r"(seed));
		return seed;
	}
};

template <> struct Nest<1> {
	static uint64_t descend(uint64_t seed, unsigned int units)
	{
		seed = Grid<double>::relax(seed, units);
		__asm__ volatile("" : "+r"(seed));
		return seed;
	}
};

} // namespace demo

uint64_t template_cpp(uint64_t seed, unsigned int units)
{
	seed = demo::Nest<8>::descend(seed, units);
	__asm__ volatile("" : "+r"(seed));
	return seed;
}
