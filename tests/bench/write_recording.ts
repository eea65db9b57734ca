import { closeSync, openSync, writeSync } from "node:fs";
import { type GeneratedInteraction, generateTraffic } from "./generate_traffic.ts";

interface Layout {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  entry(interaction: GeneratedInteraction): unknown;
}

/** Layouts of recordings: traffic files, one interaction per line, HTTP Archives. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  traffic: { begin: '{"interactions": [', between: ",\n", end: "]}", entry: (entry) => entry },
  lines: { begin: "", between: "\n", end: "\n", entry: (entry) => entry },
  har: { begin: '{"log": {"entries": [', between: ",\n", end: "]}}", entry: harEntry },
};

const MEGABYTE = 1e6;
/** Number of different interactions; a file repeats them, because generating takes longer than reading. */
const DIFFERENT = 20_000;

function harEntry({ request, response, timestamp }: GeneratedInteraction): unknown {
  const headers = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: new Date(timestamp * 1000).toISOString(),
    time: response.elapsed * 1000,
    request: {
      method: request.method,
      url: request.url,
      headers,
      ...(request.body !== undefined && {
        postData: { mimeType: request.headers["Content-Type"], text: request.body },
      }),
    },
    response: { status: response.status_code, headers: [], content: { text: "x".repeat(1000) } },
  };
}

/** Writes a recording of this many megabytes. */
export function writeRecording(
  path: string,
  description: string,
  { begin, between, end, entry }: Layout,
  megabytes: number,
): void {
  const entries = generateTraffic(description, DIFFERENT).map((one) => JSON.stringify(entry(one)));
  const file = openSync(path, "w");
  let block = begin;
  let written = 0;
  for (let index = 0; written < megabytes * MEGABYTE; index++) {
    block += `${index === 0 ? "" : between}${entries[index % DIFFERENT]}`;
    if (block.length < MEGABYTE) continue;
    written += writeAll(file, block);
    block = "";
  }
  writeAll(file, block + end);
  closeSync(file);
}

function writeAll(file: number, text: string): number {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  return bytes.length;
}
