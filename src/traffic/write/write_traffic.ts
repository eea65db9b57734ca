import type { Interaction } from "../../http/interaction.ts";
import { trafficLine } from "./traffic_line.ts";

/** The layout of a traffic file: one JSON document, or JSON Lines, which can be appended to. */
export type TrafficLayout = "json" | "jsonl";

/**
 * Writes interactions as a traffic file, in the pieces in which they come: memory does not grow with their number.
 * Reading it gives the same interactions again. One is on each line, in both layouts.
 *
 * @param batches As `RecordingReader.batches()` gives them, or in an array.
 * @returns pieces of the file's text.
 *
 * @example
 * ```ts
 * import { writeTraffic } from "./write_traffic.ts";
 * import assert from "node:assert/strict";
 *
 * const request = { method: "POST", url: "/books", body: new Uint8Array([255]) };
 * let text = "";
 * for await (const piece of writeTraffic([[{ request, response: { status_code: 201 } }]], "jsonl")) text += piece;
 * assert.equal(
 *   text,
 *   '{"request":{"method":"POST","url":"/books","body_base64":"/w=="},"response":{"status_code":201}}\n',
 * );
 * ```
 */
export async function* writeTraffic(
  batches: AsyncIterable<readonly Interaction[]> | Iterable<readonly Interaction[]>,
  layout: TrafficLayout,
): AsyncGenerator<string, void> {
  const isDocument = layout === "json";
  let separator = isDocument ? '{"interactions":[\n' : "";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map(trafficLine).join(isDocument ? ",\n" : "\n");
    separator = isDocument ? ",\n" : "\n";
  }
  const isEmpty = separator !== ",\n" && separator !== "\n";
  if (isDocument) yield isEmpty ? '{"interactions":[]}\n' : "\n]}\n";
  else if (!isEmpty) yield "\n";
}
