import assert from "node:assert/strict";
import { NO_BODY } from "../../src/plugins/body_buffer.ts";
import { PluginSet } from "../../src/plugins/plugin_set.ts";
import type { Interaction } from "../../src/http/interaction.ts";

/** A stopped clock, which tests may install in place of the real one. */
class StoppedDate extends Date {
  static override now(): number {
    return -1;
  }
}

Deno.test("a clock that tests have stopped affects neither times nor durations", async () => {
  const recorded: Pick<Interaction, "response" | "timestamp">[] = [];
  const plugins = new PluginSet((_request, response, timestamp) =>
    recorded.push({ response, timestamp })
  );
  const send = plugins.handler.trackClient((_request: Request) => new Response());
  const { Date: realDate, performance: realPerformance } = globalThis;
  const realNow = Object.getOwnPropertyDescriptor(performance, "now");
  const began = Date.now() / 1000;
  let time = 5_000_000;
  globalThis.Date = StoppedDate as DateConstructor;
  performance.now = () => time -= 1000; // as if a test set it back between request and response
  try {
    send(new Request("http://localhost/books"));
    globalThis.performance = { now: () => time -= 1000 } as Performance;
    send(new Request("http://localhost/books"));
  } finally {
    globalThis.Date = realDate;
    globalThis.performance = realPerformance;
    if (realNow === undefined) Reflect.deleteProperty(performance, "now");
    else Object.defineProperty(performance, "now", realNow);
  }
  await plugins.settled();
  assert.equal(recorded.length, 2);
  for (const { response, timestamp = 0 } of recorded) {
    assert.ok(timestamp >= began && timestamp <= Date.now() / 1000, `${timestamp}`);
    const { elapsed = -1 } = response ?? {};
    assert.ok(elapsed >= 0 && elapsed < 600, `${elapsed}`);
  }
});

Deno.test("without `performance`, durations come from the other clock", async () => {
  const { performance: realPerformance } = globalThis;
  Reflect.deleteProperty(globalThis, "performance");
  const module = "../../src/plugins/plugin_sink.ts?without-performance";
  const { PluginSink } = await import(module).finally(() =>
    globalThis.performance = realPerformance
  ) as typeof import("../../src/plugins/plugin_sink.ts");
  const durations: (number | undefined)[] = [];
  const sink = new PluginSink((_request, response) => durations.push(response?.elapsed));
  sink.begin("fetch").finish({ method: "GET", url: "/books", headers: [], body: NO_BODY }, 200);
  await sink.settled();
  assert.equal(durations.length, 1);
  assert.ok((durations[0] ?? -1) >= 0, String(durations));
});
