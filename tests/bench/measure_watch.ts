import { fileURLToPath } from "node:url";
import { COMMAND_GROUPS } from "../../src/cli/command_groups.ts";
import { report } from "../../src/cli/report.ts";
import { watchReport } from "../../src/cli/watch.ts";
import { resolveOptions } from "../../src/run/options/resolve_options.ts";
import { fakeHost } from "../cli/fake_host.ts";
import type { Measured } from "./measured.ts";

const SHOP = fileURLToPath(new URL("../../examples/bookshop", import.meta.url));
const CHANGES = 20;

/**
 * The milliseconds by the clock from a change of the bookshop's recording until `report --watch` has new numbers,
 * against those of the same measurement without waiting. Waiting is most of it, so the clock tells, not the processor.
 */
export async function measureWatch(): Promise<Measured> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/traffic.json`;
  await Deno.copyFile(`${SHOP}/traffic.json`, path);
  const given = {
    schema: `${SHOP}/openapi.yaml`,
    traffic: [path],
    output: `${folder}/coverage.html`,
  };
  const options = { ...resolveOptions(COMMAND_GROUPS.report, given), schema: given.schema };
  const floor = await median(async () => void await report(options, fakeHost()));

  let wake = (): void => {};
  let interrupt = (): void => {};
  let rounds = 0;
  const session = watchReport(given, fakeHost(), {
    until: new Promise<void>((resolve) => interrupt = resolve),
    onRound: () => {
      rounds++;
      wake();
    },
  });
  await new Promise<void>((resolve) => wake = resolve);
  const spent = await median(async () => {
    await Deno.copyFile(`${SHOP}/traffic.json`, `${path}.new`);
    const measured = new Promise<void>((resolve) => wake = resolve);
    await Deno.rename(`${path}.new`, path);
    await measured;
  });
  interrupt();
  await session;
  await Deno.remove(folder, { recursive: true });
  return { floor, spent, changes: CHANGES, rounds: rounds - 1 };
}

async function median(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < CHANGES; index++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[CHANGES >> 1] ?? NaN;
}
