import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from "js-yaml";
import type { Event, ScalarEvent } from "js-yaml";
import { getOrAdd, setOwn } from "../values/collections.ts";
import { indentYaml } from "../values/indent_yaml.ts";
import { joinPointer } from "../values/json_pointer.ts";
import { type TextPosition, textPositions } from "../values/text_position.ts";
import type { EntryIndex, IndexedEntry } from "./document_set.ts";

export class YamlError extends SyntaxError {
  readonly position: TextPosition;

  constructor(sentence: string, position: TextPosition, cause?: unknown) {
    super(sentence, { cause });
    this.name = "YamlError";
    this.position = position;
  }
}

/** A key that a mapping has twice, with the position of the later one, which counts (as in JSON). */
export interface RepeatedKey extends TextPosition {
  /** RFC 6901 pointer of the entry. */
  readonly pointer: string;
  readonly key: string;
}

export interface YamlDocument {
  /** A tree of JSON values: no two places share an object. */
  readonly value: unknown;
  readonly repeatedKeys: readonly RepeatedKey[];
  /** The first line, in a flow collection or quoted text, that should be indented deeper. */
  readonly unindented: TextPosition | undefined;
}

/** The parse events of a YAML text, with the text that their offsets refer to. */
interface YamlEvents {
  readonly events: readonly Event[];
  /** The original text, or a copy with spaces added at the beginning of lines. */
  readonly text: string;
  readonly unindented: TextPosition | undefined;
  /** Returns the position in the original text. */
  positionAt(offset: number): TextPosition;
}

/** Maximum number of values that aliases may add to the written ones. */
const MAX_EXPANSION = 1_000_000;

/** Reads a YAML 1.2 text with the core schema into a tree of JSON values. */
export function readYaml(text: string): YamlDocument {
  return new Builder(yamlEvents(text)).build();
}

/**
 * Parses a text again to find positions in it, as recording them would slow down every load. Values that come from
 * aliases and merge keys have the position at the anchor.
 */
export function indexYaml(text: string): EntryIndex {
  const source = yamlEvents(text);
  const entries = new Map<unknown, Map<string, IndexedEntry>>();
  const builder = new Builder(source, entries);
  builder.build();
  return {
    root: builder.root,
    listEntries: ({ value }) => entries.get(value),
    positionAt: source.positionAt,
  };
}

/** Parses a text into events. Lines of flow collections and quoted texts may be indented too little. */
function yamlEvents(text: string): YamlEvents {
  const positionAt = textPositions(text);
  try {
    return { events: parseOrThrow(text, positionAt), text, unindented: undefined, positionAt };
  } catch (error) {
    const indented = error instanceof YamlError ? indentYaml(text) : undefined;
    if (indented === undefined) throw error;
    const { text: changed, first, originalOffset } = indented;
    const originalPosition = (offset: number): TextPosition => positionAt(originalOffset(offset));
    return {
      events: parseOrThrow(changed, originalPosition),
      text: changed,
      unindented: positionAt(first),
      positionAt: originalPosition,
    };
  }
}

function parseOrThrow(text: string, positionAt: YamlEvents["positionAt"]): Event[] {
  try {
    return parseEvents(text, { maxDepth: MAX_LEVELS });
  } catch (error) {
    if (error instanceof YAMLException) {
      const offset = error.mark?.position ?? 0;
      throw new YamlError(explainReason(error.reason, text[offset]), positionAt(offset), error);
    }
    if (error instanceof RangeError) {
      throw new YamlError("The document is nested too deeply.", positionAt(0), error);
    }
    throw error;
  }
}

function explainReason(reason: string, unexpected: string | undefined): string {
  if (unexpected === "#") return "A comment must have a space before its `#`.";
  if (reason.includes("tab characters")) {
    return "YAML does not allow tabs for indentation: replace them with spaces.";
  }
  if (reason.startsWith("nesting exceeded")) return TOO_DEEP;
  return reason.slice(0, 1).toUpperCase() + reason.slice(1) + ".";
}

type YamlObject = Record<string, unknown>;

interface Frame {
  readonly container: YamlObject | unknown[];
  readonly anchor: Anchor | undefined;
  readonly start: number;
  key: string | undefined;
  /** Undefined for a key without text. */
  keyStart: number | undefined;
  keyIsMerge: boolean;
  /** Keys that came from a merge key, which explicit keys may replace. */
  merged: Set<string> | undefined;
}

interface Anchor {
  value: unknown;
  complete: boolean;
}

class Builder {
  readonly #source: YamlEvents;
  readonly #text: string;
  readonly #frames: Frame[] = [];
  readonly #anchors = new Map<string, Anchor>();
  readonly #repeatedKeys: RepeatedKey[] = [];
  readonly #entries: Map<unknown, Map<string, IndexedEntry>> | undefined;
  #expanded = 0;
  /** The offset after the last scalar or alias. */
  #end = 0;
  root: IndexedEntry = { start: 0, end: 1, value: null };

  /** @param entries Filled with the positions of entries; undefined if they aren't needed. */
  constructor(source: YamlEvents, entries?: Map<unknown, Map<string, IndexedEntry>>) {
    this.#source = source;
    this.#text = source.text;
    this.#entries = entries;
  }

  build(): YamlDocument {
    const { events, unindented } = this.#source;
    let documents = 0;
    for (const event of events) {
      if (event.type === EVENT_ID.DOCUMENT) documents++;
      else if (documents > 1 && event.type !== EVENT_ID.POP) {
        this.#refuseSecondDocument(event);
        continue;
      }
      switch (event.type) {
        case EVENT_ID.SCALAR:
          this.#addScalar(event);
          break;
        case EVENT_ID.MAPPING:
        case EVENT_ID.SEQUENCE: {
          const container = event.type === EVENT_ID.MAPPING ? {} : [];
          const top = this.#frames.at(-1);
          if (top !== undefined && !Array.isArray(top.container) && top.key === undefined) {
            throw this.#error("A key must be text, not a mapping or a list.", event.start);
          }
          this.#frames.push({
            container,
            anchor: this.#setAnchor(event, container, false),
            start: event.start,
            key: undefined,
            keyStart: undefined,
            keyIsMerge: false,
            merged: undefined,
          });
          break;
        }
        case EVENT_ID.ALIAS:
          this.#addAlias(event.anchorStart, event.anchorEnd);
          break;
        case EVENT_ID.POP: {
          const frame = this.#frames.pop();
          if (frame === undefined) break; // the end of the document
          if (frame.anchor !== undefined) frame.anchor.complete = true;
          this.#add(frame.container, frame.start);
          break;
        }
      }
    }
    return { value: this.root.value, repeatedKeys: this.#repeatedKeys, unindented };
  }

  #error(sentence: string, offset: number): YamlError {
    return new YamlError(sentence, this.#source.positionAt(offset));
  }

  #refuseSecondDocument(event: Event): void {
    const offset = "valueStart" in event ? event.valueStart : "start" in event ? event.start : 0;
    if (offset < 0) return; // an empty document after the last `---`
    throw this.#error(
      "The file contains several YAML documents (`---`): keep one description per file.",
      offset,
    );
  }

  #setAnchor(
    event: { readonly anchorStart: number; readonly anchorEnd: number },
    value: unknown,
    complete: boolean,
  ): Anchor | undefined {
    if (event.anchorStart < 0) return undefined;
    const anchor = { value, complete };
    this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), anchor);
    return anchor;
  }

  #addScalar(event: ScalarEvent): void {
    const source = getScalarValue(this.#text, event);
    const start = scalarStart(event);
    const previousEnd = this.#end;
    this.#end = this.#scalarEnd(event);
    const frame = this.#frames.at(-1);
    const tag = event.tagStart < 0 ? "" : this.#text.slice(event.tagStart, event.tagEnd);
    if (frame !== undefined && !Array.isArray(frame.container) && frame.key === undefined) {
      this.#setAnchor(event, source, true);
      frame.key = source;
      frame.keyStart = start;
      frame.keyIsMerge = source === "<<" && event.style === SCALAR_STYLE.PLAIN;
      return;
    }
    const value = scalarValue(source, event.style === SCALAR_STYLE.PLAIN, tag);
    this.#setAnchor(event, value, true);
    this.#add(value, start ?? previousEnd);
  }

  /** Returns the end of a scalar, without the blank lines after a block. */
  #scalarEnd({ style, valueStart, valueEnd }: ScalarEvent): number {
    if (valueEnd < 0) return this.#end;
    let end = valueEnd;
    if (style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK) {
      while (end > valueStart && /\s/.test(this.#text[end - 1] ?? "")) end--;
    }
    return end;
  }

  #addAlias(start: number, end: number): void {
    const name = this.#text.slice(start, end);
    this.#end = end;
    const anchor = this.#anchors.get(name);
    if (anchor === undefined) {
      throw this.#error(`There is no anchor \`&${name}\` before this alias.`, start - 1);
    }
    if (!anchor.complete) {
      throw this.#error(
        `The alias \`*${name}\` is inside the node it refers to: use \`$ref\` for recursion.`,
        start - 1,
      );
    }
    const frame = this.#frames.at(-1);
    if (frame !== undefined && !Array.isArray(frame.container) && frame.key === undefined) {
      if (typeof anchor.value === "object" && anchor.value !== null) {
        throw this.#error("A key must be text, not a mapping or a list.", start - 1);
      }
      frame.key = String(anchor.value);
      frame.keyStart = start - 1;
      frame.keyIsMerge = false;
      return;
    }
    this.#add(this.#copy(anchor.value, start - 1), start - 1);
  }

  /** Copies the value of an alias, so that no two places of the tree share an object. */
  #copy(value: unknown, offset: number): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (++this.#expanded > MAX_EXPANSION) {
      throw this.#error(
        `The aliases of this document repeat more than ${
          MAX_EXPANSION.toLocaleString("en-US")
        } values: use \`$ref\` instead.`,
        offset,
      );
    }
    const copy = (Array.isArray(value) ? [] : {}) as YamlObject;
    for (const [key, member] of Object.entries(value)) {
      setOwn(copy, key, this.#copy(member, offset));
    }
    const entries = this.#entries?.get(value);
    if (entries !== undefined) this.#entries?.set(copy, entries);
    return copy;
  }

  #add(value: unknown, start: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.root = this.#createEntry(start, value);
      return;
    }
    const { container } = frame;
    if (Array.isArray(container)) {
      this.#addEntry(container, String(container.length), this.#createEntry(start, value));
      container.push(value);
      return;
    }
    const entryStart = frame.keyStart ?? start;
    const key = frame.key ?? ""; // set before every value of a mapping
    frame.key = undefined;
    if (frame.keyIsMerge && this.#merge(frame, container, value)) return;
    if (Object.hasOwn(container, key) && frame.merged?.delete(key) !== true) {
      const tokens = this.#frames.slice(0, -1).map(frameToken);
      this.#repeatedKeys.push({
        pointer: joinPointer([...tokens, key]),
        key,
        ...this.#source.positionAt(entryStart),
      });
    }
    setOwn(container, key, value);
    this.#addEntry(container, key, this.#createEntry(entryStart, value));
  }

  #createEntry(start: number, value: unknown): IndexedEntry {
    return { start, end: Math.max(this.#end, start + 1), value };
  }

  #addEntry(container: object, key: string, entry: IndexedEntry | undefined): void {
    if (this.#entries === undefined || entry === undefined) return;
    getOrAdd(this.#entries, container, () => new Map<string, IndexedEntry>()).set(key, entry);
  }

  /** Adds the entries of a mapping, or of a list of mappings, to another. Existing entries stay. */
  #merge(frame: Frame, target: YamlObject, value: unknown): boolean {
    const sources = Array.isArray(value) ? value : [value];
    const mappings = sources.filter((source): source is YamlObject =>
      typeof source === "object" && source !== null && !Array.isArray(source)
    );
    if (mappings.length !== sources.length) return false;
    frame.merged ??= new Set();
    for (const source of mappings) {
      for (const [key, member] of Object.entries(source)) {
        if (Object.hasOwn(target, key)) continue;
        setOwn(target, key, member);
        this.#addEntry(target, key, this.#entries?.get(source)?.get(key));
        frame.merged.add(key);
      }
    }
    return true;
  }
}

/** The offset at which a scalar begins: its opening quote if it has one; undefined if it is empty. */
function scalarStart({ style, valueStart }: ScalarEvent): number | undefined {
  if (valueStart < 0) return undefined;
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  return isQuoted ? valueStart - 1 : valueStart;
}

/** Returns the reference token that leads from a frame to the value that is being built in it. */
function frameToken(frame: Frame): string {
  return Array.isArray(frame.container) ? String(frame.container.length) : frame.key ?? "";
}

const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITY = /^([-+]?)\.(?:inf|Inf|INF)$/;

/** Returns the value of a scalar in the core schema (YAML 1.2.2, section 10.3.2). */
function scalarValue(source: string, plain: boolean, tag: string): unknown {
  if (tag === "!" || /^!!(str|binary|timestamp)$/.test(tag)) return source;
  return plain || /^!!(null|bool|int|float)$/.test(tag) ? coreValue(source) : source;
}

function coreValue(source: string): unknown {
  const code = source.charCodeAt(0);
  // A number begins with a digit, a sign or a dot. Other values begin with n, t, f (in either case) or `~`.
  if (code <= 0x39) {
    if (INTEGER.test(source) || FLOAT.test(source)) return Number(source);
    const infinity = INFINITY.exec(source);
    if (infinity !== null) return infinity[1] === "-" ? -Infinity : Infinity;
    return /^\.(?:nan|NaN|NAN)$/.test(source) ? NaN : source;
  }
  switch (source) {
    case "":
    case "~":
    case "null":
    case "Null":
    case "NULL":
      return null;
    case "true":
    case "True":
    case "TRUE":
      return true;
    case "false":
    case "False":
    case "FALSE":
      return false;
    default:
      return source;
  }
}

/** The maximum nesting depth of lists and objects in a description, in JSON and in YAML. */
export const MAX_LEVELS = 1_000;

export const TOO_DEEP = `The document is nested more than ${MAX_LEVELS} levels deep.`;
