// Records responses for a description, with valid and invalid bodies and headers.
import type { Recorder } from "../../src/record/recorder.ts";
import { randomFrom } from "./random.ts";
import { deref, isRaw, type Raw, type RawOperation } from "./raw_description.ts";
import { sampleValue } from "./sample_value.ts";
import { writeRequest } from "./write_request.ts";

/** Number of operations with responses; all of them would take too long. */
const ANSWERED = 20;

/** Records a response with each documented status of the first operations. Returns their number. */
export function sendResponses(
  name: string,
  raw: Raw,
  operations: readonly RawOperation[],
  recorder: Pick<Recorder, "record">,
): number {
  const random = randomFrom(`responses ${name}`);
  let sent = 0;
  for (const operation of operations.slice(0, ANSWERED)) {
    for (const [status, response] of documentedResponses(raw, operation)) {
      const body = firstContent(raw, response);
      if (body === undefined) continue;
      const headers: Record<string, string> = { "Content-Type": body.type };
      for (const header of Object.keys(fields(response["headers"]))) headers[header] = "1";
      const oddness = random.pick([0, 0, 8]);
      const value = sampleValue(raw, body.schema, { random, oddness });
      recorder.record(writeRequest(raw, operation, { random, oddness: 0, body: undefined }), {
        status_code: Number(status),
        headers,
        body: JSON.stringify(value) ?? "null",
      });
      sent++;
    }
  }
  return sent;
}

function* documentedResponses(
  raw: Raw,
  { path, method }: RawOperation,
): Generator<readonly [status: string, response: Raw]> {
  const item = deref(raw, fields(raw["paths"])[path]);
  const operation = isRaw(item) ? deref(raw, item[method.toLowerCase()]) : undefined;
  for (const [status, entry] of Object.entries(fields(fields(operation)["responses"]))) {
    const response = deref(raw, entry);
    if (/^[1-5]\d\d$/.test(status) && isRaw(response)) yield [status, response];
  }
}

/** The first media type with its schema; JSON in Swagger 2.0. */
function firstContent(
  raw: Raw,
  response: Raw,
): { readonly type: string; readonly schema: unknown } | undefined {
  if (response["schema"] !== undefined) {
    return { type: "application/json", schema: response["schema"] };
  }
  const [entry] = Object.entries(fields(response["content"]));
  if (entry === undefined) return undefined;
  const [type, media] = entry;
  return { type, schema: fields(deref(raw, media))["schema"] };
}

function fields(value: unknown): Raw {
  return isRaw(value) ? value : {};
}
