// Reads exported profiles with the readers that viewers ship.
//
// usage: export_viewers.js READER FILE
//
// Prints "FUNCTION<tab>SELF<tab>TOTAL" for each function, as export_readers.py does. A viewer may have several functions of one
// name; then that name has a line for each. READER is
//   pprof       pprof-format's decoder
//   speedscope  the importer in speedscope's web page, which recognizes formats by what is in the file
//   firefox     the command-line program of the Firefox Profiler
//   schema      prints what the schema of speedscope's format has to complain of instead
const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const zlib = require("zlib");

const lines = (functions) => functions.map((row) => row.join("\t")).join("\n");

function readPprof(file) {
	const { Profile } = require("pprof-format");
	const profile = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
	const text = (number) => profile.stringTable.strings[Number(number)];
	const functions = new Map(profile.function.map((f) => [Number(f.id), text(f.name)]));
	const places = new Map(profile.location.map((l) => [
		Number(l.id),
		l.line.length ? l.line.map((line) => functions.get(Number(line.functionId))) : ["[unknown]"],
	]));
	const self = new Map(), total = new Map();
	for (const sample of profile.sample) {
		const names = sample.locationId.flatMap((id) => places.get(Number(id)));
		const weight = BigInt(sample.value[1]);
		for (const name of new Set(names))
			total.set(name, (total.get(name) ?? 0n) + weight);
		if (names.length)
			self.set(names[0], (self.get(names[0]) ?? 0n) + weight);
	}
	return lines([...total].map(([name, weight]) => [name, self.get(name) ?? 0n, weight]));
}

// --- speedscope --------------------------------------------------------------------------------------------

const speedscope = () => path.join(path.dirname(require.resolve("speedscope/package.json")), "dist/release");

// The page is one script, whose parts define their exports as properties of the names that they have in its sources. It only
// runs until it wants to draw, for which it finds no document here; by then it has asked for its importer.
async function loadImporter() {
	const exported = "importProfilesFromArrayBuffer";
	const script = fs.readdirSync(speedscope()).find((name) => /^speedscope-.*\.js$/.test(name));
	const silent = Object.fromEntries(["log", "warn", "error", "assert"].map((name) => [name, () => {}]));
	const page = vm.createContext({ console: silent, location: { hash: "", protocol: "file:" }, TextDecoder, TextEncoder });
	let importer = null, end = null;

	page.window = page.self = page;
	page.onDefined = (name, property) => {
		if (name === exported)
			importer = property.get;
	};
	vm.runInContext(`{
		const define = Object.defineProperty;
		Object.defineProperty = (object, name, property) => {
			onDefined(name, property);
			return define(object, name, property);
		};
	}`, page);
	try {
		vm.runInContext(fs.readFileSync(path.join(speedscope(), script), "utf8"), page);
	} catch (error) {
		end = error.message;
	}
	await new Promise(setImmediate);
	if (!importer || end !== "document is not defined")
		throw new Error(`speedscope's script is not understood: ${exported} is ${importer}, the end was: ${end}`);
	return importer();
}

function functionsOf(profiles) {
	const functions = [];
	for (const profile of profiles)
		profile.forEachFrame((frame) => functions.push([frame.name, frame.getSelfWeight(), frame.getTotalWeight()]));
	return functions;
}

async function readSpeedscope(file) {
	const importProfile = await loadImporter();
	const bytes = fs.readFileSync(file);
	const group = await importProfile(path.basename(file), bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));

	if (!group)
		throw new Error("speedscope does not know the format");
	// The sum of all threads, which only its own format has, comes before them.
	const all = group.profiles.findIndex((profile) => profile.getName() === "all samples");
	return lines(functionsOf(all < 0 ? group.profiles : [group.profiles[all]]));
}

function checkSchema(file) {
	const Ajv = require("ajv");
	const schema = JSON.parse(fs.readFileSync(path.join(speedscope(), "file-format-schema.json")));
	const validate = new Ajv().compile(schema);
	return validate(JSON.parse(fs.readFileSync(file))) ? "valid" : JSON.stringify(validate.errors.slice(0, 3));
}

// --- the Firefox Profiler ----------------------------------------------------------------------------------

// Loading starts a process in the background, which must answer within half a second; so a failed attempt is repeated. It keeps
// its sessions in the home directory.
function readFirefox(file) {
	const home = fs.mkdtempSync(`${file}.home-`);
	const run = (...words) => spawnSync(process.execPath, [require.resolve("@firefox-devtools/profiler-cli"), ...words],
		{ encoding: "utf8", env: { ...process.env, HOME: home }, maxBuffer: Infinity });
	const ask = (...words) => {
		const answer = run(...words, "--json");
		if (answer.status !== 0)
			throw new Error(answer.stderr || answer.stdout);
		return JSON.parse(answer.stdout);
	};
	try {
		for (let tries = 60; run("load", file).status !== 0; tries--) {
			if (run("status").status === 0)
				break;
			if (!tries)
				throw new Error("the program of the Firefox Profiler does not load the profile");
		}
		const threads = ask("thread", "list", "--limit", "0").threads.map((thread) => thread.threadHandle);
		return lines(threads.flatMap((thread) => {
			const answer = ask("thread", "functions", "--include-idle", "--limit", "0", "--thread", thread);
			const scale = answer.weightType === "tracing-ms" ? 1e6 : 1;
			return answer.functions.map((f) => [f.name, f.selfSamples * scale, f.totalSamples * scale]);
		}));
	} finally {
		run("stop", "--all");
		fs.rmSync(home, { recursive: true });
	}
}

const readers = { pprof: readPprof, speedscope: readSpeedscope, firefox: readFirefox, schema: checkSchema };
const [reader, file] = process.argv.slice(2);
Promise.resolve(file).then(readers[reader]).then(console.log).catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
