/**
 * What recording costs a suite of tests: runs its command in turns with and without `COVTOOL_TRAFFIC`, and prints the
 * medians of both, and of their ratios. Cached results count for nothing, so `go test` needs `-count=1`.
 *
 *     deno run -A --config deno.dev.json tests/bench/measure_recorder.ts 5 -- python3 -m pytest -q
 *
 * @module
 */
import { print } from "../../scripts/print.ts";
import { median } from "./measured.ts";

/** Elapsed and processor time of a run, in seconds. */
interface Cost {
  readonly elapsed: number;
  readonly processor: number;
}

const [rounds = "5", , command = "true", ...args] = Deno.args;

async function measure(traffic: string): Promise<Cost> {
  // What the shell's `times` says in its second line, of the processes that it has waited for.
  const script = '"$@" >/dev/null 2>&1 || exit 1; times';
  const started = performance.now();
  const { code, stdout } = await new Deno.Command("bash", {
    args: ["-c", script, "bash", command, ...args],
    env: { COVTOOL_TRAFFIC: traffic },
  }).output();
  if (code !== 0) throw new Error(`${command} fails.`);
  const elapsed = (performance.now() - started) / 1000;
  const [, ofChildren = ""] = new TextDecoder().decode(stdout).split("\n");
  const times = ofChildren.matchAll(/(\d+)m([\d.]+)s/g);
  const processor = [...times].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
  return { elapsed, processor };
}

const folder = await Deno.makeTempDir({ prefix: "covtool" });
const plain: Cost[] = [];
const recorded: Cost[] = [];
try {
  await measure("");
  for (let round = 0; round < Number(rounds); round++) {
    plain.push(await measure(""));
    recorded.push(await measure(`${folder}/${round}`));
  }
  let lines = 0;
  for (const { name } of Deno.readDirSync(`${folder}/0`)) {
    if (!name.endsWith(".ndjson")) continue;
    lines += (await Deno.readTextFile(`${folder}/0/${name}`)).split("\n").length - 2;
  }
  print(`${lines} requests, ${rounds} rounds`);
  for (const kind of ["elapsed", "processor"] as const) {
    const of = (costs: readonly Cost[]): number[] => costs.map((cost) => cost[kind]);
    const ratios = of(recorded).map((value, round) => value / (plain[round]?.[kind] ?? NaN));
    const [before, after] = [median(of(plain)), median(of(recorded))].map((value) =>
      value.toFixed(2)
    );
    print(`${kind}: ${before} s, recorded ${after} s, ratio ${median(ratios).toFixed(3)}`);
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
