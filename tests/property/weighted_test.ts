// Tests that a line with a count equals that many lines, in every report, byte for byte, whatever its source shows.
import assert from "node:assert/strict";
import process from "node:process";
import fc from "fast-check";
import { CoverageMap, type Interaction, type Visibility } from "../../mod.ts";
import { recordBatch } from "../../src/record/record_batches.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { readRecording } from "../../src/traffic/read/read_recording.ts";
import { writeTraffic } from "../../src/traffic/write/traffic_line.ts";
import { withContent } from "./response_arbitrary.ts";
import { RICH_DESCRIPTION, withResponses } from "./rich_description.ts";
import { trafficTo } from "./traffic_arbitrary.ts";

process.env["SOURCE_DATE_EPOCH"] = "1700000000";

const DESCRIPTION = withResponses(RICH_DESCRIPTION);

/** An interaction repeated several times, and the same as one with a count. */
interface Weighted {
  readonly one: Interaction;
  readonly all: readonly Interaction[];
}

const headers = fc.constantFrom<Visibility["request_headers"]>(
  "all",
  "none",
  "public",
  ["x-trace"],
  ["cookie", "referer"],
  { all_but: ["x-*", "cookie"], and: ["x-trace"] },
);
const visibility: fc.Arbitrary<Visibility | undefined> = fc.option(
  fc.record({
    path_parameters: fc.boolean(),
    query: fc.boolean(),
    request_headers: headers,
    request_body: fc.boolean(),
    response_headers: headers,
    response_body: fc.boolean(),
    status: fc.boolean(),
    time: fc.boolean(),
  }),
  { nil: undefined },
);

/** Times and durations of interactions that are otherwise equal. */
const moments = fc.array(
  fc.record({ later: fc.nat(1000), microseconds: fc.nat(5_000_000) }),
  { minLength: 1, maxLength: 5 },
);

const traffic: fc.Arbitrary<readonly Weighted[]> = withContent(
  trafficTo(DESCRIPTION),
  DESCRIPTION,
).chain((list) =>
  fc.tuple(
    ...list.map((interaction) =>
      fc.tuple(visibility, moments, fc.constantFrom("single", "alike", "spread"))
        .map(([visibility, times, kind]) => weigh({ ...interaction, visibility }, times, kind))
    ),
  )
);

function weigh(
  interaction: Interaction,
  moments: readonly { readonly later: number; readonly microseconds: number }[],
  kind: "single" | "alike" | "spread",
): Weighted {
  if (kind === "single") return { one: interaction, all: [interaction] };
  const count = moments.length;
  const { timestamp, response, ...rest } = interaction;
  if (kind === "alike") {
    return { one: { ...interaction, count }, all: moments.map(() => interaction) };
  }
  const times = moments.map(({ later }) => Math.floor(timestamp ?? 0) + later);
  const durations = moments.map(({ microseconds }) => microseconds);
  const { elapsed: _, ...answer } = response ?? {};
  const sum = durations.reduce((one, other) => one + other);
  return {
    one: {
      ...rest,
      count,
      first_at: Math.min(...times),
      last_at: Math.max(...times),
      ...(response && {
        response: { ...answer, elapsed_sum: sum / 1e6, elapsed_max: Math.max(...durations) / 1e6 },
      }),
    },
    all: moments.map(({ microseconds }, index) => ({
      ...rest,
      timestamp: times[index],
      ...(response && { response: { ...answer, elapsed: microseconds / 1e6 } }),
    })),
  };
}

Deno.test("weighted interactions give the same reports and hits as the repeated ones", async () => {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  await Deno.writeTextFile(path, JSON.stringify(DESCRIPTION));
  try {
    await fc.assert(
      fc.asyncProperty(traffic, fc.constantFrom(...REPORT_FORMATS), async (weighted, any) => {
        const [short, long] = [await CoverageMap.fromPath(path), await CoverageMap.fromPath(path)];
        recordBatch(short, weighted.map(({ one }) => one));
        recordBatch(long, weighted.flatMap(({ all }) => all));
        for (const format of new Set(["hits", "json", any] as const)) {
          const [one = "", other] = [short, long].map((map) => map.generateReport({ format }));
          assert.ok(one === other, `${format}:\n${one}\n${other}`.slice(0, 4_000));
        }
      }),
      { numRuns: 40 },
    );
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("weighted interactions can be written to a traffic file and read again", () =>
  fc.assert(
    fc.asyncProperty(traffic, async (weighted) => {
      const interactions = weighted.map(({ one }) => one);
      const map = CoverageMap.fromDict(DESCRIPTION);
      recordBatch(map, interactions);
      const again = CoverageMap.fromDict(DESCRIPTION);
      let text = "";
      for await (const piece of writeTraffic([interactions], "jsonl")) text += piece;
      if (text === "") return;
      for await (const batch of readRecording(text, "traffic.jsonl").batches()) {
        recordBatch(again, batch);
      }
      assert.deepEqual(again.exportHits(), map.exportHits());
    }),
    { numRuns: 30 },
  ));
