import { Buffer } from "node:buffer";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/** Places of the secrets that can be read in a text, also after decoding escapes of URLs, JSON and XML, and Base64. */
export function secretsIn(
  text: string,
  planted: readonly { readonly place: string; readonly secret: string }[],
): string[] {
  const plain = spellings(text);
  return planted.filter(({ secret }) => plain.includes(secret)).map(({ place }) => place);
}

function spellings(text: string): string {
  const all = [text.replaceAll("+", " "), text];
  for (let times = 0; times < 4; times++) {
    const last = all.at(-1) ?? "";
    const next = unescaped(last);
    if (next === last) break;
    all.push(next, next.replaceAll("+", " "));
  }
  for (const [run] of (all.at(-1) ?? "").matchAll(/[\w+/-]{12,}/g)) {
    for (const shift of [0, 1, 2, 3]) {
      const bytes = Buffer.from(run.slice(shift), "base64");
      all.push(bytes.toString("latin1"), ...inflated(bytes));
    }
  }
  return all.join("\n");
}

function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  }).replace(/\\+u([0-9a-f]{4})/gi, (_, unit) => String.fromCharCode(parseInt(unit, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/\\+(["'/])/g, "$1");
}

/** The decompressed body, even of a truncated one. */
function inflated(bytes: Buffer): string[] {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip && bytes[0] !== 0x78 && bytes.length < 40) return [];
  const inflate = isGzip ? gunzipSync : bytes[0] === 0x78 ? inflateSync : brotliDecompressSync;
  try {
    const finishFlush = 2; // Z_SYNC_FLUSH returns what is there of a truncated body
    return [inflate(bytes, { finishFlush }).toString("latin1")];
  } catch {
    return [];
  }
}
