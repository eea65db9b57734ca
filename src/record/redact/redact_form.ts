import { maskText } from "./mask_text.ts";
import { redactJson } from "./redact_json.ts";
import { isSecretField } from "./secret_names.ts";

/** Makes the secret fields of a query or an urlencoded form unreadable; everything else stays as it was written. */
export function redactForm(text: string): string {
  return text.replace(/([^&=]+)=([^&]*)/g, (pair, name: string, value: string) => {
    const words = decoded(name).split(/[[\].]+/);
    if (words.some((word) => isSecretField(word))) return `${name}=${maskValue(value)}`;
    const content = decoded(value);
    if (!/^\s*[[{]/.test(content)) return pair;
    const redacted = redactJson(content, isSecretField);
    return redacted === content ? pair : `${name}=${encodeURIComponent(redacted)}`;
  });
}

/** An escape stays one: `%41` becomes the escape of what an `A` becomes. */
function maskValue(value: string): string {
  return value.replace(/(?:%[0-9a-f]{2})+|[^%]+|%/gi, (part) => {
    if (!/^%[0-9a-f]{2}/i.test(part)) return maskText(part);
    const text = decoded(part);
    const masked = maskText(text);
    return masked === text ? part : encodeURIComponent(masked);
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
