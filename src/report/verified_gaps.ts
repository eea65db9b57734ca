import type { Gap } from "../map/results.ts";
import { oneLine } from "../suggest/formats/request_title.ts";
import { wrapText } from "./text/text_width.ts";

/** A request from the traffic, without credentials. */
export interface VerifiedRequest {
  readonly method: string;
  /** With secrets masked. */
  readonly url: string;
  readonly status_code?: number | undefined;
  /** The body as text, with secrets masked. Absent if there is none or it is long. */
  readonly body?: string | undefined;
}

export interface VerifiedGap {
  readonly id: string;
  /** `unknown` if the description has no gap with this id. */
  readonly state: "closed" | "open" | "unknown";
  /** Absent if the id is unknown. */
  readonly gap?: Gap | undefined;
  /** The subject of the gap, or the problem with the id. */
  readonly sentence: string;
  /** The request that closed the gap, with its test if known. Absent if only hits were read. */
  readonly closed_by?: { readonly test?: string | undefined; readonly request: VerifiedRequest };
  /** For an open gap, the request that came nearest and what was different. Without a request if none came near. */
  readonly nearest?: {
    readonly test?: string | undefined;
    readonly request?: VerifiedRequest | undefined;
    readonly difference: string;
  };
}

/** Writes the results as JSON for programs (docs/gaps.schema.json). */
export function verifiedJson(gaps: readonly VerifiedGap[]): string {
  const lines = gaps.map(({ id, state, gap, ...why }) => {
    // As in reports, the `state` within the gap is the outcome that was missing.
    const about = gap === undefined ? {} : { gap: { ...gap, id: undefined } };
    return JSON.stringify({ id, state, ...about, ...why });
  });
  return `{"format_version":1,"gaps":[\n${lines.join(",\n")}\n]}\n`;
}

export function verifiedText(gaps: readonly VerifiedGap[], width: number): string {
  return `${gaps.map((gap) => verifiedGapText(gap, width)).join("\n\n")}\n`;
}

function verifiedGapText(
  { id, state, sentence, closed_by, nearest }: VerifiedGap,
  width: number,
): string {
  const by = closed_by ?? nearest;
  const label = closed_by !== undefined ? "Closed by" : "Nearest:";
  const request = by?.request;
  const lines = [
    ...wrapText(sentence, width - 2),
    ...(nearest === undefined ? [] : wrapText(nearest.difference, width - 2)),
    ...(request === undefined ? [] : [`${label} ${requestLine(request)}`]),
    ...(by?.test === undefined ? [] : [`Test: ${by.test}`]),
  ];
  return [`${id}  ${state}`, ...lines.map((line) => `  ${oneLine(line)}`)].join("\n");
}

function requestLine({ method, url, status_code, body }: VerifiedRequest): string {
  const answer = status_code === undefined ? "" : ` → ${status_code}`;
  return `${method} ${url}${answer}${body === undefined ? "" : `  ${body}`}`;
}
