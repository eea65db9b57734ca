import { type Event, EVENT_ID, getScalarValue, SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import type { YamlEvents } from "./read_yaml.ts";
import { unescapeToken } from "../values/json_pointer.ts";

export interface PointerTree {
  pointer: string | undefined;
  children: Map<string, PointerTree>;
}

/** Called with what was found: offsets of the entry and of the end of its value. */
export type Found = (pointer: string, start: number, end: number) => void;

/** Shared by all that has nothing below it, which is most of a tree: stays empty. */
const NOTHING: Map<string, PointerTree> = new Map();

/** Pointers may be hundreds of thousands, mostly in order: each is added from where it parts from the last. */
export function pointerTree(pointers: Iterable<string>): PointerTree {
  const tree: PointerTree = { pointer: undefined, children: NOTHING };
  /** The nodes on the way to the last pointer, each with where its token ends in it. */
  const nodes = [tree];
  const ends = [0];
  let last = "";
  for (const pointer of pointers) {
    const shared = sharedLength(last, pointer);
    while (nodes.length > 1 && !endsToken(pointer, ends[ends.length - 1] ?? 0, shared)) {
      nodes.pop();
      ends.pop();
    }
    let node = nodes[nodes.length - 1] ?? tree;
    let end = ends[ends.length - 1] ?? 0;
    while (end < pointer.length) {
      const slash = pointer.indexOf("/", end + 1);
      const next = slash < 0 ? pointer.length : slash;
      node = childOf(node, unescapeToken(pointer.slice(end + 1, next)));
      end = next;
      nodes.push(node);
      ends.push(end);
    }
    node.pointer = pointer;
    last = pointer;
  }
  return tree;
}

function sharedLength(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}

/** True if a token of the last pointer that ends there is one of this pointer too. */
function endsToken(pointer: string, end: number, shared: number): boolean {
  return end <= shared && (end === pointer.length || pointer[end] === "/");
}

function childOf(node: PointerTree, token: string): PointerTree {
  let child = node.children.get(token);
  if (child === undefined) {
    child = { pointer: undefined, children: NOTHING };
    if (node.children === NOTHING) node.children = new Map([[token, child]]);
    else node.children.set(token, child);
  }
  return child;
}

export function locateInYaml({ events, text }: YamlEvents, tree: PointerTree, found: Found): void {
  const root = events.findIndex((event) => event.type === EVENT_ID.DOCUMENT) + 1;
  new Visitor(text, events, found).visit(root, tree, undefined);
}

class Visitor {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #found: Found;
  /** The events at which nodes with an anchor begin, by name; the last one that was passed. */
  readonly #anchors = new Map<string, number>();
  /** The end of the text that was passed last. */
  #end = 0;

  constructor(text: string, events: readonly Event[], found: Found) {
    this.#text = text;
    this.#events = events;
    this.#found = found;
  }

  /** Gives the index after a node; `entry` is the offset of its key, or where a node without one begins. */
  visit(index: number, tree: PointerTree | undefined, entry: number | undefined): number {
    const event = this.#events[index];
    if (event === undefined) return index + 1;
    this.#remember(event, index);
    const start = entry ?? startOf(event) ?? this.#end;
    const next = this.#visitContent(event, index, tree);
    if (tree?.pointer !== undefined) {
      this.#found(tree.pointer, start, Math.max(this.#end, start + 1));
    }
    return next;
  }

  #visitContent(event: Event, index: number, tree: PointerTree | undefined): number {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        this.#end = this.#endOf(event);
        return index + 1;
      case EVENT_ID.ALIAS: {
        const target = this.#anchors.get(this.#text.slice(event.anchorStart, event.anchorEnd));
        if (target !== undefined && tree !== undefined && tree.children.size > 0) {
          this.#visitContent(this.#events[target] ?? event, target, tree);
        }
        this.#end = event.anchorEnd;
        return index + 1;
      }
      case EVENT_ID.MAPPING:
        return tree === undefined ? this.#skip(index) : this.#visitMapping(index, tree);
      case EVENT_ID.SEQUENCE:
        return tree === undefined ? this.#skip(index) : this.#visitSequence(index, tree);
      default:
        return index + 1;
    }
  }

  #visitMapping(start: number, tree: PointerTree): number {
    const missing = new Map(tree.children);
    const merges: number[] = [];
    let index = start + 1;
    while (index < this.#events.length) {
      const key = this.#events[index];
      if (key === undefined || key.type === EVENT_ID.POP) break;
      const name = this.#keyText(key);
      this.#remember(key, index);
      const entry = startOf(key);
      if (name === "<<") merges.push(index + 1);
      const child = name === undefined ? undefined : tree.children.get(name);
      if (name !== undefined) missing.delete(name);
      index = this.visit(index + 1, child, entry);
    }
    const end = this.#end;
    for (const merge of merges) {
      if (missing.size > 0) this.#visitMerged(merge, { pointer: undefined, children: missing });
    }
    this.#end = end;
    return index + 1;
  }

  /** Looks for entries in what a merge key (`<<`) takes over: a mapping, an alias, or a list of these. */
  #visitMerged(index: number, tree: PointerTree): void {
    const event = this.#events[index];
    if (event?.type === EVENT_ID.SEQUENCE) {
      for (let item = index + 1; this.#events[item]?.type !== EVENT_ID.POP; item++) {
        const before = this.#events[item];
        if (before === undefined) return;
        this.#visitMerged(item, tree);
        item = this.#skip(item) - 1;
      }
    } else if (event !== undefined) {
      this.#visitContent(event, index, tree);
    }
  }

  #visitSequence(start: number, tree: PointerTree): number {
    let index = start + 1;
    for (let item = 0; index < this.#events.length; item++) {
      if (this.#events[index]?.type === EVENT_ID.POP) break;
      index = this.visit(index, tree.children.get(String(item)), undefined);
    }
    return index + 1;
  }

  #skip(start: number): number {
    let depth = 0;
    for (let index = start; index < this.#events.length; index++) {
      const event = this.#events[index];
      if (event === undefined) break;
      if (event.type === EVENT_ID.POP) depth--;
      else {
        this.#remember(event, index);
        if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) depth++;
        else if (event.type === EVENT_ID.SCALAR) this.#end = this.#endOf(event);
        else if (event.type === EVENT_ID.ALIAS) this.#end = event.anchorEnd;
      }
      if (depth === 0) return index + 1;
    }
    return this.#events.length;
  }

  #remember(event: Event, index: number): void {
    if (event.type === EVENT_ID.ALIAS || !("anchorStart" in event) || event.anchorStart < 0) return;
    this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), index);
  }

  #keyText(event: Event): string | undefined {
    if (event.type === EVENT_ID.SCALAR) return getScalarValue(this.#text, event);
    if (event.type !== EVENT_ID.ALIAS) return undefined;
    const target = this.#anchors.get(this.#text.slice(event.anchorStart, event.anchorEnd));
    const scalar = target === undefined ? undefined : this.#events[target];
    return scalar?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, scalar) : undefined;
  }

  /** The end of a scalar in the text, without the blank lines after a block. */
  #endOf(event: ScalarEvent): number {
    if (event.valueEnd < 0) return this.#end;
    let end = event.valueEnd;
    if (event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK) {
      while (end > event.valueStart && /\s/.test(this.#text[end - 1] ?? "")) end--;
    }
    return end;
  }
}

/** The beginning of a node in the text: its opening quote, or undefined for an empty one. */
function startOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.SCALAR) {
    if (event.valueStart < 0) return undefined;
    const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED ||
      event.style === SCALAR_STYLE.DOUBLE_QUOTED;
    return quoted ? event.valueStart - 1 : event.valueStart;
  }
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return "start" in event ? event.start : undefined;
}
