type Table = ReadonlyMap<string, readonly number[]>;

const tables = new Map<string, Table | undefined>();

/** Reads every sequence of one and of two bytes, since platforms decode legacy charsets but do not encode them. */
function tableOf(charset: string): Table | undefined {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
  const table = new Map<string, readonly number[]>();
  const add = (sequence: readonly number[]): boolean => {
    let text: string;
    try {
      text = decoder.decode(Uint8Array.from(sequence));
    } catch {
      return false;
    }
    if ([...text].length === 1 && !table.has(text)) table.set(text, sequence);
    return text !== "";
  };
  const leads: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    if (!add([byte])) leads.push(byte);
  }
  for (const lead of leads) {
    for (let trail = 0x30; trail < 256; trail++) add([lead, trail]);
  }
  return table;
}

/**
 * Text as bytes of a charset that is not UTF-8 (`iso-8859-1`, `windows-1251`, `shift_jis`), by its name in the Encoding
 * Standard. Undefined if the charset is not known, has state or longer sequences, or lacks a character of the text.
 *
 * @example
 * ```ts
 * import { encodeText } from "./encode_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(encodeText("café", "iso-8859-1"), new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
 * assert.equal(encodeText("雪", "iso-8859-1"), undefined);
 * ```
 */
export function encodeText(text: string, charset: string): Uint8Array | undefined {
  const name = charset.toLowerCase();
  if (!tables.has(name)) tables.set(name, tableOf(name));
  const table = tables.get(name);
  if (table === undefined) return undefined;
  const bytes: number[] = [];
  for (const character of text) {
    const sequence = table.get(character);
    if (sequence === undefined) return undefined;
    bytes.push(...sequence);
  }
  return Uint8Array.from(bytes);
}
