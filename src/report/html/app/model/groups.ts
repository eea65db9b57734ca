import type { Model, Operation } from "./model.ts";

/** The criteria by which operations are grouped. */
export type Grouping = "tag" | "path" | "none";

/** Operations that belong together. */
export interface Group {
  readonly name: string;
  readonly operations: readonly Operation[];
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** The number of leading segments that all paths share (`/api/v1`), leaving each at least one. */
function sharedSegments(operations: readonly Operation[]): number {
  let shared: readonly string[] | undefined;
  for (const { data } of operations) {
    const segments = segmentsOf(data.path).slice(0, -1);
    if (shared === undefined) shared = segments;
    else {
      const differs = shared.findIndex((segment, index) => segment !== segments[index]);
      if (differs >= 0) shared = shared.slice(0, differs);
    }
  }
  return shared?.length ?? 0;
}

/** The grouping that suits a description: by tag where it has tags. */
export function naturalGrouping(model: Model): Grouping {
  return model.operations.some(({ data }) => data.tags.length > 0) ? "tag" : "path";
}

/**
 * Groups operations; the groups come in the order of their first operation, so each group's
 * operations keep the order they have in the list.
 *
 * @param model The report; it decides which leading segments of all paths say nothing.
 * @param operations What to group.
 * @param grouping By first tag, by path, or all in one group without a name.
 */
export function groupOperations(
  model: Model,
  operations: readonly Operation[],
  grouping: Grouping,
): Group[] {
  if (grouping === "none") return [{ name: "", operations }];
  const skip = grouping === "path" ? sharedSegments(model.operations) : 0;
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const name = grouping === "tag"
      ? operation.data.tags[0] ?? "untagged"
      : `/${segmentsOf(operation.data.path)[skip] ?? ""}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [operation]);
    else group.push(operation);
  }
  return [...groups].map(([name, members]) => ({ name, operations: members }));
}
