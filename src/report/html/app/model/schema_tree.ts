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

/** Which of some schemas are written directly inside which. */
function nesting(all: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const inside = new Map<string, string[]>();
  for (const pointer of all) {
    for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1)) {
      const outer = pointer.slice(0, end);
      if (!all.has(outer)) continue;
      appendTo(inside, outer, pointer);
      break;
    }
  }
  return inside;
}

/** The position of a branch in the tree: by the first of its keywords; branches without any come last. */
function branchOrder({ keywords, children }: SchemaBranch): number {
  return Math.min(keywords[0]?.row ?? Infinity, ...children.map((child) => branchOrder(child)));
}

/** The schema with references followed in place; several trees where the report doesn't say how they hang together. */
export function schemaTree({ references }: Model, parameter: Parameter): SchemaBranch[] {
  const { schema: root, schema_path: own, name } = parameter;
  const keywordsOf = groupItems(parameter.keywords, ({ schema }) => schema);
  const classesOf = groupItems(parameter.classes, ({ schema_path }) => schema_path);
  const chosenOf = new Map<string, number>(
    parameter.keywords.flatMap(({ schema_path, chosen = [] }) =>
      chosen.map((hits, alternative) => [`${schema_path}/${alternative}`, hits] as const)
    ),
  );
  /** The schemas with keywords or classes. */
  const filled = new Set([...keywordsOf.keys(), ...classesOf.keys()]);
  const roots = root === undefined ? [] : [root];
  const inside = nesting(new Set([...filled, ...roots, ...[...references].flat()]));
  const shown = new Set<string>();

  function makeBranch(pointer: string, step: string): SchemaBranch | null {
    if (shown.has(pointer)) return null;
    shown.add(pointer);
    const keywords = [...keywordsOf.get(pointer) ?? []];
    const classes = [...classesOf.get(pointer) ?? []];
    const children = (inside.get(pointer) ?? []).flatMap((inner) =>
      makeBranch(inner, stepTo(inner.slice(pointer.length + 1))) ?? []
    );
    const target = references.get(pointer);
    const repeated = target !== undefined && shown.has(target);
    if (target !== undefined && !repeated) {
      // A reference is transparent: its target takes its place.
      const there = makeBranch(target, step);
      keywords.push(...there?.keywords ?? []);
      classes.push(...there?.classes ?? []);
      children.push(...there?.children ?? []);
    }
    if (keywords.length + classes.length + children.length === 0 && !repeated) return null;
    children.sort((left, right) => branchOrder(left) - branchOrder(right) || 0);
    const gaps = keywords.filter((keyword) => missingParts(keyword) !== null).length;
    return {
      pointer,
      step,
      component: target === undefined ? "" : target.slice(target.lastIndexOf("/") + 1),
      repeated,
      chosen: chosenOf.get(pointer) ?? null,
      keywords,
      classes,
      children,
      gaps: children.reduce((sum, { gaps }) => sum + gaps, gaps),
      hasUnsent: classes.some(isUnsent) || children.some(({ hasUnsent }) => hasUnsent),
    };
  }

  // After its own schema come those that no reference leads to, as far as this report knows: each with the outermost of
  // the schemas with keywords around it.
  const tops = Array.from(filled, (pointer) => {
    let top = pointer;
    for (let outer = top; outer !== "";) {
      if (keywordsOf.has(outer)) top = outer;
      outer = outer.slice(0, Math.max(0, outer.lastIndexOf("/")));
    }
    return top;
  });
  return [...roots, ...tops].flatMap((pointer) => {
    const isOwn = pointer === root || pointer.startsWith(`${own}/`);
    const step = isOwn ? ` ${name}` : stepTo(pointer.slice(pointer.lastIndexOf("/") + 1));
    const branch = makeBranch(pointer, step);
    const { keywords = [], classes = [], children = [] } = branch ?? {};
    return branch === null || keywords.length + classes.length + children.length === 0
      ? []
      : [branch];
  });
}
