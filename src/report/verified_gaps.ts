import type { Gap } from "../map/results.ts";
import { oneLine } from "../suggest/formats/request_title.ts";
import { wrapText } from "./text/text_width.ts";

/** A request of the traffic, without its credentials. */
export interface VerifiedRequest {
  readonly method: string;
  /** With secrets masked. */
  readonly url: string;
  readonly status_code?: number | undefined;
  /** As text, with secrets masked; absent where there is none, and where it is long. */
  readonly body?: string | undefined;
}

export interface VerifiedGap {
  readonly id: string;
  /** `unknown` for an id that the description has no gap for. */
  readonly state: "closed" | "open" | "unknown";
  /** The gap; absent for one that is unknown. */
  readonly gap?: Gap | undefined;
  /** What it is about, or what is wrong with the id. */
  readonly sentence: string;
  /** The test, where that is known, and the request that closed it; absent where hits alone were read. */
  readonly closed_by?: { readonly test?: string | undefined; readonly request: VerifiedRequest };
  /** What came nearest while it is open, and what was different; without a request where none came near. */
  readonly nearest?: {
    readonly test?: string | undefined;
    readonly request?: VerifiedRequest | undefined;
    readonly difference: string;
  };
}

/** The verdicts for programs (docs/gaps.schema.json). */
export function verifiedJson(gaps: readonly VerifiedGap[]): string {
  const lines = gaps.map(({ id, state, gap, ...why }) => {
    // The state of a keyword's gap is the one that was missing, as in reports.
    const about = gap === undefined ? {} : { gap: { ...gap, id: undefined } };
    return JSON.stringify({ id, state, ...about, ...why });
  });
  return `{"format_version":1,"gaps":[\n${lines.join(",\n")}\n]}\n`;
}

export function verifiedText(gaps: readonly VerifiedGap[], width: number): string {
  return `${gaps.map((gap) => verdictText(gap, width)).join("\n\n")}\n`;
}

function verdictText(
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
