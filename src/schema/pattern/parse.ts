export interface Atom {
  /** Source of a native expression that matches one character: `[a-z]`, `\d`, `.`, `\p{L}`. */
  readonly source: string;
  /** The modifiers `i` and `s` that apply to the atom. */
  readonly modifiers: string;
}

/** A place between two characters. */
export type Edge = "start" | "end" | "line_start" | "line_end" | "boundary" | "no_boundary";

export type PatternNode =
  | { readonly kind: "atom"; readonly atom: Atom }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly items: readonly PatternNode[] }
  | {
    readonly kind: "edge";
    readonly edge: Edge;
    /** The word characters of `\b` and `\B`; null for the others. */
    readonly word: Atom | null;
  }
  | {
    readonly kind: "repeat";
    readonly body: PatternNode;
    readonly min: number;
    readonly max: number;
    readonly greedy: boolean;
    /** The capturing groups inside: from (inclusive), to (exclusive). */
    readonly groups: readonly [number, number];
  }
  | {
    readonly kind: "look";
    readonly behind: boolean;
    readonly negated: boolean;
    readonly body: PatternNode;
  }
  | { readonly kind: "group"; readonly index: number; readonly body: PatternNode }
  | {
    readonly kind: "backreference";
    readonly groups: readonly number[];
    readonly modifiers: string;
  };

export interface ParsedPattern {
  readonly root: PatternNode;
  /** True if text is read as code points (the `u` flag), false if it is read as UTF-16 units. */
  readonly unicode: boolean;
  readonly groupCount: number;
  /** True if there is a backreference, which no automaton can match. */
  readonly hasBackreference: boolean;
  readonly largestCount: number;
}

export class PatternTooLarge extends SyntaxError {}

const MAX_GROUPS = 250;

const EMPTY: PatternNode = { kind: "sequence", items: [] };
const SYNTAX = "^$\\.*+?()[]{}|/";

const UNICODE_ESCAPE =
  /\\(?:u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[^])/iuy;
const LEGACY_ESCAPE =
  /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[^])/y;
const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;
const GROUP_OPENING = /\((?:\?(?:([:=!]|<=|<!)|<([^>]*)>|([ims]*)(?:-([ims]*))?:))?/y;
// Also matches escapes and classes, which may contain a parenthesis that doesn't open a group.
const GROUP_SCAN = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:(?!\?)|\?<([^=!>][^>]*)>)/g;

/** Counts groups first, as the meaning of `\1` and `\k` depends on groups that may come later. */
function scanGroups(source: string) {
  const names = new Map<string, number[]>();
  let count = 1;
  for (const match of source.matchAll(GROUP_SCAN)) {
    if (!match[0].startsWith("(")) continue;
    const name = match[1];
    if (name !== undefined) names.set(name, [...names.get(name) ?? [], count]);
    count++;
  }
  return { count, names };
}

/** Parses an expression that the native engine has accepted (ECMA-262, section 22.2.1 and annex B.1.2). */
export function parsePattern(source: string, unicode: boolean): ParsedPattern {
  const groups = scanGroups(source);
  let at = 0;
  let nextGroup = 1;
  let openGroups = 0;
  let hasBackreference = false;
  let largestCount = 0;

  function readMatch(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = at;
    const match = expression.exec(source);
    if (match !== null) at = expression.lastIndex;
    return match;
  }

  function atomNode(text: string, modifiers: string): PatternNode {
    return { kind: "atom", atom: { source: text, modifiers: modifiers.replace("m", "") } };
  }

  function wordEdge(edge: Edge, modifiers: string): PatternNode {
    return {
      kind: "edge",
      edge,
      word: { source: "\\w", modifiers: modifiers.replace(/[ms]/g, "") },
    };
  }

  function backreference(indexes: readonly number[], modifiers: string): PatternNode {
    hasBackreference = true;
    return { kind: "backreference", groups: indexes, modifiers };
  }

  function readEscape(modifiers: string): PatternNode {
    const rest = source.slice(at + 1, at + 12);
    if (/^b/i.test(rest)) {
      at += 2;
      return wordEdge(rest.startsWith("b") ? "boundary" : "no_boundary", modifiers);
    }
    const digits = /^[1-9]\d*/.exec(rest)?.[0];
    if (digits !== undefined && Number(digits) < groups.count) {
      at += 1 + digits.length;
      return backreference([Number(digits)], modifiers);
    }
    if (rest.startsWith("k") && groups.names.size > 0) {
      const end = source.indexOf(">", at);
      const named = groups.names.get(source.slice(at + 3, end)) ?? [];
      at = end + 1;
      return backreference(named, modifiers);
    }
    const text = readMatch(unicode ? UNICODE_ESCAPE : LEGACY_ESCAPE)?.[0] ?? "\\";
    if (!unicode && text === "\\c") {
      // Annex B: a `\c` without a letter after it is a backslash and a `c`.
      at--;
      return atomNode("\\\\", modifiers);
    }
    return atomNode(text, modifiers);
  }

  function readClass(modifiers: string): PatternNode {
    const start = at++;
    while (source[at] !== "]") at += source[at] === "\\" ? 2 : 1;
    at++;
    return atomNode(source.slice(start, at), modifiers);
  }

  function readGroup(modifiers: string): PatternNode {
    const opening = readMatch(GROUP_OPENING);
    const mark = opening?.[1];
    const added = opening?.[3];
    const removed = opening?.[4] ?? "";
    const capturing = mark === undefined && added === undefined;
    const index = nextGroup;
    if (capturing) nextGroup++;
    const inner = added === undefined
      ? modifiers
      : [..."ims"].filter((one) => (modifiers + added).includes(one) && !removed.includes(one))
        .join("");
    if (++openGroups > MAX_GROUPS) {
      throw new PatternTooLarge(
        `The pattern is too large: its groups are nested more than ${MAX_GROUPS} levels deep.`,
      );
    }
    const body = readChoice(inner);
    openGroups--;
    at++;
    if (capturing) return { kind: "group", index, body };
    if (mark === undefined || mark === ":") return body;
    return { kind: "look", behind: mark.startsWith("<"), negated: mark.endsWith("!"), body };
  }

  function readTerm(modifiers: string): PatternNode {
    switch (source[at]) {
      case "^":
        at++;
        return { kind: "edge", edge: modifiers.includes("m") ? "line_start" : "start", word: null };
      case "$":
        at++;
        return { kind: "edge", edge: modifiers.includes("m") ? "line_end" : "end", word: null };
      case ".":
        at++;
        return atomNode(".", modifiers);
      case "(":
        return readGroup(modifiers);
      case "[":
        return readClass(modifiers);
      case "\\":
        return readEscape(modifiers);
      default: {
        const text = unicode
          ? String.fromCodePoint(source.codePointAt(at) ?? 0)
          : source.charAt(at);
        at += text.length;
        // Annex B allows `]`, `{` and `}` as literal characters.
        return atomNode(SYNTAX.includes(text) ? `\\${text}` : text, modifiers);
      }
    }
  }

  function readQuantifier(): [min: number, max: number] | null {
    switch (source[at]) {
      case "*":
        at++;
        return [0, Infinity];
      case "+":
        at++;
        return [1, Infinity];
      case "?":
        at++;
        return [0, 1];
      case "{": {
        const match = readMatch(COUNT);
        if (match === null) return null;
        const min = Number(match[1]);
        const max = match[2] === undefined ? min : match[3] === "" ? Infinity : Number(match[3]);
        largestCount = Math.max(largestCount, min, max === Infinity ? 0 : max);
        return [min, max];
      }
      default:
        return null;
    }
  }

  function readSequence(modifiers: string): PatternNode {
    const items: PatternNode[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const firstGroup = nextGroup;
      const body = readTerm(modifiers);
      const count = readQuantifier();
      if (count === null) {
        items.push(body);
        continue;
      }
      const greedy = source[at] !== "?";
      if (!greedy) at++;
      const [min, max] = count;
      items.push({ kind: "repeat", body, min, max, greedy, groups: [firstGroup, nextGroup] });
    }
    return items.length === 1 ? items[0] ?? EMPTY : { kind: "sequence", items };
  }

  function readChoice(modifiers: string): PatternNode {
    const items = [readSequence(modifiers)];
    while (source[at] === "|") {
      at++;
      items.push(readSequence(modifiers));
    }
    return items.length === 1 ? items[0] ?? EMPTY : { kind: "choice", items };
  }

  const root = readChoice("");
  return { root, unicode, groupCount: groups.count, hasBackreference, largestCount };
}
