/* C++, without frame pointers, behind virtual calls. */

#include "burn.h"

namespace demo
{

class Shape
{
      public:
	virtual ~Shape() = default;
	virtual uint64_t area(uint64_t seed, unsigned int units) const = 0;
};

class Circle : public Shape
{
      public:
	uint64_t area(uint64_t seed, unsigned int units) const override;
};

class Scaled : public Shape
{
      public:
	explicit Scaled(const Shape &shape) : inner(shape)
	{
	}
	uint64_t area(uint64_t seed, unsigned int units) const override;

      private:
	const Shape &inner;
};

uint64_t Circle::area(uint64_t seed, unsigned int units) const
{
	return burn(seed, units);
}

uint64_t Scaled::area(uint64_t seed, unsigned int units) const
{
	uint64_t area = inner.area(seed, units);

	__asm__ volatile("" : "+r"(area));
	return area;
}

} // namespace demo

uint64_t virtual_cpp(uint64_t seed, unsigned int units)
{
	static const demo::Circle circle;
	static const demo::Scaled once(circle), twice(once);
	const demo::Shape *volatile shape = &twice; /* volatile: which class it is stays unknown */

	seed = shape->area(seed, units);
	__asm__ volatile("" : "+r"(seed));
	return seed;
}
