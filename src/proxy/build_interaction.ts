import type { Interaction } from "../http/interaction.ts";
import type { BodyCapture } from "./body_capture.ts";
import type { ResponseCapture } from "./response_capture.ts";
import { fieldRecord } from "./header_fields.ts";

/** The parts of a proxied request that a recording keeps. */
export interface ProxiedExchange {
  readonly method: string | undefined;
  readonly url: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  /** The request's body; undefined if there is none. */
  readonly capture?: BodyCapture | undefined;
  /** True if the client sent the whole request. */
  readonly isComplete: boolean;
  /** The response's status; undefined if no response came. */
  readonly status: number | undefined;
  /** The response; undefined if its status is all that is known. */
  readonly answer?: ResponseCapture | undefined;
  /** The time at which the request arrived, in seconds since 1970. */
  readonly timestamp: number;
  /** The same by `performance.now()`. */
  readonly started: number;
}

/** The interaction that is recorded for a request; the time elapsed is that until now. */
export function buildInteraction(exchange: ProxiedExchange): Interaction {
  const { method, url, fields, capture, isComplete, status, answer, timestamp } = exchange;
  const elapsed = Math.round((performance.now() - exchange.started) * 1000) / 1e6;
  return {
    request: {
      method: method ?? "GET",
      url,
      headers: fieldRecord(fields, "as_sent"),
      ...(capture !== undefined && capture.length > 0 && { body: capture.bytes() }),
      ...((!isComplete || capture?.isCut === true) && { body_truncated: true }),
    },
    ...(status !== undefined && {
      response: answer?.response(elapsed) ?? { status_code: status, elapsed },
    }),
    timestamp,
  };
}
