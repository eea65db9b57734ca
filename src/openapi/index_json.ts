import { skipSpace, skipString } from "../values/parse_json.ts";
import { textPositions } from "../values/text_position.ts";
import type { EntryIndex, IndexedEntries, IndexedEntry } from "./document_set.ts";

const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Finds positions in a valid JSON text. Objects and lists are identified by their number in {@linkcode Containers}. */
export function indexJson(text: string): EntryIndex {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const { starts, ends, nexts } = findContainers(text);

  function listEntries({ value }: IndexedEntry): IndexedEntries | undefined {
    if (value === undefined) return undefined;
    const container = value as number;
    const isObject = text[starts[container] as number] === "{";
    const close = (ends[container] as number) - 1;
    const entries = new Map<string, IndexedEntry>();
    let offset = skipSpace(text, (starts[container] as number) + 1);
    let inner = container + 1;
    while (offset < close) {
      const start = offset;
      let name = String(entries.size);
      if (isObject) {
        const nameEnd = skipString(text, offset);
        const raw = text.slice(offset + 1, nameEnd - 1);
        name = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
        offset = skipSpace(text, skipSpace(text, nameEnd) + 1);
      }
      const isContainer = starts[inner] === offset;
      const end = isContainer ? ends[inner] as number : skipScalar(text, offset);
      entries.set(name, { start, end, value: isContainer ? inner : undefined });
      if (isContainer) inner = nexts[inner] as number;
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
interface Containers {
  readonly starts: readonly number[];
  /** The offset after the end of each. */
  readonly ends: readonly number[];
  /** The number of the first object or list that begins after the end of each. */
  readonly nexts: readonly number[];
}

function findContainers(text: string): Containers {
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
      const container = open.pop() ?? 0;
      ends[container] = offset + 1;
      nexts[container] = starts.length;
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
