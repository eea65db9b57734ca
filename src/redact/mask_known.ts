import type { HttpRequest } from "../http/interaction.ts";
import { encodePercent } from "../http/percent.ts";
import { knownSecrets } from "../http/known_secrets.ts";
import type { MaskEchoes } from "./echoed_secrets.ts";
import { maskText } from "./mask_text.ts";
import { maskEscaped } from "./redact_form.ts";

/** Shorter ones come up by chance. */
const SHORTEST = 4;

const MASKS = new WeakMap<readonly string[], Replacements>();

/** Texts with what takes their place, those that contain others first. */
interface Replacements {
  readonly masked: readonly (readonly [secret: string, mask: string])[];
  readonly hidden: readonly (readonly [secret: string, mask: string])[];
}

/**
 * Masks what the recording of a request calls secret, in texts of the request and its response, as it is and with the
 * escapes of URLs, forms and JSON. Undefined if there is nothing of the kind.
 */
export function maskKnown(request: HttpRequest): MaskEchoes | undefined {
  const replacements = replacementsOf(request);
  return replacements && ((text) => replaced(text, replacements.masked));
}

/** The path of a request with `***` in place of what its recording calls secret. */
export function hideKnown(request: HttpRequest, path: string): string {
  const replacements = replacementsOf(request);
  return replacements === undefined ? path : replaced(path, replacements.hidden);
}

function replacementsOf(request: HttpRequest): Replacements | undefined {
  const secrets = knownSecrets(request);
  if (secrets === undefined) return undefined;
  let found = MASKS.get(secrets);
  if (found === undefined) MASKS.set(secrets, found = makeReplacements(secrets));
  return found;
}

function makeReplacements(secrets: readonly string[]): Replacements {
  const masks = new Map<string, string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST) continue;
    const escaped = encodePercent(secret);
    masks.set(secret, maskText(secret));
    masks.set(escaped, maskEscaped(escaped));
    masks.set(escaped.replaceAll("%20", "+"), maskEscaped(escaped).replaceAll("%20", "+"));
    masks.set(inJson(secret), inJson(maskText(secret)));
  }
  const masked = [...masks].sort(([one], [other]) => other.length - one.length);
  return { masked, hidden: masked.map(([secret]) => [secret, "***"]) };
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function replaced(text: string, replacements: Replacements["masked"]): string {
  return replacements.reduce(
    (result, [secret, mask]) =>
      result.includes(secret) ? result.replaceAll(secret, () => mask) : result,
    text,
  );
}
