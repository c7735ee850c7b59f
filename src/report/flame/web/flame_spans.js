/* Two spans of time side by side: by how much the share of each call path and function differs, and whether that is more than
 * chance. The methods are those of profile/compare, with which `xprof flamegraph --diff` compares recordings: score intervals
 * (Newcombe's method 10), and a variance from 16 slices of each span, because samples are not independent. */
'use strict';
const FlameSpans = (function () {
	const SLICES = 16, LEAST_SAMPLES = 10, CONFIDENCE = 0.95;

	/* The limit that `chance` of the normal distribution exceeds, on both sides together: Abramowitz and Stegun, 26.2.23. */
	function normalLimit(chance) {
		const t = Math.sqrt(-2 * Math.log(chance / 2));
		return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
	}

	/* The same for Student's distribution: ibid., 26.7.5. */
	function studentLimit(chance, freedom) {
		const z = normalLimit(chance), z2 = z * z;
		return z * (1 + (z2 + 1) / (4 * freedom) + ((5 * z2 + 16) * z2 + 3) / (96 * freedom ** 2) +
			(((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * freedom ** 3));
	}

	/* Wilson's interval of a share out of so many samples. */
	function scoreInterval(share, samples, z) {
		const z2 = z * z, middle = (share + z2 / (2 * samples)) / (1 + z2 / samples);
		const half = z * Math.sqrt(share * (1 - share) / samples + z2 / (4 * samples * samples)) / (1 + z2 / samples);
		return [Math.max(0, middle - half), Math.min(1, middle + half)];
	}

	/* The weight of each node in each slice of a span, with its callees: { part: by node * SLICES + slice, whole: by slice
	 * }. Slices have the same weight. */
	function slicesOf({ rows, times }, tree, { event, weigh, from, to }) {
		const part = new Float32Array(tree.count * SLICES), whole = new Float64Array(SLICES);
		const amounts = weigh === 'samples' ? times.samples : times.weight;
		const [first, end] = FlameSamples.entriesOf(times, { from, to });
		const isOf = (i) => event < 0 || rows.event[times.row[i]] === event;
		let total = 0, before = 0;
		for (let i = first; i < end; i++)
			total += isOf(i) ? amounts[i] : 0;
		for (let i = first; i < end; i++) {
			if (!isOf(i))
				continue;
			const slice = Math.min(SLICES - 1, Math.floor(SLICES * (before + amounts[i] / 2) / total));
			part[tree.leaf[times.row[i]] * SLICES + slice] += amounts[i];
			whole[slice] += amounts[i];
			before += amounts[i];
		}
		for (let i = tree.count - 1; i > 0; i--)
			for (let slice = 0; slice < SLICES; slice++)
				part[tree.parent[i] * SLICES + slice] += part[i * SLICES + slice];
		return { part, whole };
	}

	/* The factor by which samples vary more than independent ones, 1 at least. `sides`: [{ weight, total, count, part,
	 * whole }]. */
	function dispersionOf(sides, independent) {
		let squares = 0;
		for (let slice = 0; slice < SLICES; slice++) {
			const [before, after] = sides.map(({ weight, total, part, whole }) =>
				(part[slice] - weight * whole[slice] / total) / total);
			squares += (after - before) ** 2;
		}
		return independent > 0 ? Math.max(1, squares * SLICES / (SLICES - 1) / independent) : 1;
	}

	/* Compares shares of each side's whole; if that is nothing, the share is 0 and nothing is known. `among`: how many are
	 * compared. */
	function change(sides, among) {
		const [before, after] = sides.map(({ weight, total }) => (total ? weight / total : 0));
		const delta = after - before, nothing = { before, delta, low: -1, high: 1, differs: false };
		if (sides.some(({ total }) => !total))
			return nothing;
		const independent = before * (1 - before) / sides[0].count + after * (1 - after) / sides[1].count;
		const dispersion = dispersionOf(sides, independent), isDispersed = dispersion > 1;
		const limit = isDispersed ? studentLimit(1 - CONFIDENCE, SLICES - 1) : normalLimit(1 - CONFIDENCE);
		const [old, now] = sides.map(({ count }, i) => scoreInterval(i ? after : before, count / dispersion, limit));
		const low = delta - Math.hypot(after - now[0], old[1] - before), high = delta + Math.hypot(now[1] - after, before - old[0]);
		const far = studentLimit((1 - CONFIDENCE) / among, (isDispersed ? 1 : 2) * (SLICES - 1)) * Math.sqrt(independent * dispersion);
		return { before, delta, low, high, differs: (low > 0 || high < 0) && Math.abs(delta) > far };
	}

	/* Changes by number, of those with enough samples in both spans together, each compared among all of these. */
	function changesOf(things, wholes) {
		const chosen = things.filter(({ samples }) => samples >= LEAST_SAMPLES), changes = new Map();
		for (const { number, weights, parts } of chosen) {
			const sides = wholes.map((side, i) => ({ ...side, weight: weights[i], part: parts[i] }));
			changes.set(number, change(sides, chosen.length));
		}
		return changes;
	}

	/* The weight and the number of samples of each node in the other span. */
	function sumsOfOther(tree) {
		const before = new Float64Array(tree.count), samples = new Float64Array(tree.count);
		tree.leaf.forEach((node, row) => {
			before[node] += tree.other.weight[row];
			samples[node] += tree.other.samples[row];
		});
		for (let i = tree.count - 1; i > 0; i--) {
			before[tree.parent[i]] += before[i];
			samples[tree.parent[i]] += samples[i];
		}
		return { before, samples };
	}

	/* By function, each sample once: { number, weights, samples, parts } as for changesOf(). */
	function functionsOf(tree, others, slices, same) {
		const open = new Int32Array(same.length), above = [], functions = new Map();
		for (let i = 1; i < tree.count; i++) {
			while (above.length && tree.end[above[above.length - 1]] <= i)
				open[same[tree.frame[above.pop()]]]--;
			const number = same[tree.frame[i]];
			above.push(i);
			if (open[number]++)
				continue;
			if (!functions.has(number))
				functions.set(number, { number, weights: [0, 0], samples: 0, parts: slices.map(() => new Float64Array(SLICES)) });
			const sums = functions.get(number);
			sums.weights[0] += others.before[i];
			sums.weights[1] += tree.weight[i];
			sums.samples += others.samples[i] + tree.samples[i];
			slices.forEach(({ part }, side) => {
				for (let slice = 0; slice < SLICES; slice++)
					sums.parts[side][slice] += part[i * SLICES + slice];
			});
		}
		return [...functions.values()];
	}

	const percentages = ({ before, delta, low, high, differs }) => [100 * before, 100 * delta, 100 * low, 100 * high, differs];

	/* Adds to a tree that FlameSamples.build() made of `choice` and `other` what FlameModel.compare() adds, otherSamples,
	 * and `changes`: [before, difference, low, high, differs] by function. `same` has by frame the first frame of its
	 * function. */
	function compare(set, tree, choice, other, same) {
		const others = sumsOfOther(tree), slices = [{ ...choice, ...other }, choice].map((span) => slicesOf(set, tree, span));
		const wholes = [[others.before[0], others.samples[0]], [tree.weight[0], tree.samples[0]]].map(([total, count], i) =>
			({ total, count, whole: slices[i].whole }));
		const share = (part, whole) => (whole ? 100 * part / whole : 0), nodes = [];
		tree.before = others.before;
		tree.otherSamples = others.samples[0];
		tree.points = tree.before.map((weight, i) => share(tree.weight[i], tree.total) - share(weight, tree.before[0]));
		for (let i = 1; i < tree.count; i++)
			nodes.push({
				number: i, weights: [others.before[i], tree.weight[i]], samples: others.samples[i] + tree.samples[i],
				parts: slices.map(({ part }) => part.subarray(i * SLICES, (i + 1) * SLICES)),
			});
		const differing = [...changesOf(nodes, wholes)].filter(([, { differs }]) => differs);
		tree.low = new Map(differing.map(([node, { low }]) => [node, 100 * low]));
		tree.high = new Map(differing.map(([node, { high }]) => [node, 100 * high]));
		tree.changes = new Map([...changesOf(functionsOf(tree, others, slices, same), wholes)].map(([number, one]) => [number, percentages(one)]));
		return tree;
	}

	return { compare, change, normalLimit, studentLimit };
})();
if (typeof module !== 'undefined')
	module.exports = FlameSpans;
