// Panics that are caught, closures, trait objects, collections.
use std::collections::HashMap;
use std::hint::black_box;

struct Counted(u32);

impl Drop for Counted {
    #[inline(never)]
    fn drop(&mut self) {
        black_box(self.0);
    }
}

#[inline(never)]
fn deep(depth: u32) -> u32 {
    let counted = Counted(depth);
    if depth == 0 {
        panic!("bottom");
    }
    deep(depth - 1) + counted.0
}

trait Shape {
    fn area(&self, n: u32) -> u32;
}

struct Square;

impl Shape for Square {
    #[inline(never)]
    fn area(&self, n: u32) -> u32 {
        if n == 0 { 1 } else { black_box(n) + self.area(n - 1) }
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    for depth in 3..5 {
        let _ = black_box(std::panic::catch_unwind(|| deep(depth)));
    }
    let shape: Box<dyn Shape> = Box::new(Square);
    let mut numbers: Vec<u32> = (0..12).map(|i| i * 7919 % 13).collect();
    numbers.sort_by(|a, b| b.cmp(a));
    let mut names = HashMap::new();
    names.insert(format!("{} {:.2}", numbers[0], 1.5), shape.area(4));
    println!("{:?}", names);
}
