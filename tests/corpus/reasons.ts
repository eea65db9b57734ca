// Why some operations and bodies cannot be hit, told from the description alone.
import { isRaw, type RawOperation } from "./raw_description.ts";

/** Why no request leads to an operation; undefined where one ought to. */
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

/** Whether a template of whole segments fits what another one, its names filled in or not, can become. */
function fits(template: string, path: string): boolean {
  const segments = template.split("/");
  const others = path.split("/");
  return segments.length === others.length &&
    segments.every((segment, index) => segment.startsWith("{") || segment === others[index]);
}

/** Why a request can't carry a path parameter: what stands behind `?` or `#` names it where nothing asks for it. */
export function whyNotCarried(place: string, name: string, path: string): string | undefined {
  const [template = "", ...tokens] = path.split(/[?#&]/);
  if (place !== "path" || template.includes(`{${name}}`)) return undefined;
  return tokens.some((token) => token.endsWith(`={${name}}`))
    ? undefined
    : "the path has no place for the parameter";
}

/** Why no Content-Type leads to a documented body; undefined where one ought to. */
export function whyNoBody(mediaType: string): string | undefined {
  if (mediaType.trim() === "") return "the media type is empty";
  if (/\*\+(?!json)/.test(mediaType)) {
    return "a range with a suffix other than +json is no range of HTTP";
  }
  return undefined;
}
