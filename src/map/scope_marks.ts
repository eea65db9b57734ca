import { locatePaths } from "../openapi/locate.ts";
import type { LoadedDocument } from "../schema/part_positions.ts";
import { documentPath, escapeToken } from "../values/json_pointer.ts";
import { keywordsHolding } from "../values/keyword_table.ts";
import { readDay } from "./scope_pattern.ts";
import type { DocumentSet } from "../openapi/document_set.ts";

/** The field that excludes the object that contains it. */
export const IGNORE_FIELD = "x-covtool-ignore";

/** An occurrence of `x-covtool-ignore` in a description. */
export interface ScopeMark {
  readonly object: object;
  readonly schema_path: string;
  readonly reason: string | null;
  readonly until: string | null;
  /** For example, `openapi.yaml:12`. */
  readonly source: string;
  /** The problem of an unusable field, as a sentence; the field then excludes nothing. */
  readonly problem?: string;
}

/** Keywords whose members have arbitrary names, which may equal this field's name or that of a keyword with data. */
const NAME_MAPS = new Set([
  ...keywordsHolding("schemas_by_name"),
  ...["schemas", "parameters", "responses", "headers", "requestBodies", "pathItems", "content"],
]);
/** Keywords that contain data, where the field has no meaning. */
const DATA = new Set([...keywordsHolding("values"), "default", "example", "examples", "value"]);
const USAGE =
  "Give the reason as text, true, or an object with reason and until, such as { reason: …, until: 2027-01-31 }.";

/** Returns all `x-covtool-ignore` fields of a description, in document order. */
export function scopeMarks(documents: DocumentSet): readonly ScopeMark[] {
  const marks: { readonly object: Readonly<Record<string, unknown>>; readonly path: string }[] = [];
  for (const document of new Set(documents.documents.values())) {
    const text = documents.texts.get(document.label)?.text;
    const isAsWritten = document.label !== "" || documents.overlaid === undefined;
    if (isAsWritten && text !== undefined && !text.includes(IGNORE_FIELD)) continue;
    for (const [object, pointer] of objectsWithField(document)) {
      const path = documentPath(document.label, pointer);
      if (object[IGNORE_FIELD] !== false) marks.push({ object, path });
    }
  }
  if (marks.length === 0) return [];
  const paths = marks.map(({ path }) => `${path}/${IGNORE_FIELD}`);
  const locations = locatePaths(documents, paths);
  return marks.map(({ object, path }, index) => {
    const at = locations.get(paths[index] ?? "");
    const file = at === undefined || at.label === "" ? documents.location : at.label;
    const source = at === undefined ? `${file}#${path}` : `${file}:${at.line}`;
    return { object, schema_path: path, source, ...readMark(object[IGNORE_FIELD]) };
  });
}

function readMark(value: unknown): Pick<ScopeMark, "reason" | "until" | "problem"> {
  if (value === true) return { reason: null, until: null };
  if (typeof value === "string") return { reason: textOrNull(value), until: null };
  const unusable = { reason: null, until: null, problem: USAGE };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return unusable;
  const { reason, until } = value as Readonly<Record<string, unknown>>;
  if (reason !== undefined && typeof reason !== "string") return unusable;
  const text = textOrNull(reason);
  if (until === undefined) return { reason: text, until: null };
  try {
    return { reason: text, until: readDay(String(until)) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { reason: text, until: null, problem: error.message };
  }
}

function textOrNull(reason: string | undefined): string | null {
  return reason === undefined || reason.trim() === "" ? null : reason;
}

/** Walks a document iteratively, since descriptions may nest to any depth. */
function objectsWithField(
  document: LoadedDocument,
): (readonly [object: Readonly<Record<string, unknown>>, pointer: string])[] {
  const objects: (readonly [Readonly<Record<string, unknown>>, string])[] = [];
  const stack = [{ value: document.value as unknown, pointer: "", hasNames: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, pointer, hasNames } = next;
    if (typeof value !== "object" || value === null) continue;
    if (!hasNames && !Array.isArray(value) && Object.hasOwn(value, IGNORE_FIELD)) {
      objects.push([value as Readonly<Record<string, unknown>>, pointer]);
    }
    for (const [token, member] of Object.entries(value).reverse()) {
      if (typeof member !== "object" || member === null) continue;
      if (!hasNames && DATA.has(token)) continue;
      stack.push({
        value: member,
        pointer: `${pointer}/${escapeToken(token)}`,
        hasNames: !hasNames && NAME_MAPS.has(token) && !Array.isArray(member),
      });
    }
  }
  return objects;
}
