import assert from "node:assert/strict";
import { Progress, type ProgressHost, progressLine } from "../../src/run/recordings_reader.ts";
import { type FakeHost, fakeHost } from "../cli/fake_host.ts";

const CLEAR = "\r\u001b[K";

function timed(host: FakeHost): { host: ProgressHost; wait: (milliseconds: number) => void } {
  let now = 0;
  return { host: { ...host, now: () => now }, wait: (milliseconds) => now += milliseconds };
}

Deno.test("progress is shown after a second, is updated at intervals, and is cleared at the end", async () => {
  const fake = fakeHost({ columns: 40 });
  const { host, wait } = timed(fake);
  const progress = new Progress(host, 4e6);
  wait(999);
  await progress.advance(1e6);
  assert.equal(fake.err(), "");
  wait(1);
  await progress.advance(1e6);
  const half = `${CLEAR}Reading ██████████░░░░░░░░░░  2 of 4 MB`;
  assert.equal(fake.err(), half);
  wait(149);
  await progress.advance(1e6);
  assert.equal(fake.err(), half);
  await progress.end();
  assert.equal(fake.err(), half + CLEAR);
});

Deno.test("progress that was never shown prints nothing", async () => {
  const fake = fakeHost({ columns: 40 });
  const progress = new Progress(fake, 4e6);
  await progress.advance(4e6);
  await progress.end();
  assert.equal(fake.err(), "");
});

Deno.test("progress is hidden if standard error is not a terminal, or a dumb one", async () => {
  for (const fake of [fakeHost(), fakeHost({ columns: 40, variables: { TERM: "dumb" } })]) {
    const { host, wait } = timed(fake);
    const progress = new Progress(host, 4e6);
    wait(5_000);
    await progress.advance(1e6);
    await progress.end();
    assert.equal(fake.err(), "");
  }
});

Deno.test("the progress line fits every width, and never exceeds the total", () => {
  for (const width of [5, 20, 30, 79, 200]) {
    const line = progressLine(123_456_789, 1_234_567_890, width);
    assert.ok(line.length <= width, line);
  }
  assert.equal(progressLine(5e6, 4e6, 20), "Reading 4 of 4 MB");
  assert.equal(progressLine(0, 0, 40), `Reading ${"█".repeat(21)}  0 of 0 MB`);
  assert.equal(progressLine(1_234_567_890, undefined, 40), "Reading 1,234 MB");
});
