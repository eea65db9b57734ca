/// <reference lib="deno.worker" />
// Examines the descriptions that it is sent, one after the other.
import { readFileSync } from "node:fs";
import { examineDescription } from "./examine_description.ts";
import type { Raw } from "./raw_description.ts";

/** Descriptions in graph-beta's class are left with the numbers that need no list. */
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
