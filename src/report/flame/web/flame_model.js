/* The numbers behind the page, without the page: trees as arrays, callers before their callees.
 *
 * A tree is { count: number of nodes, frame, parent, depth, end, start, weight, samples, self, own }, arrays by node. Node 0 is
 * everything and has frame -1; the nodes below i are those from i + 1 to end[i] - 1; start is where a node begins, in weight
 * from the left; children are ordered by weight, the largest first, and the node's own part is to the right of them: self of
 * the weight, own of the samples. */
'use strict';
const FlameModel = (function () {
	const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
	const VALUES = new Uint8Array(128);
	for (let i = 0; i < 64; i++)
		VALUES[DIGITS.charCodeAt(i)] = i;

	function emptyTree(room) {
		return {
			count: 0, frame: new Int32Array(room), parent: new Int32Array(room), depth: new Int32Array(room),
			end: new Int32Array(room), start: new Float64Array(room), weight: new Float64Array(room),
			samples: new Float64Array(room), self: new Float64Array(room), own: new Float64Array(room), height: 0,
		};
	}

	/* Completes a tree that has frame, parent, depth, self and own: sums from the leaves to the root, then places from the
	 * root on. */
	function complete(tree) {
		const { count, parent, end, start, weight, self, depth, samples } = tree;
		const taken = new Float64Array(count);
		weight.set(self);
		samples.set(tree.own);
		for (let i = count - 1; i >= 0; i--) {
			if (end[i] <= i)
				end[i] = i + 1;
			const p = parent[i];
			if (p < 0)
				continue;
			weight[p] += weight[i];
			samples[p] += samples[i];
			if (end[p] < end[i])
				end[p] = end[i];
		}
		for (let i = 1; i < count; i++) {
			const p = parent[i];
			start[i] = start[p] + taken[p];
			taken[p] += weight[i];
			if (depth[i] > tree.height)
				tree.height = depth[i];
		}
		tree.total = count ? weight[0] : 0;
		return tree;
	}

	/* At least the number of nodes: each has at least three digits without a sixth bit. */
	function countNodes(text) {
		let numbers = 0;
		for (let i = 0; i < text.length; i++)
			if (VALUES[text.charCodeAt(i)] < 32)
				numbers++;
		return Math.floor(numbers / 3) + 1;
	}

	/* Reads numbers one after another. */
	function reader(text) {
		let at = 0;
		return {
			more: () => at < text.length,
			number() {
				let digit = VALUES[text.charCodeAt(at++)];
				if (digit < 32) /* most are that small */
					return digit;
				let value = digit & 31, unit = 32;
				do {
					digit = VALUES[text.charCodeAt(at++)];
					value += (digit & 31) * unit;
					unit *= 32;
				} while (digit & 32);
				return value;
			},
		};
	}

	function decode(text, scale) {
		const tree = emptyTree(countNodes(text)), { more, number } = reader(text);
		tree.frame[0] = -1;
		tree.parent[0] = -1;
		tree.count = 1;
		let last = 0;
		while (more()) {
			let parent = last;
			for (let up = number(); up > 0; up--)
				parent = tree.parent[parent];
			const i = tree.count++;
			tree.parent[i] = parent;
			tree.depth[i] = tree.depth[parent] + 1;
			tree.frame[i] = number();
			tree.own[i] = number();
			tree.self[i] = tree.own[i] ? number() * scale : 0;
			last = i;
		}
		return complete(tree);
	}

	/* Adds the earlier weight of each node, and by how many points its share of everything has grown. */
	function compare(tree, text, total, changes) {
		const { number } = reader(text);
		tree.before = new Float64Array(tree.count);
		tree.points = new Float64Array(tree.count);
		tree.before[0] = total;
		for (let i = 1; i < tree.count; i++) {
			tree.before[i] = number();
			tree.points[i] = (tree.total ? 100 * tree.weight[i] / tree.total : 0) -
				(total ? 100 * tree.before[i] / total : 0);
		}
		tree.low = new Map();
		tree.high = new Map();
		for (const [node, low, high] of changes) {
			tree.low.set(node, low);
			tree.high.set(node, high);
		}
		return tree;
	}

	/* Words for an earlier share, a difference in points with its interval, and whether it is more than chance. */
	function changeWords([before, delta, low, high, differs]) {
		const signed = (number) => (number < 0 ? '' : '+') + number.toFixed(2);
		return { before: before.toFixed(2) + '%', delta: signed(delta), interval: signed(low) + ' .. ' + signed(high), differs: Boolean(differs) };
	}

	/* A difference that may be chance is grey. flame_diff_class() does the same. */
	function changeClass(points, differs) {
		const size = Math.abs(points);
		return !differs || size < 0.05 ? 'z0' : (points > 0 ? 'p' : 'm') + ((size >= 0.5) + (size >= 2) + (size >= 8));
	}

	/* --- trees made of another --------------------------------------------------------------------------- */

	function addTo(groups, frame, node, weight, samples) {
		let group = groups.get(frame);
		if (!group) {
			group = { frame, weight: 0, samples: 0, nodes: [], weights: [], counts: [] };
			groups.set(frame, group);
		}
		group.weight += weight;
		group.samples += samples;
		group.nodes.push(node);
		group.weights.push(weight);
		group.counts.push(samples);
	}

	/* The callers of a group's nodes, with what the group has of them. */
	function callersOf(tree, group) {
		const groups = new Map();
		for (let i = 0; i < group.nodes.length; i++) {
			const parent = tree.parent[group.nodes[i]];
			if (parent > 0)
				addTo(groups, tree.frame[parent], parent, group.weights[i], group.counts[i]);
		}
		return groups;
	}

	function calleesOf(tree, group) {
		const groups = new Map();
		for (const node of group.nodes)
			for (let i = node + 1; i < tree.end[node]; i = tree.end[i])
				addTo(groups, tree.frame[i], i, tree.weight[i], tree.samples[i]);
		return groups;
	}

	/* A group below this share of everything is not split: its parts could not be seen, and its sum stays. */
	const FINEST = 1 / 20000, MOST_NODES = 400000;

	function grow(tree, first, next) {
		const nodes = [], total = tree.total;
		const open = [{ group: null, parent: -1, depth: 0, groups: first }];
		while (open.length) {
			const at = open.pop(), number = nodes.length;
			nodes.push(at);
			let groups = at.groups;
			if (!groups)
				groups = at.group.weight < total * FINEST || nodes.length > MOST_NODES ?
					new Map() : next(tree, at.group);
			const children = [...groups.values()].sort((a, b) => a.weight - b.weight || b.frame - a.frame);
			at.rest = at.group ? at.group.weight : 0;
			at.restSamples = at.group ? at.group.samples : 0;
			for (const group of children) {
				open.push({ group, parent: number, depth: at.depth + 1 });
				at.rest -= group.weight;
				at.restSamples -= group.samples;
			}
			at.frame = at.group ? at.group.frame : -1;
			at.group = at.groups = null;
		}
		const made = emptyTree(nodes.length);
		nodes.forEach((node, i) => {
			made.frame[i] = node.frame;
			made.parent[i] = node.parent;
			made.depth[i] = node.depth;
			/* The node of everything has no weight of its own; that of its children is counted there. */
			made.self[i] = i ? node.rest : 0;
			made.own[i] = i ? node.restSamples : 0;
		});
		made.count = nodes.length;
		return complete(made);
	}

	/* Stacks that begin with the leaf. */
	function reversed(tree) {
		const groups = new Map();
		for (let i = 1; i < tree.count; i++)
			if (tree.self[i] > 0)
				addTo(groups, tree.frame[i], i, tree.self[i], tree.own[i]);
		return grow(tree, groups, callersOf);
	}

	/* The nodes of a function that are not below another of its nodes, so that recursion counts once. `same` has by frame
	 * the first frame of its function, which may have several kinds. */
	function outermost(tree, frame, same) {
		const groups = new Map();
		for (let i = 1; i < tree.count;) {
			if (same[tree.frame[i]] === frame) {
				addTo(groups, frame, i, tree.weight[i], tree.samples[i]);
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return groups;
	}

	function callers(tree, frame, same) {
		return grow(tree, outermost(tree, frame, same), callersOf);
	}

	function callees(tree, frame, same) {
		return grow(tree, outermost(tree, frame, same), calleesOf);
	}

	/* --- sums -------------------------------------------------------------------------------------------- */

	/* A scope, as functions() takes it, chooses samples for a table: all of them (null), those of a node and all below it
	 * (its number), or those of nodes with a 1. */
	/* Stacks with the function anywhere. */
	function through(tree, frame, same) {
		const scope = new Uint8Array(tree.count);
		for (let i = 1; i < tree.count;)
			if (same[tree.frame[i]] === frame) {
				scope.fill(1, i, tree.end[i]);
				i = tree.end[i];
			} else {
				i++;
			}
		return scope;
	}

	/* Stacks that end with these functions, the leaf first. */
	function endingWith(tree, frames, same) {
		const scope = new Uint8Array(tree.count);
		for (let i = 1; i < tree.count; i++) {
			let at = i, alike = 0;
			if (!tree.self[i])
				continue;
			while (alike < frames.length && at > 0 && same[tree.frame[at]] === same[frames[alike]]) {
				alike++;
				at = tree.parent[at];
			}
			scope[i] = alike === frames.length ? 1 : 0;
		}
		return scope;
	}

	/* The scope's samples, summed up by node. */
	function sumsWithin(tree, scope) {
		const weight = new Float64Array(tree.count), samples = new Float64Array(tree.count);
		for (let i = tree.count - 1; i >= 0; i--) {
			if (scope[i]) {
				weight[i] += tree.self[i];
				samples[i] += tree.own[i];
			}
			if (i > 0) {
				weight[tree.parent[i]] += weight[i];
				samples[tree.parent[i]] += samples[i];
			}
		}
		return { weight, samples };
	}

	/* Sums of a scope by function: self, total and samples, a sample once for each function in its stack; and of
	 * everything. `inlined`, by frame: samples in an inlined function are self of the function that it was inlined into, as
	 * in reports. */
	function functions(tree, scope, same, inlined = []) {
		if (typeof scope === 'number')
			return functionsBelow(tree, scope, same, inlined);
		return sumFunctions(tree, scope, scope ? sumsWithin(tree, scope) : tree, same, inlined, 1, tree.count);
	}

	function compiledInto(tree, node, inlined) {
		while (inlined[tree.frame[node]] && tree.parent[node] > 0)
			node = tree.parent[node];
		return tree.frame[node];
	}

	/* Counts all that is below the node; its callers have all of that. */
	function functionsBelow(tree, node, same, inlined) {
		const outer = new Set(path(tree, tree.parent[node]).map((frame) => same[frame]));
		const sums = sumFunctions(tree, null, tree, same, inlined, node, tree.end[node], outer);
		for (const frame of outer) {
			sums.total[frame] = tree.weight[node];
			sums.samples[frame] = tree.samples[node];
		}
		return { ...sums, weight: tree.weight[node], count: tree.samples[node] };
	}

	function sumFunctions(tree, scope, sums, same, inlined, from, to, outer = []) {
		const frames = same.length, self = new Float64Array(frames), total = new Float64Array(frames);
		const samples = new Float64Array(frames), open = new Int32Array(frames), above = new Int32Array(tree.height + 1);
		let height = 0;
		for (const frame of outer)
			open[frame]++;
		for (let i = from; i < to; i++) {
			if (!sums.samples[i]) {
				i = tree.end[i] - 1;
				continue;
			}
			while (height && tree.end[above[height - 1]] <= i)
				open[same[tree.frame[above[--height]]]]--;
			const frame = same[tree.frame[i]];
			if (!scope || scope[i])
				self[same[compiledInto(tree, i, inlined)]] += tree.self[i];
			if (!open[frame]) {
				total[frame] += sums.weight[i];
				samples[frame] += sums.samples[i];
			}
			open[frame]++;
			above[height++] = i;
		}
		return { self, total, samples, weight: sums.weight[0] || 0, count: sums.samples[0] || 0 };
	}

	/* The weight of stacks with a frame for which `found` has a 1; what is below such a frame is part of it. */
	function matched(tree, top, found) {
		let weight = 0, nodes = 0;
		for (let i = top; i < tree.end[top];) {
			if (tree.frame[i] >= 0 && found[tree.frame[i]]) {
				weight += tree.weight[i];
				nodes++;
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return { weight, nodes };
	}

	/* The node at `position` (a weight from the left) and depth; -1: none. */
	function nodeAt(tree, position, depth) {
		let node = 0;
		while (tree.depth[node] < depth) {
			let child = node + 1;
			while (child < tree.end[node] && tree.start[child] + tree.weight[child] <= position)
				child = tree.end[child];
			if (child >= tree.end[node] || tree.start[child] > position)
				return -1;
			node = child;
		}
		return node;
	}

	/* Frames from the outermost caller to the node. */
	function path(tree, node) {
		const frames = [];
		for (; node > 0; node = tree.parent[node])
			frames.push(tree.frame[node]);
		return frames.reverse();
	}

	/* The self of a node as functions() counts it: with that of functions that are inlined into it; 0 if it is inlined
	 * itself. */
	function selfOf(tree, node, inlined) {
		let self = tree.self[node];
		if (inlined[tree.frame[node]] && tree.parent[node] > 0)
			return 0;
		for (let i = node + 1; i < tree.end[node];)
			if (inlined[tree.frame[i]])
				self += tree.self[i++];
			else
				i = tree.end[i];
		return self;
	}

	/* Three digits and a prefix: "2.3 G"; numbers below 10,000 as they are. */
	function prefixed(number) {
		const prefixes = ['', ' k', ' M', ' G', ' T', ' P', ' E'];
		let power = 0;
		if (number < 10000)
			return number.toLocaleString('en-US');
		for (; power + 1 < prefixes.length && Number((number / 1000 ** power).toPrecision(3)) >= 1000; power++)
			;
		return Number((number / 1000 ** power).toPrecision(3)) + prefixes[power];
	}

	/* A weight in words: clocks count nanoseconds, which are time; other events are counted. Imported weights have a unit. */
	function amount(weight, event) {
		if (!/^(?:cpu-clock|task-clock|wall-clock|offcpu-time)(?![\w-])|^nanoseconds$/.test(event))
			return prefixed(weight) + ' ' + event;
		const units = [[1e9, ' s'], [1e6, ' ms'], [1e3, ' µs'], [1, ' ns']];
		const [unit, name] = units.find(([size]) => weight >= size) || units[3];
		const value = weight / unit;
		return (value < 1000 ? Number(value.toPrecision(3)) : Math.round(value)).toLocaleString('en-US') + name;
	}

	/* A share with two digits after the point, as C prints it: of two equally near the even one (toFixed: the larger). */
	function percent(part, whole) {
		const share = whole ? 100 * part / whole : 0;
		const tie = Number.isInteger(share * 8) && Number.isInteger(share * 200) && !Number.isInteger(share * 100);
		return (tie && Math.floor(share * 100) % 2 === 0 ? share - 0.001 : share).toFixed(2) + '%';
	}

	/* The node at the end of a path, or the last one of the path that the tree has. */
	function find(tree, frames) {
		let node = 0;
		for (const frame of frames) {
			let child = node + 1;
			while (child < tree.end[node] && tree.frame[child] !== frame)
				child = tree.end[child];
			if (child >= tree.end[node])
				break;
			node = child;
		}
		return node;
	}

	/* Puts nodes whose parents come before them into the order of a tree: the largest sibling first. */
	function arrange(nodes) {
		const { count, frame, parent, self, own } = nodes, weight = Float64Array.from(self.subarray(0, count));
		const first = new Int32Array(count + 1), children = new Int32Array(count), tree = emptyTree(count);
		for (let i = count - 1; i > 0; i--) {
			weight[parent[i]] += weight[i];
			first[parent[i] + 1]++;
		}
		for (let i = 0; i < count; i++)
			first[i + 1] += first[i];
		const next = first.slice();
		for (let i = 1; i < count; i++)
			children[next[parent[i]]++] = i;
		for (let i = 0; i < count; i++)
			if (first[i + 1] - first[i] > 1)
				children.subarray(first[i], first[i + 1])
					.sort((a, b) => weight[b] - weight[a] || frame[a] - frame[b]);
		const open = new Int32Array(count + 1), place = new Int32Array(count);
		let height = count ? 1 : 0;
		while (height) {
			const old = open[--height], i = tree.count++;
			place[old] = i;
			tree.frame[i] = frame[old];
			tree.parent[i] = old ? place[parent[old]] : -1;
			tree.depth[i] = old ? tree.depth[tree.parent[i]] + 1 : 0;
			tree.self[i] = self[old];
			tree.own[i] = own[old];
			for (let k = first[old + 1] - 1; k >= first[old]; k--)
				open[height++] = children[k];
		}
		return { tree: complete(tree), place };
	}

	return {
		decode, reader, compare, changeClass, changeWords, reversed, callers, callees, through, endingWith, functions,
		matched, nodeAt, path, percent, find, arrange, selfOf, compiledInto, amount,
	};
})();
if (typeof module !== 'undefined')
	module.exports = FlameModel;
