import { mayHaveBody } from "../http/may_have_body.ts";
import { BodyBuffer, CUT, type ObservedBody } from "./body_buffer.ts";
import type { ReceivedContent } from "./exchange.ts";
import { type HeaderPairs, headerPairs, headerValue } from "./header_pairs.ts";

/** What of a response of Playwright, of a page or of its `APIRequestContext`, says what came. */
export interface PlaywrightResponseLike {
  status(): number;
  headers?(): object;
  allHeaders?(): Promise<object>;
  body?(): Promise<Uint8Array>;
}

/** What pages are made of: of these nobody measures the bodies, and a page loads many. */
const PARTS_OF_PAGES = /^\s*(?:image|video|audio|font)\/|javascript|^\s*text\/css/i;

/** The header fields of a response of a page, with those that the browser keeps from scripts. */
export async function headersOf(response: PlaywrightResponseLike): Promise<HeaderPairs> {
  return headerPairs(await response.allHeaders?.() ?? response.headers?.());
}

/**
 * The content of a response; Playwright has its body already, or asks the browser for it.
 *
 * @param limit Bytes that are kept; 0 for headers alone.
 */
export function playwrightContent(
  response: PlaywrightResponseLike,
  limit: number,
  headers: HeaderPairs = headerPairs(response.headers?.()),
): ReceivedContent {
  if (limit === 0 || response.body === undefined) return { headers };
  const isOpaque = PARTS_OF_PAGES.test(headerValue(headers, "content-type") ?? "");
  const isLong = Number(headerValue(headers, "content-length") ?? 0) > limit;
  const isNone = !mayHaveBody("GET", response.status());
  // The browser keeps none of redirects, and of an event stream not before its end.
  const isRedirect = response.status() >= 300 && response.status() < 400;
  if (isNone || isRedirect) return { headers };
  if (isOpaque || isLong) return { headers, body: { seen: CUT } };
  return { headers, body: observeArrival(response.body(), limit), isDecoded: true };
}

/** A body that comes without anybody's doing, so that only who can't wait for it goes without. */
function observeArrival(body: Promise<Uint8Array>, limit: number): ObservedBody {
  const buffer = new BodyBuffer(limit);
  body.then((data) => {
    buffer.add(data);
    buffer.end();
    // The page may be gone, or the browser has thrown it away.
  }, () => buffer.cut());
  const observed = buffer.body();
  return {
    get seen() {
      return observed.seen;
    },
    whenSeen: observed.whenSeen,
    abandon: (reason) => {
      if (reason !== "answered") observed.abandon?.(reason);
    },
  };
}
