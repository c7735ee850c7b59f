/* The table of functions: what a screen reader reads, and what the canvas says in numbers. */
'use strict';
const FlameTable = (function () {
	const SOME_ROWS = 200;

	/* Rows are numbers of functions. `columns` has self, total, samples by function; `share` makes text of a weight. */
	function order(columns, names, column, up) {
		const values = columns[column], step = up ? 1 : -1;
		if (!values)
			return (a, b) => (names[a] < names[b] ? step : names[a] > names[b] ? -step : a - b);
		return (a, b) => step * (values[a] - values[b]) || a - b;
	}

	function addShare(row, share) {
		const cell = row.insertCell();
		cell.textContent = share.toFixed(2) + '%';
		cell.style.setProperty('--share', Math.min(share, 100).toFixed(2) + '%');
	}

	function addRow(body, view, number) {
		const { columns, names, files } = view, row = body.insertRow(), button = document.createElement('button');
		const share = (part) => (columns.weight ? 100 * part / columns.weight : 0);
		row.classList.toggle('found', view.isFound(number));
		addShare(row, share(columns.self[number]));
		addShare(row, share(columns.total[number]));
		row.insertCell().textContent = columns.samples[number].toLocaleString('en-US');
		button.type = 'button';
		button.textContent = names[number];
		button.dataset.function = number;
		button.title = 'Callers and callees of ' + names[number];
		row.insertCell().appendChild(button);
		row.insertCell().textContent = files[number];
	}

	/* Fills `body`; returns how many rows there are besides those that are shown. */
	function fill(body, view, all) {
		const rows = [...view.rows].sort(order(view.columns, view.names, view.sort, view.up));
		const shown = all ? rows : rows.slice(0, SOME_ROWS);
		body.textContent = '';
		shown.forEach((number) => addRow(body, view, number));
		return rows.length - shown.length;
	}

	return { fill };
})();
