import { JSONPathEnvironment, type JSONPathQuery } from "json-p3";
import { DescriptionError } from "../../values/errors.ts";
import { locatePointers } from "../locate.ts";
import { MAX_LEVELS } from "../read_yaml.ts";
import { type Fields, isFields, typeInWords } from "../part.ts";
import type { SourceText } from "../document_set.ts";

export interface OverlayFile {
  /** The name of the file in errors. */
  readonly location: string;
  /** The text before `#` in pointers to this file. */
  readonly label: string;
  readonly value: unknown;
  /** Undefined for an overlay that was given as an object. */
  readonly source: SourceText | undefined;
  readonly url: URL | undefined;
}

export interface Overlay {
  readonly file: OverlayFile;
  readonly extended: string | undefined;
  readonly actions: readonly OverlayAction[];
}

export interface OverlayAction {
  readonly pointer: string;
  /** The name of the action in messages: ``Action 2 (`$.paths`)``. */
  readonly name: string;
  readonly target: JSONPathQuery;
  readonly change:
    | { readonly kind: "update"; readonly value: unknown }
    | { readonly kind: "copy"; readonly from: JSONPathQuery }
    | { readonly kind: "remove" }
    | { readonly kind: "none" };
}

const jsonPath = new JSONPathEnvironment({ maxRecursionDepth: MAX_LEVELS });

/** Returns an error about a place in an overlay, with line and column if the overlay has a text. */
export function overlayError(
  { location, source }: OverlayFile,
  pointer: string,
  code: string,
  sentence: string,
  cause?: unknown,
): DescriptionError {
  const found = source && locatePointers(source.text, source.syntax, [pointer]).get(pointer);
  const place = found === undefined ? {} : { line: found.line, column: found.column };
  return new DescriptionError(sentence, { code, location, ...place, cause });
}

/**
 * Reads an OpenAPI Overlay (1.0 or 1.1).
 *
 * @throws {DescriptionError} if the file isn't an overlay, or an action is invalid.
 */
export function readOverlay(file: OverlayFile): Overlay {
  const { value } = file;
  const refuse = (pointer: string, sentence: string, cause?: unknown): never => {
    throw overlayError(file, pointer, "not_an_overlay", sentence, cause);
  };
  if (!isFields(value) || value["overlay"] === undefined) {
    const isDescription = isFields(value) && (value["openapi"] ?? value["swagger"]) !== undefined;
    return refuse(
      "",
      isDescription
        ? "This is an OpenAPI description, not an overlay: give it as the schema."
        : "This is not an OpenAPI Overlay: it must have the top-level fields `overlay` (1.0.0 or 1.1.0), `info` and `actions`.",
    );
  }
  const { overlay, actions, extends: extended } = value;
  const minor = /^1\.([01])(?:\.|-|$)/.exec(String(overlay))?.[1];
  if (minor === undefined) {
    const shown = (JSON.stringify(overlay) ?? "").slice(0, 40);
    refuse("/overlay", `\`overlay: ${shown}\` is not supported: covtool reads 1.0 and 1.1.`);
  }
  if (extended !== undefined && typeof extended !== "string") {
    refuse("/extends", `\`extends\` must be text, not ${typeInWords(extended)}.`);
  }
  if (!Array.isArray(actions) || actions.length === 0) {
    if (actions === undefined) {
      return refuse("", "This overlay has no `actions`, so it says nothing.");
    }
    const found = Array.isArray(actions) ? "an empty list" : typeInWords(actions);
    return refuse("/actions", `\`actions\` must be a list of actions, not ${found}.`);
  }
  return {
    file,
    extended: extended as string | undefined,
    actions: actions.map((action: unknown, index) =>
      readAction(action, index, minor === "1", refuse)
    ),
  };
}

type Refuse = (pointer: string, sentence: string, cause?: unknown) => never;

function readAction(
  action: unknown,
  index: number,
  canCopy: boolean,
  refuse: Refuse,
): OverlayAction {
  const pointer = `/actions/${index}`;
  if (!isFields(action) || typeof action["target"] !== "string") {
    return refuse(
      pointer,
      `Action ${
        index + 1
      } has no \`target\`: give a JSONPath as text, such as \`$.paths['/books'].get\`.`,
    );
  }
  const { target } = action;
  const name = `Action ${index + 1} (\`${target.slice(0, 200)}\`)`;
  return {
    pointer,
    name,
    target: readPath(target, `${pointer}/target`, name, refuse),
    change: readChange(action, pointer, name, canCopy, refuse),
  };
}

function readChange(
  { update, copy, remove }: Fields,
  pointer: string,
  name: string,
  canCopy: boolean,
  refuse: Refuse,
): OverlayAction["change"] {
  if (remove !== undefined && typeof remove !== "boolean") {
    refuse(
      `${pointer}/remove`,
      `${name}: \`remove\` must be true or false, not ${typeInWords(remove)}.`,
    );
  }
  if (remove === true) return { kind: "remove" };
  if (copy === undefined) {
    return update === undefined ? { kind: "none" } : { kind: "update", value: update };
  }
  const at = `${pointer}/copy`;
  if (!canCopy) refuse(at, `${name}: \`copy\` came with Overlay 1.1: write \`overlay: 1.1.0\`.`);
  if (typeof copy !== "string") {
    return refuse(at, `${name}: \`copy\` must be a JSONPath, not ${typeInWords(copy)}.`);
  }
  if (update !== undefined) refuse(at, `${name} has both \`update\` and \`copy\`: make them two.`);
  return { kind: "copy", from: readPath(copy, at, name, refuse) };
}

function readPath(path: string, pointer: string, name: string, refuse: Refuse): JSONPathQuery {
  try {
    return jsonPath.compile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(
      pointer,
      `${name}: \`${path.slice(0, 200)}\` is not a JSONPath (RFC 9535): ${reason}.`,
      error,
    );
  }
}
