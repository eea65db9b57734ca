import { skipSpace, skipString } from "../values/parse_json.ts";
import { textPositions } from "../values/text_position.ts";
import type { WrittenEntries, WrittenEntry, WrittenText } from "./document_set.ts";

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Reads a JSON text that is known to be valid to find places in it; offsets stand for values. */
export function readWrittenJson(text: string): WrittenText {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const ends = bracketEnds(text);

  function entriesAt(start: number): WrittenEntries | undefined {
    const end = ends.get(start);
    if (end === undefined) return undefined;
    const entries = new Map<string, WrittenEntry>();
    let offset = skipSpace(text, start + 1);
    while (offset < end - 1) {
      const entryStart = offset;
      let name = String(entries.size);
      if (text[start] === "{") {
        const nameEnd = skipString(text, offset);
        const raw = text.slice(offset + 1, nameEnd - 1);
        name = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
        offset = skipSpace(text, skipSpace(text, nameEnd) + 1);
      }
      const entryEnd = ends.get(offset) ?? skipScalar(text, offset);
      entries.set(name, { start: entryStart, end: entryEnd, value: offset });
      offset = skipSpace(text, entryEnd);
      if (text[offset] === ",") offset = skipSpace(text, offset + 1);
    }
    return entries;
  }

  return {
    root: { start, end: text.trimEnd().length, value: start },
    entriesOf: ({ value }) => entriesAt(value as number),
    positionOf: textPositions(text),
  };
}

/** The offset after each object and list, by that of its beginning. */
function bracketEnds(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    // A bit tells the brackets of a list from those of an object.
    if (code === QUOTE) offset = skipString(text, offset) - 1;
    else if ((code | 0x20) === OPEN) open.push(offset);
    else if ((code | 0x20) === CLOSE) ends.set(open.pop() ?? 0, offset + 1);
  }
  return ends;
}

function skipScalar(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start);
  let offset = start;
  while (offset < text.length && /[^\s,\]}]/.test(text[offset] ?? "")) offset++;
  return offset;
}
