/// <reference lib="deno.worker" />
// Examines descriptions in the order in which they are sent.
import { readFileSync } from "node:fs";
import { examineDescription } from "./examine_description.ts";
import type { Raw } from "./raw_description.ts";

/** Descriptions as large as graph-beta are only checked by numbers that need no list. */
const KEYWORDS = 20_000;
const ODD_REQUESTS = 30;

self.onmessage = ({ data: { folder, name } }: MessageEvent<{ folder: string; name: string }>) => {
  try {
    const raw = JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as Raw;
    const options = { keywords: KEYWORDS, oddRequests: ODD_REQUESTS };
    self.postMessage({ name, examination: examineDescription(name, raw, options) });
  } catch (error) {
    self.postMessage({ name, exception: error instanceof Error ? error.stack : String(error) });
  }
};
