import type { HttpResponse } from "../../http/interaction.ts";
import { isoSeconds } from "../decode/iso_seconds.ts";
import { readStatus } from "../decode/read_status.ts";
import { type ReceivedBody, receivedResponse } from "../decode/received_body.ts";
import type { Problems } from "../formats/problems.ts";
import { cassetteBody } from "./cassette_body.ts";
import { cassetteHeaders } from "./cassette_headers.ts";

/** A response as a recording has it, of which nothing is checked yet. */
export interface CassetteResponse {
  /** A number or its text; without one, or with 0 or -1, there is no response. */
  readonly status: unknown;
  /** Seconds, as a number or its text. */
  readonly elapsed?: unknown;
  /** An object of names with a value or a list of values. */
  readonly headers?: unknown;
  /** The body that {@linkcode cassetteBody} reads; undefined if none was recorded, `""` or null for an empty one. */
  readonly body?: unknown;
}

/**
 * Makes a response of what a recording has of it; undefined if none came.
 *
 * @param method Of the request, in upper case.
 * @param place The place of the response in problems.
 */
export function cassetteResponse(
  response: CassetteResponse,
  method: string,
  place: string,
  problems: Problems,
): HttpResponse | undefined {
  const status = readStatus(response.status, place, problems);
  if (status === undefined) return undefined;
  const seconds = numberOf(response.elapsed);
  const { headers } = response;
  return receivedResponse(
    {
      method,
      status,
      elapsed: seconds !== undefined && seconds >= 0 ? seconds : undefined,
      headers: headers === undefined || headers === null
        ? undefined
        : cassetteHeaders(headers, place, problems),
      body: bodyOf(response.body),
    },
    (problem) => problems.add(problem, place),
  );
}

function bodyOf(value: unknown): ReceivedBody {
  if (value === undefined) return { kind: "unknown" };
  const body = cassetteBody(value, "text");
  if (body === "lost") return { kind: "lost" };
  if (body === "none") return { kind: "text", text: "" };
  const { content } = body;
  return typeof content === "string"
    ? { kind: "text", text: content }
    : { kind: "bytes", bytes: content };
}

/** Seconds since 1970 from such a number, an ISO 8601 time or an HTTP date; undefined for everything else. */
export function cassetteTime(value: unknown): number | undefined {
  const number = numberOf(value);
  if (number !== undefined || typeof value !== "string") return number;
  const seconds = isoSeconds(value);
  if (seconds !== undefined) return seconds;
  // `Date.parse` takes nearly any text with a number in it for a time of the local zone.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} .* GMT$/.test(value)) return undefined;
  const milliseconds = Date.parse(value);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
