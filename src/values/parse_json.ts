import type { Json } from "./json.ts";
import { textPositions } from "./text_position.ts";

export class JsonSyntaxError extends SyntaxError {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;

  constructor(sentence: string, line: number, column: number, cause: unknown) {
    super(sentence, { cause });
    this.name = "JsonSyntaxError";
    this.line = line;
    this.column = column;
  }
}

/** Parses JSON; throws a JsonSyntaxError, which has a position on every engine. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const problem = findProblem(text) ??
      { offset: 0, sentence: `${cause instanceof Error ? cause.message : String(cause)}.` };
    const { line, column } = textPositions(text)(problem.offset);
    throw new JsonSyntaxError(problem.sentence, line, column, cause);
  }
}

interface Problem {
  readonly offset: number;
  readonly sentence: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /[^\s,:{}[\]"]+/y;

function findProblem(text: string): Problem | undefined {
  const problem = (sentence: string): Problem => ({ offset, sentence });
  const closers: ("}" | "]")[] = [];
  let offset = skipSpace(text, 0);
  let state: "value" | "first" | "key" | "after" = "value";
  while (true) {
    const character = text[offset];
    const closer = closers.at(-1);
    if (state === "after" && closer === undefined) {
      if (character === undefined) return undefined;
      return problem(`Unexpected ${quote(text, offset)} after the end of the JSON value.`);
    }
    if (character === undefined) {
      if (closer === undefined) return problem("The text is empty.");
      return problem(`The text ends before its last \`${closer}\`: it seems to be cut off.`);
    }
    if (state === "after") {
      if (character === ",") {
        offset = skipSpace(text, offset + 1);
        state = closer === "}" ? "key" : "value";
        if (text[offset] === closer) {
          return problem(`A comma before \`${closer}\` is not allowed: remove it.`);
        }
        continue;
      }
      if (character !== closer) {
        return problem(`Expected \`,\` or \`${closer}\`, found ${quote(text, offset)}.`);
      }
    }
    if (character === closer && (state === "first" || state === "after")) {
      closers.pop();
      offset = skipSpace(text, offset + 1);
      state = "after";
      continue;
    }
    if (closer === "}" && state !== "value") {
      if (character !== '"') {
        return problem(`Expected a name in double quotes, found ${quote(text, offset)}.`);
      }
      const end = endOfString(text, offset);
      if (typeof end !== "number") return end;
      offset = skipSpace(text, end);
      if (text[offset] !== ":") {
        return problem(`Expected \`:\` after the name, found ${quote(text, offset)}.`);
      }
      offset = skipSpace(text, offset + 1);
      state = "value";
      continue;
    }
    if (character === "{" || character === "[") {
      closers.push(character === "{" ? "}" : "]");
      offset = skipSpace(text, offset + 1);
      state = "first";
      continue;
    }
    const end = endOfScalar(text, offset);
    if (typeof end !== "number") return end;
    offset = skipSpace(text, end);
    state = "after";
  }
}

function endOfScalar(text: string, offset: number): number | Problem {
  if (text[offset] === '"') return endOfString(text, offset);
  const word = matchAt(WORD, text, offset);
  if (/^(?:true|false|null)$/.test(word)) return offset + word.length;
  const number = matchAt(NUMBER, text, offset);
  if (number !== "") return offset + number.length;
  return { offset, sentence: `Expected a JSON value, found ${quote(text, offset)}.` };
}

function endOfString(text: string, start: number): number | Problem {
  for (let offset = start + 1; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) return offset + 1;
    if (code < 0x20) {
      return {
        offset,
        sentence: code === 0x0a || code === 0x0d
          ? "A line break inside a string must be written as `\\n`; is a closing quote missing?"
          : "A control character inside a string must be escaped.",
      };
    }
    if (code === 0x5c) {
      const escape = text.slice(offset + 1, offset + 6);
      if (/^["\\/bfnrt]/.test(escape)) offset += 1;
      else if (/^u[0-9a-fA-F]{4}/.test(escape)) offset += 5;
      else {return {
          offset,
          sentence: `\`\\${escape.slice(0, 1)}\` is not a valid escape sequence in JSON.`,
        };}
    }
  }
  return {
    offset: text.length,
    sentence: "The text ends inside a string: it seems to be cut off.",
  };
}

export function skipSpace(text: string, start: number): number {
  let offset = start;
  while (true) {
    const code = text.charCodeAt(offset);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return offset;
    offset++;
  }
}

/** Returns the offset after the string at `start`, or the length of the text if the string is not closed. */
export function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function matchAt(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? "";
}

function quote(text: string, offset: number): string {
  if (offset >= text.length) return "the end of the text";
  const word = matchAt(WORD, text, offset);
  const shown = word === "" ? String.fromCodePoint(text.codePointAt(offset) ?? 0) : word;
  return `\`${shown.length > 20 ? shown.slice(0, 20) + "…" : shown}\``;
}

export function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON to look for ids in it: whole numbers that JavaScript would round are texts, as they are written. */
export function tryParseIds(text: string): Json | undefined {
  if (!/\d{16}/.test(text)) return tryParseJson(text);
  try {
    return JSON.parse(text, (_name, value, context?: { readonly source?: string }) => {
      const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
      return isRounded ? context?.source ?? value : value;
    });
  } catch {
    return undefined;
  }
}

export function isJson(text: string): boolean {
  return tryParseJson(text) !== undefined;
}
