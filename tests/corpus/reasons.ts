// Finds reasons why operations and bodies can't be hit, from the description alone.
import { isRaw, type RawOperation } from "./raw_description.ts";

/** Why no request leads to an operation; undefined if one should. */
export function whyNotHit(
  operation: RawOperation,
  operations: readonly RawOperation[],
): string | undefined {
  const others = operations.filter(({ method, path }) =>
    method === operation.method && path !== operation.path
  );
  for (const { location, name, schema } of operation.parameters) {
    if (location !== "path" || !isRaw(schema) || !Array.isArray(schema["enum"])) continue;
    const shadowed = schema["enum"].every((value) => {
      const spelledOut = operation.path.replace(`{${name}}`, String(value));
      return others.some(({ path }) => path.includes(`/${value}`) && fits(path, spelledOut));
    });
    if (shadowed) return "every value that its path allows is literal text of another path";
  }
  return undefined;
}

/** True if a template of whole segments matches what another one can become, with its names filled in or not. */
function fits(template: string, path: string): boolean {
  const segments = template.split("/");
  const others = path.split("/");
  return segments.length === others.length &&
    segments.every((segment, index) => segment.startsWith("{") || segment === others[index]);
}

/** Why a request can't have a path parameter: it is only named after `?` or `#`, which the path doesn't need. */
export function whyNotCarried(place: string, name: string, path: string): string | undefined {
  const [template = "", ...tokens] = path.split(/[?#&]/);
  if (place !== "path" || template.includes(`{${name}}`)) return undefined;
  return tokens.some((token) => token.endsWith(`={${name}}`))
    ? undefined
    : "the path has no place for the parameter";
}

/** Why no Content-Type leads to a documented body; undefined if one should. */
export function whyNoBody(mediaType: string): string | undefined {
  if (mediaType.trim() === "") return "the media type is empty";
  if (/\*\+(?!json)/.test(mediaType)) {
    return "a range with a suffix other than +json is no range of HTTP";
  }
  return undefined;
}
