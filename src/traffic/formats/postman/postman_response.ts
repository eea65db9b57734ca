import type { HttpResponse } from "../../../http/interaction.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { readStatus } from "../../decode/read_status.ts";
import { type ReceivedBody, receivedResponse } from "../../decode/received_body.ts";
import type { Problems } from "../problems.ts";
import type { PostmanPair, PostmanResponse } from "./postman_request.ts";

/**
 * The response that Postman or Newman saved; undefined if none came. Headers and body are those of answers that took a
 * time: examples that somebody wrote, or that a tool made of a description, say nothing about the API.
 *
 * @param method Of the request, in upper case.
 */
export function postmanResponse(
  saved: Omit<PostmanResponse, "request">,
  method: string,
  problems: Problems,
): HttpResponse | undefined {
  const { time, place } = saved;
  const status = readStatus(saved.status, place, problems);
  if (status === undefined) return undefined;
  if (typeof time !== "number") return { status_code: status };
  const elapsed = time >= 0 ? time / 1000 : undefined;
  const headers = headerPairs(saved.headers);
  return receivedResponse(
    {
      method,
      status,
      elapsed,
      headers: headers.length === 0 ? undefined : headers,
      body: bodyOf(saved),
    },
    (problem) => problems.add(problem, place),
  );
}

function bodyOf({ body, stream }: Pick<PostmanResponse, "body" | "stream">): ReceivedBody {
  const bytes = bytesOf(stream);
  if (bytes !== undefined) return { kind: "bytes", bytes };
  if (typeof body === "string") return { kind: "text", text: body };
  return { kind: "unknown" };
}

/** The bytes of a `Buffer` of Node.js as JSON has it: a list of numbers. */
function bytesOf(stream: unknown): Uint8Array | undefined {
  const data: unknown = isFields(stream) ? (stream as Fields)["data"] : undefined;
  if (!Array.isArray(data) || !data.every((byte) => typeof byte === "number")) return undefined;
  return Uint8Array.from(data as readonly number[]);
}

function headerPairs(pairs: readonly PostmanPair[]): [string, string][] {
  return pairs.map(({ key, value }) => [key, value ?? ""]);
}
