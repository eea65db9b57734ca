/// <reference lib="deno.worker" />
// Examines the descriptions that it is sent, one after the other.
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import type { Report } from "../../mod.ts";
import schema from "../../src/report/report.schema.json" with { type: "json" };
import { examineDescription } from "./examine_description.ts";
import type { Raw } from "./raw_description.ts";

/** Descriptions in graph-beta's class are left with the numbers that need no list. */
const KEYWORDS = 20_000;
const ODD_REQUESTS = 30;

const fits = new Ajv2020({ strictTypes: false }).compile<unknown>(schema);

function validate(report: Report): string | undefined {
  if (fits(report)) return undefined;
  const [error] = fits.errors ?? [];
  return `${error?.instancePath} ${error?.message}`;
}

self.onmessage = ({ data: { folder, name } }: MessageEvent<{ folder: string; name: string }>) => {
  try {
    const raw = JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as Raw;
    const options = { keywords: KEYWORDS, oddRequests: ODD_REQUESTS, validate };
    self.postMessage({ name, examination: examineDescription(name, raw, options) });
  } catch (error) {
    self.postMessage({ name, exception: error instanceof Error ? error.stack : String(error) });
  }
};
