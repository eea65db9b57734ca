import { skipSpace, skipString } from "../values/parse_json.ts";
import { textPositions } from "../values/text_position.ts";
import type { WrittenEntries, WrittenEntry, WrittenText } from "./document_set.ts";

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Finds positions in a valid JSON text. Objects and lists are identified by their number in {@linkcode Holders}. */
export function readWrittenJson(text: string): WrittenText {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const { starts, ends, nexts } = holdersIn(text);

  function listEntries({ value }: WrittenEntry): WrittenEntries | undefined {
    if (value === undefined) return undefined;
    const holder = value as number;
    const isObject = text[starts[holder] as number] === "{";
    const close = (ends[holder] as number) - 1;
    const entries = new Map<string, WrittenEntry>();
    let offset = skipSpace(text, (starts[holder] as number) + 1);
    let inner = holder + 1;
    while (offset < close) {
      const start = offset;
      let name = String(entries.size);
      if (isObject) {
        const nameEnd = skipString(text, offset);
        const raw = text.slice(offset + 1, nameEnd - 1);
        name = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
        offset = skipSpace(text, skipSpace(text, nameEnd) + 1);
      }
      const isHolder = starts[inner] === offset;
      const end = isHolder ? ends[inner] as number : skipScalar(text, offset);
      entries.set(name, { start, end, value: isHolder ? inner : undefined });
      if (isHolder) inner = nexts[inner] as number;
      offset = skipSpace(text, end);
      if (text[offset] === ",") offset = skipSpace(text, offset + 1);
    }
    return entries;
  }

  return {
    root: { start, end: text.trimEnd().length, value: starts[0] === start ? 0 : undefined },
    listEntries,
    positionAt: textPositions(text),
  };
}

/** The offsets of all objects and lists, numbered in the order in which they begin. Arrays, since there are many. */
interface Holders {
  readonly starts: readonly number[];
  /** The offset after the end of each. */
  readonly ends: readonly number[];
  /** The number of the first object or list that begins after the end of each. */
  readonly nexts: readonly number[];
}

function holdersIn(text: string): Holders {
  const starts: number[] = [];
  const ends: number[] = [];
  const nexts: number[] = [];
  const open: number[] = [];
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    // The brackets of lists and objects differ in one bit: `[` and `{`, `]` and `}`.
    if (code === QUOTE) offset = skipString(text, offset) - 1;
    else if ((code | 0x20) === OPEN) {
      open.push(starts.length);
      starts.push(offset);
      ends.push(0);
      nexts.push(0);
    } else if ((code | 0x20) === CLOSE) {
      const holder = open.pop() ?? 0;
      ends[holder] = offset + 1;
      nexts[holder] = starts.length;
    }
  }
  return { starts, ends, nexts };
}

const LITERAL = /[^\s,\]}]*/y;

function skipScalar(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start);
  LITERAL.lastIndex = start;
  return start + (LITERAL.exec(text)?.[0].length ?? 0);
}
