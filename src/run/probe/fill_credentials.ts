import type { SuggestedHttpRequest, Suggestion } from "../../suggest/suggestion.ts";

/** A request with credentials, and the placeholders that nothing is known for. */
export interface FilledRequest {
  readonly request: SuggestedHttpRequest;
  readonly missing: readonly string[];
}

/**
 * Puts credentials in the place of their placeholders. A header, a pair of the query or a cookie that has none is left
 * out.
 *
 * @param valueOf Gives the value of a placeholder, by its name without `$`.
 * @param given The names of header fields that are set anyway, in lower case.
 */
export function fillCredentials(
  { request, placeholders }: Pick<Suggestion, "request" | "placeholders">,
  valueOf: (name: string) => string | undefined,
  given: ReadonlySet<string>,
): FilledRequest {
  if (placeholders.length === 0) return { request, missing: [] };
  const missing = new Set<string>();
  const fill = (text: string): string | undefined => {
    let filled = text;
    for (const placeholder of placeholders) {
      if (!filled.includes(placeholder)) continue;
      const value = valueOf(placeholder.slice(1));
      if (value === undefined || value === "") {
        missing.add(placeholder);
        return undefined;
      }
      filled = filled.replaceAll(placeholder, () => value);
    }
    return filled;
  };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    const lower = name.toLowerCase();
    if (given.has(lower)) continue;
    const filled = lower === "cookie"
      ? value.split("; ").map(fill).filter((pair) => pair !== undefined).join("; ")
      : fill(value);
    if (filled !== undefined && (filled !== "" || value === "")) headers[name] = filled;
  }
  const [path = "", query] = request.url.split("?", 2);
  const pairs = query?.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    const value = fill(pair.slice(equals + 1));
    if (value === undefined) return undefined;
    const isSame = value === pair.slice(equals + 1);
    return isSame ? pair : `${pair.slice(0, equals)}=${encodeURIComponent(value)}`;
  }).filter((pair) => pair !== undefined) ?? [];
  const url = pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
  return { request: { ...request, url, headers }, missing: [...missing] };
}
