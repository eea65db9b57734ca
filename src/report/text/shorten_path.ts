import { cutText, textWidth } from "./text_width.ts";

/**
 * Shortens a path template to at most `width` columns, whole segments first: the first segment and as many of the last
 * ones as fit stay, since these tell operations apart; `…` replaces the rest.
 *
 * @example
 * ```ts
 * import { shortenPath } from "./shorten_path.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(shortenPath("/users/{id}", 20), "/users/{id}");
 * assert.equal(shortenPath("/organizations/{org}/repos/{id}/hooks", 30), "/organizations/…/{id}/hooks");
 * ```
 */
export function shortenPath(path: string, width: number): string {
  if (textWidth(path) <= width) return path;
  const segments = path.split("/").slice(1);
  const first = segments[0];
  if (path.startsWith("/") && first !== undefined) {
    for (const head of [`/${first}/…`, "…"]) {
      const tail = lastSegments(segments.slice(1), width - textWidth(head));
      if (tail !== "") return head + tail;
    }
  }
  return cutText(path, width);
}

function lastSegments(segments: readonly string[], width: number): string {
  let tail = "";
  for (const segment of segments.toReversed()) {
    const longer = `/${segment}${tail}`;
    if (textWidth(longer) > width) break;
    tail = longer;
  }
  return tail;
}
