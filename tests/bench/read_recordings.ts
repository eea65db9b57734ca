/**
 * Measures reading large recordings: bytes per second beside what `JSON.parse` reaches on the same text, and how much
 * memory it takes at most. Every figure is taken in a process of its own.
 *
 *     deno run -A tests/bench/read_recordings.ts              200 MB of each kind
 *     deno run -A tests/bench/read_recordings.ts 2000 har     2,000 MB of one kind, without `JSON.parse`
 *
 * Files lie in the temporary folder (TMPDIR) and are removed afterwards.
 *
 * @module
 */
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "../../scripts/print.ts";
import { readRecording } from "../../src/traffic/read/read_recording.ts";
import { chance } from "../corpus/random.ts";
import { runCommand } from "./run_command.ts";

/** A kind of recording to generate: what begins the file, what is between entries, what ends it, and an entry. */
interface Kind {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  entry(index: number, random: () => number): unknown;
}

const MEGABYTE = 1e6;
const CHUNK_BYTES = 1 << 18;
/** The longest string that V8 makes has about 537 million units. */
const LARGEST_TEXT = 500;
/** The size whose memory larger ones are compared with, in MB. */
const SMALL = 20;

const WORDS = 'lorem ipsum dolor sit amet consectetur zażółć gęślą 雪国 "quoted"'.split(" ");

function words(count: number, random: () => number): string {
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
}

function body(random: () => number): string {
  const tags = Array.from({ length: 8 }, () => words(1, random));
  return JSON.stringify({
    title: words(6, random),
    price: random() * 100,
    tags,
    notes: words(40, random),
  });
}

function trafficEntry(index: number, random: () => number): unknown {
  return {
    request: {
      method: "POST",
      url: `http://localhost:8080/api/v1/books/${index}?sort=price&page=${index % 9}`,
      headers: { "Content-Type": "application/json", Accept: "*/*" },
      body: body(random),
    },
    response: { status_code: 201, elapsed: random() },
    timestamp: 1_700_000_000 + index / 10,
  };
}

function harEntry(index: number, random: () => number): unknown {
  const text = body(random);
  const size = new TextEncoder().encode(text).length;
  const headers = ["Accept", "Accept-Encoding", "Cache-Control", "Cookie", "Origin", "User-Agent"]
    .map((name) => ({ name, value: words(4, random) }));
  return {
    startedDateTime: new Date(1_700_000_000_000 + index * 100).toISOString(),
    time: random() * 50,
    request: {
      method: "POST",
      url: `http://localhost:8080/api/v1/books/${index}?sort=price`,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [
        ...headers,
        { name: "Content-Type", value: "application/json" },
        { name: "Content-Length", value: String(size) },
      ],
      queryString: [{ name: "sort", value: "price" }],
      postData: { mimeType: "application/json", text, params: [] },
      headersSize: -1,
      bodySize: size,
    },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers,
      content: { size: 3000, mimeType: "application/json", text: words(400, random) },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 1, wait: 2, receive: 3 },
  };
}

const KINDS: Readonly<Record<string, Kind>> = {
  traffic: { begin: '{"interactions": [', between: ",\n", end: "]}", entry: trafficEntry },
  lines: { begin: "", between: "\n", end: "\n", entry: trafficEntry },
  har: {
    begin: '{"log": {"version": "1.2", "creator": {"name": "bench", "version": "1"}, "entries": [',
    between: ",\n",
    end: '], "pages": []}}',
    entry: harEntry,
  },
};

/** How many different entries are generated; a file repeats them, since making them takes longer than reading. */
const DIFFERENT = 2_000;

async function generate(path: string, kind: Kind, megabytes: number): Promise<void> {
  const random = chance(1);
  const entries = Array.from(
    { length: DIFFERENT },
    (_, index) => JSON.stringify(kind.entry(index, random)),
  );
  const file = createWriteStream(path);
  let block = kind.begin;
  let written = 0;
  for (let index = 0; written < megabytes * MEGABYTE; index++) {
    block += `${index === 0 ? "" : kind.between}${entries[index % DIFFERENT]}`;
    if (block.length < MEGABYTE) continue;
    const bytes = new TextEncoder().encode(block);
    written += bytes.length;
    block = "";
    if (!file.write(bytes)) await once(file, "drain");
  }
  file.end(block + kind.end);
  await once(file, "close");
}

/** Reads a file in this process and prints what it took. */
async function measure(mode: string, path: string): Promise<void> {
  let seconds: number;
  let interactions = 0;
  if (mode === "parse") {
    const text = readFileSync(path, "utf8");
    const document = path.endsWith("lines") ? `[${text.trimEnd().replaceAll("\n", ",")}]` : text;
    const start = performance.now();
    JSON.parse(document);
    seconds = (performance.now() - start) / 1000;
  } else {
    const start = performance.now();
    const recording = readRecording(createReadStream(path, { highWaterMark: CHUNK_BYTES }), path);
    for await (const batch of recording.batches()) interactions += batch.length;
    seconds = (performance.now() - start) / 1000;
    if (recording.warnings.length > 0) throw new Error(recording.warnings.join("\n"));
  }
  print(JSON.stringify({ rate: statSync(path).size / MEGABYTE / seconds, interactions }));
}

function measureApart(
  mode: string,
  path: string,
): Record<"rate" | "peak" | "interactions", number> {
  const script = fileURLToPath(import.meta.url);
  const args = ["run", "-A", "--quiet", script, mode, path];
  const { output, megabytes } = runCommand(Deno.execPath(), args);
  return { ...JSON.parse(output), peak: megabytes };
}

async function compare(name: string, megabytes: number): Promise<void> {
  const kind = KINDS[name];
  if (kind === undefined) throw new TypeError(`There is no kind ${name} of recording to measure.`);
  const folder = mkdtempSync(join(tmpdir(), "covtool-bench-"));
  try {
    const small = join(folder, `small-${name}`);
    await generate(small, kind, SMALL);
    const base = measureApart("read", small).peak;
    const path = join(folder, name);
    await generate(path, kind, megabytes);
    const read = measureApart("read", path);
    const parse = megabytes > LARGEST_TEXT ? undefined : measureApart("parse", path);
    print(
      [
        `${name}, ${megabytes} MB, ${read.interactions.toLocaleString("en-US")} interactions:`,
        `read ${read.rate.toFixed(0)} MB/s`,
        parse === undefined
          ? ""
          : `= ${(100 * read.rate / parse.rate).toFixed(0)} % of JSON.parse (${
            parse.rate.toFixed(0)
          } MB/s)`,
        `peak ${read.peak.toFixed(0)} MB, ${
          (read.peak - base).toFixed(0)
        } MB over that of ${SMALL} MB`,
      ].filter((part) => part !== "").join(" "),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const [first = "200", second] = Deno.args;
  if ((first === "read" || first === "parse") && second !== undefined) await measure(first, second);
  else {for (const name of second ? [second] : Object.keys(KINDS)) {
      await compare(name, Number(first));
    }}
}
