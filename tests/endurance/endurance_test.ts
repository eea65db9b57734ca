// A short version of `deno task endure`, which runs for minutes.
import { runOrThrow } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { growth, type Sample } from "./long_lived_map.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

Deno.test("a map's memory stays constant however varied the traffic is, and all of it counts", async () => {
  const program = `const { liveLong } = await import("${ROOT}tests/endurance/long_lived_map.ts");
    const { problems, samples } = await liveLong(100_000, { keepRequests: true });
    console.log(JSON.stringify([problems, samples.length]));`;
  const args = ["eval", "--no-check", "--v8-flags=--expose-gc", program];
  const out = await runOrThrow(Deno.execPath(), args, { cwd: ROOT, env: { NO_COLOR: "1" } });
  assert.deepEqual(JSON.parse(out), [[], 20]);
});

Deno.test("memory that grows after the warm-up is reported", () => {
  const samples = (bytes: (index: number) => number): Sample[] =>
    Array.from({ length: 200 }, (_, index) => ({
      interactions: index,
      heap: bytes(index),
      rss: 300e6,
      hits: undefined,
    }));
  assert.deepEqual(growth(samples((index) => 20e6 + Math.min(index, 40) * 1e6)), []);
  assert.deepEqual(growth(samples((index) => 20e6 + index * 2e5)), [
    "The heap grew from 32.0 MB to 59.8 MB.",
  ]);
});
