/* The table of functions: what the canvas shows, in numbers and for screen readers. */
'use strict';
const FlameTable = (function () {
	const SOME_ROWS = 200, NAME_ROOM = 110; /* rows; characters */

	/* Rows are numbers of functions. `columns` has self, total, samples by function; `share` makes text of a weight. */
	function order(columns, names, column, up) {
		const values = columns[column], step = up ? 1 : -1;
		if (!values)
			return (a, b) => (names[a] < names[b] ? step : names[a] > names[b] ? -step : a - b);
		return (a, b) => step * (values[a] - values[b]) || columns.total[b] - columns.total[a] || a - b;
	}

	function addShare(row, part, whole) {
		const cell = row.insertCell();
		cell.textContent = FlameModel.percent(part, whole);
		cell.style.setProperty('--share', cell.textContent);
	}

	/* Before, difference and its interval; empty where that is not known. */
	function addChange(row, change) {
		for (const word of ['before', 'delta', 'interval']) {
			const cell = row.insertCell();
			cell.className = 'change';
			cell.textContent = change ? change[word] : '';
			cell.classList.toggle('chance', Boolean(change && !change.differs));
		}
	}

	function addRow(body, view, number) {
		const { columns, names, files } = view, row = body.insertRow(), button = document.createElement('button');
		row.classList.toggle('found', view.isFound(number));
		addShare(row, columns.self[number], columns.weight);
		addShare(row, columns.total[number], columns.weight);
		row.insertCell().textContent = columns.samples[number].toLocaleString('en-US');
		if (view.changes)
			addChange(row, view.changes.get(number));
		button.type = 'button';
		button.textContent = FlameNames.shorten(names[number], NAME_ROOM);
		button.dataset.function = number;
		button.title = names[number];
		row.insertCell().appendChild(button);
		row.insertCell().textContent = files[number];
	}

	/* Fills `body`; returns the number of rows that are not shown. */
	function fill(body, view, all) {
		const rows = [...view.rows].sort(order(view.columns, view.names, view.sort, view.up));
		const shown = all ? rows : rows.slice(0, SOME_ROWS);
		body.textContent = '';
		shown.forEach((number) => addRow(body, view, number));
		return rows.length - shown.length;
	}

	return { fill };
})();
