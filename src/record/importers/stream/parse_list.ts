const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Parses one value; undefined where it is no JSON. */
export function parseValue(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Parses the items of a list, without its brackets; undefined where they are no JSON. */
export function parseList(bytes: Uint8Array): readonly unknown[] | undefined {
  try {
    return JSON.parse(`[${decoder.decode(bytes)}]`);
  } catch {
    return undefined;
  }
}
