/**
 * Measures what counting classes of values adds to recording and to the JSON report: processor time of pairs, each in a
 * process of its own, in turns.
 *
 *     deno run -A --config deno.dev.json tests/bench/measure_values.ts 5 Stripe Zoom
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { print } from "../../scripts/print.ts";
import { CoverageMap } from "../../mod.ts";
import { descriptionPath } from "./descriptions.ts";
import { madeTraffic } from "./made_traffic.ts";
import { recordAll } from "./measure_recording.ts";
import { type Measured, median, timed } from "./measured.ts";

const INTERACTIONS = 10_000;
const RUNS = 9;

async function measure(name: string, values: boolean): Promise<Measured> {
  const path = descriptionPath(name);
  const interactions = madeTraffic(path, 0, INTERACTIONS);
  const map = await CoverageMap.fromPath(path, { basePath: "/", values });
  let spent = Infinity;
  for (let run = 0; run < RUNS; run++) {
    spent = Math.min(spent, timed(() => recordAll(map, interactions, run * INTERACTIONS)));
  }
  return { spent, bytes: JSON.stringify(map.report()).length };
}

const [first = "5", ...names] = Deno.args;
if (first === "plain" || first === "values") {
  print(JSON.stringify(await measure(names[0] ?? "Stripe", first === "values")));
} else {
  const self = fileURLToPath(import.meta.url);
  const config = fileURLToPath(new URL("../../deno.dev.json", import.meta.url));
  for (const name of names.length > 0 ? names : ["GitHub", "Stripe", "Kubernetes", "Zoom"]) {
    const spent: number[] = [];
    let grown = NaN;
    for (let round = 0; round < Number(first); round++) {
      const [plain, counted] = ["plain", "values"].map((kind): Measured =>
        JSON.parse(execFileSync(
          Deno.execPath(),
          ["run", "-A", "--quiet", "--config", config, self, kind, name],
          { encoding: "utf8" },
        ))
      );
      spent.push((counted?.["spent"] ?? NaN) / (plain?.["spent"] ?? NaN));
      grown = (counted?.["bytes"] ?? NaN) / (plain?.["bytes"] ?? NaN);
    }
    const list = spent.map((one) => one.toFixed(3)).join(" ");
    print(
      `${name}: recording × ${median(spent).toFixed(3)} (${list}), report × ${grown.toFixed(3)}`,
    );
  }
}
