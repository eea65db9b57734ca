import { appendTo, groupItems } from "../../../../values/collections.ts";
import { pointerTokens } from "../../../../values/json_pointer.ts";
import { schemaSteps } from "../../../wording/place_name.ts";
import { type ClassMark, type Keyword, missingParts, type Model, type Parameter } from "./model.ts";

export interface SchemaBranch {
  /** Its pointer. For a schema that is only a reference, the pointer of the reference, not of its target. */
  readonly pointer: string;
  /** The step from the parent schema, to append to the parent's name: `.name`, `[]`, ` anyOf[0]`. */
  readonly step: string;
  readonly component: string;
  /** True if the target of its reference already occurs further up in the tree. */
  readonly repeated: boolean;
  /** How often `discriminator` selected it among the alternatives. Null without `discriminator`. */
  readonly chosen: number | null;
  readonly keywords: readonly Keyword[];
  readonly classes: readonly ClassMark[];
  readonly children: readonly SchemaBranch[];
  readonly gaps: number;
  /** True if a class of values here or further down was never sent. */
  readonly hasUnsent: boolean;
}

export function isUnsent({ hits }: ClassMark): boolean {
  return hits === 0;
}

/** The steps from a schema to one within it, to append to its name. */
function stepTo(rest: string): string {
  return schemaSteps(pointerTokens(`/${rest}`)).join("");
}

export function branchLabel(step: string): string {
  return step.replace(/^[. ]/, "");
}

/** For each of the given schemas, the ones nested directly in it. */
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

/** The sort key of a branch: the row of its first keyword. Branches without keywords come last. */
function branchOrder({ keywords, children }: SchemaBranch): number {
  return Math.min(keywords[0]?.row ?? Infinity, ...children.map((child) => branchOrder(child)));
}

/** The schemas of a parameter as a tree that follows references; several trees if the report doesn't connect them. */
export function schemaTree({ references }: Model, parameter: Parameter): SchemaBranch[] {
  const { schema: root, schema_path: own, name } = parameter;
  const keywordsBySchema = groupItems(parameter.keywords, ({ schema }) => schema);
  const classesBySchema = groupItems(parameter.classes, ({ schema_path }) => schema_path);
  const hitsByAlternative = new Map<string, number>(
    parameter.keywords.flatMap(({ schema_path, chosen = [] }) =>
      chosen.map((hits, alternative) => [`${schema_path}/${alternative}`, hits] as const)
    ),
  );
  const filled = new Set([...keywordsBySchema.keys(), ...classesBySchema.keys()]);
  const roots = root === undefined ? [] : [root];
  const inside = nesting(new Set([...filled, ...roots, ...[...references].flat()]));
  const shown = new Set<string>();

  function makeBranch(pointer: string, step: string): SchemaBranch | null {
    if (shown.has(pointer)) return null;
    shown.add(pointer);
    const keywords = [...keywordsBySchema.get(pointer) ?? []];
    const classes = [...classesBySchema.get(pointer) ?? []];
    const children = (inside.get(pointer) ?? []).flatMap((inner) =>
      makeBranch(inner, stepTo(inner.slice(pointer.length + 1))) ?? []
    );
    const target = references.get(pointer);
    const repeated = target !== undefined && shown.has(target);
    if (target !== undefined && !repeated) {
      // The target of a reference takes the place of the reference.
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
      chosen: hitsByAlternative.get(pointer) ?? null,
      keywords,
      classes,
      children,
      gaps: children.reduce((sum, { gaps }) => sum + gaps, gaps),
      hasUnsent: classes.some(isUnsent) || children.some(({ hasUnsent }) => hasUnsent),
    };
  }

  // After the parameter's own schema come those that aren't connected to it in this report, each within the outermost
  // schema that has keywords.
  const tops = Array.from(filled, (pointer) => {
    let top = pointer;
    for (let outer = top; outer !== "";) {
      if (keywordsBySchema.has(outer)) top = outer;
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
