import { appendTo, groupItems } from "../../../../values/collections.ts";
import { pointerTokens } from "../../../../values/json_pointer.ts";
import { schemaSteps } from "../../../wording/place_name.ts";
import { type ClassMark, type Keyword, missingParts, type Model, type Parameter } from "./model.ts";

export interface SchemaBranch {
  /** Its pointer; of a schema that is nothing but a reference, its own and not that of what it leads to. */
  readonly pointer: string;
  /** The step to it from the schema around it, as written after that schema's name: `.name`, `[]`, ` anyOf[0]`. */
  readonly step: string;
  readonly component: string;
  /** True if the target of its reference is further up in the tree. */
  readonly repeated: boolean;
  /** How often `discriminator` named it among its alternatives; null where none chooses. */
  readonly chosen: number | null;
  readonly keywords: readonly Keyword[];
  /** The classes of its values. */
  readonly classes: readonly ClassMark[];
  readonly children: readonly SchemaBranch[];
  readonly gaps: number;
  /** True if a class of its values, or of those within, was never sent. */
  readonly hasUnsent: boolean;
}

export function isUnsent({ hits }: ClassMark): boolean {
  return hits === 0;
}

/** The steps from a schema to one within it, as written after the name of the first. */
function stepTo(rest: string): string {
  return schemaSteps(pointerTokens(`/${rest}`)).join("");
}

export function branchLabel(step: string): string {
  return step.replace(/^[. ]/, "");
}

/** The schemas of a parameter by pointer, and which one is written inside which. */
class Places {
  readonly keywords = new Map<string, Keyword[]>();
  readonly inside = new Map<string, string[]>();
  readonly tops: string[] = [];
  readonly chosen = new Map<string, number>();
  readonly classes: ReadonlyMap<string, readonly ClassMark[]>;
  /** The schemas with keywords or classes. */
  readonly shown: ReadonlySet<string>;

  constructor({ references }: Model, parameter: Parameter) {
    for (const keyword of parameter.keywords) {
      appendTo(this.keywords, keyword.schema, keyword);
      keyword.chosen?.forEach((hits, alternative) =>
        this.chosen.set(`${keyword.schema_path}/${alternative}`, hits)
      );
    }
    this.classes = groupItems(parameter.classes, ({ schema_path }) => schema_path);
    const { schema: root } = parameter;
    this.shown = new Set([...this.keywords.keys(), ...this.classes.keys()]);
    const all = new Set(this.shown);
    if (root !== undefined) all.add(root);
    for (const [from, to] of references) all.add(from).add(to);
    for (const pointer of all) {
      const parent = enclosing(pointer, all);
      if (parent === null) this.tops.push(pointer);
      else appendTo(this.inside, parent, pointer);
    }
  }
}

function enclosing(pointer: string, all: ReadonlySet<string>): string | null {
  for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const outer = pointer.slice(0, end);
    if (all.has(outer)) return outer;
  }
  return null;
}

/** The position of a branch in the tree: by the first of its keywords; branches without any come last. */
function branchOrder({ keywords, children }: SchemaBranch): number {
  return Math.min(keywords[0]?.row ?? Infinity, ...children.map((child) => branchOrder(child)));
}

class Builder {
  readonly #model: Model;
  readonly #places: Places;
  readonly #shown = new Set<string>();

  constructor(model: Model, places: Places) {
    this.#model = model;
    this.#places = places;
  }

  branch(pointer: string, step: string): SchemaBranch | null {
    if (this.#shown.has(pointer)) return null;
    this.#shown.add(pointer);
    const keywords = [...this.#places.keywords.get(pointer) ?? []];
    const classes = [...this.#places.classes.get(pointer) ?? []];
    const children = this.#below(pointer);
    const target = this.#model.references.get(pointer);
    let repeated = false;
    if (target !== undefined) {
      repeated = this.#shown.has(target);
      if (!repeated) {
        // A reference is transparent: its target takes its place.
        const there = this.branch(target, step);
        keywords.push(...there?.keywords ?? []);
        classes.push(...there?.classes ?? []);
        children.push(...there?.children ?? []);
      }
    }
    if (keywords.length + classes.length + children.length === 0 && !repeated) return null;
    children.sort((left, right) => branchOrder(left) - branchOrder(right) || 0);
    const own = keywords.filter((keyword) => missingParts(keyword) !== null).length;
    return {
      pointer,
      step,
      component: target === undefined ? "" : target.slice(target.lastIndexOf("/") + 1),
      repeated,
      chosen: this.#places.chosen.get(pointer) ?? null,
      keywords,
      classes,
      children,
      gaps: children.reduce((sum, { gaps }) => sum + gaps, own),
      hasUnsent: classes.some(isUnsent) || children.some(({ hasUnsent }) => hasUnsent),
    };
  }

  #below(pointer: string): SchemaBranch[] {
    return (this.#places.inside.get(pointer) ?? []).flatMap((inner) => {
      const branch = this.branch(inner, stepTo(inner.slice(pointer.length + 1)));
      return branch === null ? [] : [branch];
    });
  }
}

/** The schema with references followed in place; several trees where the report doesn't say how they hang together. */
export function schemaTree(model: Model, parameter: Parameter): SchemaBranch[] {
  const { schema: root, schema_path: own, name } = parameter;
  const places = new Places(model, parameter);
  const builder = new Builder(model, places);
  const trees: SchemaBranch[] = [];
  const add = (pointer: string): void => {
    const inside = pointer === root || pointer.startsWith(`${own}/`);
    const step = inside ? ` ${name}` : stepTo(pointer.slice(pointer.lastIndexOf("/") + 1));
    const branch = builder.branch(pointer, step);
    if (
      branch !== null && branch.keywords.length + branch.classes.length + branch.children.length > 0
    ) {
      trees.push(branch);
    }
  };
  if (root !== undefined) add(root);
  // What no reference leads to, as far as this report knows.
  for (const pointer of places.shown) {
    let top = pointer;
    for (
      let outer = top;
      outer !== "";
      outer = outer.slice(0, Math.max(0, outer.lastIndexOf("/")))
    ) {
      if (places.keywords.has(outer)) top = outer;
    }
    add(top);
  }
  return trees;
}

export function branchKeywords({ keywords, children }: SchemaBranch): Keyword[] {
  return [...keywords, ...children.flatMap(branchKeywords)];
}
