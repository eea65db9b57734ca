// The descriptions in tests/fixtures/worked with their traffic.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CoverageMap, type Interaction } from "../../mod.ts";
import { recordBatch } from "../../src/record/record_batches.ts";
import { TRAFFIC_FILE } from "../../src/traffic/formats/traffic_file/traffic.ts";
import { readAs } from "../traffic/read_all.ts";

/** The folder of the fixtures, ending with a slash. */
export const FOLDER = fileURLToPath(new URL("../fixtures/worked/", import.meta.url));
const DESCRIPTIONS = ["openapi.yaml", "openapi.json", "swagger.yaml", "swagger.json"];

/** The names of the fixtures: folders in {@linkcode FOLDER}. */
export function workedNames(): string[] {
  return readdirSync(FOLDER).filter((name) => /^\d/.test(name)).sort();
}

export function jsonIn(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** A map of the description in a folder. */
export async function loadMap(folder: string): Promise<CoverageMap> {
  const name = DESCRIPTIONS.find((name) => existsSync(`${folder}/${name}`));
  assert.ok(name, `${folder} has a description`);
  const options = existsSync(`${folder}/options.json`)
    ? jsonIn(`${folder}/options.json`) as { base_path?: string }
    : {};
  return await CoverageMap.fromPath(`${folder}/${name}`, { basePath: options.base_path });
}

/** A map of the description in a folder, with its traffic. */
export async function recordedIn(folder: string): Promise<CoverageMap> {
  const map = await loadMap(folder);
  recordBatch(map, readTraffic(folder));
  return map;
}

export function readTraffic(folder: string): readonly Interaction[] {
  const path = `${folder}/traffic.json`;
  return readAs(TRAFFIC_FILE, jsonIn(path), path).interactions;
}
