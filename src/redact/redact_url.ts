import { maskText } from "./mask_text.ts";
import type { Nested } from "./nested.ts";
import { maskEscaped, redactForm } from "./redact_form.ts";
import { maskPath } from "./redact_path.ts";
import type { NameKind } from "./secret_names.ts";

const MOST_FRAGMENTS = 3;

/**
 * Masks the credentials, the secrets of the path, of the query and of the fragment of a URL; everything else stays as it
 * was written.
 *
 * @param url A full URL, or a path.
 * @param kindOf What the name of a query parameter says.
 */
export function redactUrl(
  url: string,
  kindOf: (name: string) => NameKind,
  nested: Nested,
  fragments: number = MOST_FRAGMENTS,
): string {
  const hash = url.indexOf("#");
  const whole = hash < 0 ? url : url.slice(0, hash);
  const mark = whole.indexOf("?");
  const start = redactStart(mark < 0 ? whole : whole.slice(0, mark));
  const query = mark < 0 ? "" : `?${redactForm(whole.slice(mark + 1), kindOf, nested)}`;
  if (hash < 0) return start + query;
  const fragment = url.slice(hash + 1);
  // What comes back from a login is like a query, and routes of a page are like URLs.
  const isForm = fragment.includes("=") && !/[?/]/.test(fragment.split("=", 1)[0] ?? "");
  const redacted = isForm
    ? redactForm(fragment, kindOf, nested)
    : fragments > 0
    ? redactUrl(fragment, kindOf, nested, fragments - 1)
    : maskText(fragment);
  return `${start}${query}#${redacted}`;
}

/** Scheme, authority and path. */
function redactStart(start: string): string {
  // An invalid scheme is no reason to show a password.
  const begin = /^[^/]{0,60}\/\//.exec(start)?.[0].length;
  if (begin === undefined) return maskPath(start);
  const slash = start.slice(begin).search(/[/\\]/);
  const end = slash < 0 ? start.length : begin + slash;
  const authority = start.slice(begin, end);
  const at = Math.max(authority.lastIndexOf("@"), authority.lastIndexOf("%40"));
  const host = at < 0 ? authority : maskEscaped(authority.slice(0, at)) + authority.slice(at);
  return start.slice(0, begin) + host + maskPath(start.slice(end));
}
