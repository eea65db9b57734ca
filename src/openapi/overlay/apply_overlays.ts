import type { JSONPathQuery } from "json-p3";
import { type Diagnostic, diagnostic } from "../../values/diagnostic.ts";
import { getOrAdd, setOwn } from "../../values/collections.ts";
import { escapeToken, findMember, pointerTokens } from "../../values/json_pointer.ts";
import { asTree } from "../as_tree.ts";
import { descriptionVersion } from "../description_version.ts";
import type { DocumentSet } from "../document_set.ts";
import { nestsTooDeep } from "../parse_document.ts";
import { TOO_DEEP } from "../read_yaml.ts";
import { typeInWords } from "../part.ts";
import {
  type Overlay,
  type OverlayAction,
  overlayError,
  type OverlayFile,
  readOverlay,
} from "./read_overlay.ts";

/** Maximum number of values that overlays write: actions that copy the whole into a part of it grow exponentially. */
const MAX_WRITTEN = 1_000_000;

export interface Overlaid {
  readonly value: unknown;
  addTo(set: DocumentSet): DocumentSet;
}

/**
 * Applies overlays to a description, one after the other.
 *
 * @param value The description, which is never changed.
 * @param url The URL of the description; undefined if it was given as an object.
 * @throws {DescriptionError} if a file is no overlay, an action fails, or the result isn't an OpenAPI description.
 */
export function applyOverlays(
  value: unknown,
  files: readonly OverlayFile[],
  url: URL | undefined,
): Overlaid {
  const application = new Application(value);
  for (const overlay of files.map(readOverlay)) application.apply(overlay, url);
  const { root, origins, problems } = application;
  const originals = new Map<string, unknown>([["", value]]);
  for (const { label, value } of files) originals.set(label, value);
  return {
    value: root,
    addTo: (set) => ({
      ...set,
      texts: new Map([
        ...set.texts,
        ...files.flatMap(({ label, source }) =>
          source === undefined ? [] : [[label, source] as const]
        ),
      ]),
      urls: [...set.urls, ...files.flatMap(({ url }) => url?.href ?? [])],
      problems: [...set.problems, ...problems],
      overlaid: { originals, locate: (pointer) => origins.locate(root, pointerTokens(pointer)) },
    }),
  };
}

/** Applies overlays that were given as objects; in messages they are numbered. */
export function applyOverlayObjects(value: unknown, overlays: readonly unknown[]): Overlaid {
  const files = overlays.map((overlay, index): OverlayFile => {
    const label = `overlay ${index + 1}`;
    const { value } = asTree(overlay, label);
    return { location: label, label, value, source: undefined, url: undefined };
  });
  return applyOverlays(value, files, undefined);
}

interface Target {
  readonly value: unknown;
  readonly key: string | number | undefined;
  /** The object or list that contains the value; undefined for the whole description. */
  readonly container: object | undefined;
  /** The place in which the container is written. */
  readonly origin: Origin;
}

class Application {
  readonly root: unknown;
  readonly origins = new Origins();
  readonly problems: Diagnostic[] = [];
  #writesLeft = MAX_WRITTEN;
  /** Throws an error about the action that is being applied. */
  #fail: (sentence: string, code?: string) => never = () => {
    throw new Error("no action is being applied");
  };

  constructor(value: unknown) {
    this.root = structuredClone(value);
  }

  apply({ file, extended, actions }: Overlay, url: URL | undefined): void {
    this.#checkExtended(file, extended, url);
    let broken: { readonly action: OverlayAction; readonly error: Error } | undefined;
    for (const action of actions) {
      this.#fail = (sentence, code = "overlay") => {
        throw overlayError(file, action.pointer, code, `${action.name} ${sentence}`);
      };
      this.#applyAction(file, action);
      // A later action may restore what this action breaks.
      const error = this.#versionError(file);
      broken = error && (broken ?? { action, error });
    }
    if (broken !== undefined) {
      const { action: { name, pointer }, error } = broken;
      throw overlayError(
        file,
        pointer,
        "overlay",
        `${name} leaves a description that cannot be read: it changes \`openapi\` or \`swagger\`, which names the version.`,
        error,
      );
    }
    if (nestsTooDeep(this.root)) throw overlayError(file, "", "too_deep", TOO_DEEP);
  }

  #versionError({ location }: OverlayFile): Error | undefined {
    try {
      descriptionVersion(this.root, location);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #checkExtended(file: OverlayFile, extended: string | undefined, url: URL | undefined): void {
    if (extended === undefined || file.url === undefined || url === undefined) return;
    const extendedUrl = URL.parse(extended, file.url);
    // The file may be a copy of a description that the overlay refers to by its URL.
    if (
      extendedUrl?.href === url.href ||
      (extendedUrl !== null && extendedUrl.protocol !== url.protocol)
    ) return;
    this.#addProblem(
      file,
      "overlay_extends",
      "/extends",
      `The overlay extends \`${extended}\`, which is another description than this one. It is applied all the same.`,
    );
  }

  #addProblem({ label }: OverlayFile, code: string, pointer: string, message: string): void {
    this.problems.push(diagnostic("warning", code, `${label}#${pointer}`, message));
  }

  #applyAction(file: OverlayFile, { name, pointer, target, change }: OverlayAction): void {
    const targets = this.#select(target);
    if (targets.length === 0) {
      const message = `${name} targets nothing in the description, so it changes nothing.`;
      this.#addProblem(file, "overlay_target", `${pointer}/target`, message);
    } else if (change.kind === "remove") {
      this.#remove(targets);
    } else if (change.kind === "update") {
      const origin = { label: file.label, pointer: `${pointer}/update` };
      this.#writeTargets(targets, change.value, origin);
    } else if (change.kind === "copy") {
      const [from, another] = this.#select(change.from);
      if (another !== undefined) this.#fail("copies more than one value: `copy` must select one.");
      if (from === undefined) {
        const message = `${name} copies nothing: there is no such value in the description.`;
        this.#addProblem(file, "overlay_target", `${pointer}/copy`, message);
        return;
      }
      const { container, key, origin } = from;
      const valueOrigin = container && key !== undefined
        ? this.origins.entryOrigin(container, key, origin)
        : origin;
      // The value is copied first, since a target may be inside it.
      this.#writeTargets(targets, this.#clone(from.value), valueOrigin);
    } else {
      const message = `${name} has no \`update\`, \`copy\` or \`remove\`, so it changes nothing.`;
      this.#addProblem(file, "overlay_action", pointer, message);
    }
  }

  #select(path: JSONPathQuery): Target[] {
    let locations: (string | number)[][] = [];
    try {
      locations = path.query(this.root as Parameters<JSONPathQuery["query"]>[0]).locations();
    } catch (error) {
      this.#fail(`cannot be applied: ${error instanceof Error ? error.message : error}.`);
    }
    // Several selectors of one path may select the same value: it is one target.
    const distinct = new Map(locations.map((location) => [JSON.stringify(location), location]));
    return Array.from(distinct.values(), (location) => {
      const parents = location.slice(0, -1);
      const container = parents.reduce(getMember, this.root);
      const key = location.at(-1);
      return {
        value: location.reduce(getMember, this.root),
        key,
        container: key === undefined ? undefined : container as object,
        origin: this.origins.locate(this.root, parents),
      };
    });
  }

  #remove(targets: readonly Target[]): void {
    const removed = new Map<object, { readonly keys: Set<string>; readonly origin: Origin }>();
    for (const { container, key, origin } of targets) {
      if (container === undefined) return this.#fail("removes the whole description.");
      getOrAdd(removed, container, () => ({ keys: new Set<string>(), origin })).keys.add(
        String(key),
      );
    }
    for (const [container, { keys, origin }] of removed) {
      if (Array.isArray(container)) {
        this.origins.removeItems(container, keys, origin);
        const kept = container.filter((_, index) => !keys.has(String(index)));
        container.splice(0, container.length, ...kept);
      } else {
        for (const key of keys) {
          this.origins.removeMember(container, key);
          delete (container as Record<string, unknown>)[key];
        }
      }
    }
  }

  #writeTargets(targets: readonly Target[], value: unknown, origin: Origin): void {
    if (new Set(targets.map(({ value }) => valueKind(value))).size > 1) {
      this.#fail("targets objects, lists and single values at once: they must be of one kind.");
    }
    for (const target of targets) {
      if (Array.isArray(target.value)) this.#append(target.value, value, origin);
      else if (valueKind(target.value) !== valueKind(value)) {
        this.#failMismatch(value, target.value);
      } else if (valueKind(value) === "object") this.#merge(target.value, value, origin);
      else if (target.container !== undefined) {
        this.#setEntry(target.container, target.key ?? "", value, origin);
      }
    }
  }

  #failMismatch(value: unknown, target: unknown, key?: string): never {
    const where = key === undefined ? "its target" : `\`${key}\``;
    return this.#fail(
      `cannot write ${typeInWords(value)} into ${where}, which is ${typeInWords(target)}.`,
    );
  }

  /** Appends the items of a list; any other value is appended as one item. */
  #append(list: unknown[], value: unknown, origin: Origin): void {
    if (!Array.isArray(value)) return this.#setEntry(list, list.length, value, origin);
    const start = list.length;
    for (const [index, item] of value.entries()) {
      this.#setEntry(list, start + index, item, this.origins.entryOrigin(value, index, origin));
    }
  }

  #merge(target: unknown, source: unknown, origin: Origin): void {
    for (const [key, value] of Object.entries(source as object)) {
      const memberOrigin = this.origins.entryOrigin(source as object, key, origin);
      const existing = findMember(target, key);
      if (
        existing === undefined || (valueKind(existing) === "value" && valueKind(value) === "value")
      ) {
        this.#setEntry(target as object, key, value, memberOrigin);
      } else if (valueKind(existing) !== valueKind(value)) this.#failMismatch(value, existing, key);
      else if (Array.isArray(existing)) this.#append(existing, value, memberOrigin);
      else this.#merge(existing, value, memberOrigin);
    }
  }

  #setEntry(container: object, key: string | number, value: unknown, origin: Origin): void {
    setOwn(container as Record<string, unknown>, String(key), this.#clone(value));
    this.origins.set(container, key, origin);
  }

  /** Copies a value together with the origins of its entries, so that no two places share an object. */
  #clone(value: unknown): unknown {
    if (--this.#writesLeft < 0) {
      this.#fail(
        "makes the description too large: overlays may write 1,000,000 values.",
        "too_large",
      );
    }
    if (typeof value !== "object" || value === null) return value;
    const copy = (Array.isArray(value) ? [] : {}) as Record<string, unknown>;
    for (const [key, member] of Object.entries(value)) setOwn(copy, key, this.#clone(member));
    this.origins.copy(value, copy);
    return copy;
  }
}

function getMember(value: unknown, token: string | number): unknown {
  return findMember(value, String(token));
}

function valueKind(value: unknown): "list" | "object" | "value" {
  if (Array.isArray(value)) return "list";
  return typeof value === "object" && value !== null ? "object" : "value";
}

export interface Origin {
  /** The label of the file: empty for the description itself. */
  readonly label: string;
  readonly pointer: string;
}

/**
 * Remembers where the entries of a description are written after overlays changed it. Only entries that are written
 * elsewhere than the object or list that contains them are stored; other places follow from their container's.
 */
export class Origins {
  readonly #moved = new Map<unknown, Map<string, Origin>>();

  /** Returns the origin of an entry of an object or list that is itself written at `parent`. */
  entryOrigin(container: unknown, key: string | number, parent: Origin): Origin {
    return this.#moved.get(container)?.get(String(key)) ??
      { label: parent.label, pointer: `${parent.pointer}/${escapeToken(String(key))}` };
  }

  set(container: object, key: string | number, origin: Origin): void {
    getOrAdd(this.#moved, container, () => new Map<string, Origin>()).set(String(key), origin);
  }

  copy(from: object, to: object): void {
    const entries = this.#moved.get(from);
    if (entries !== undefined) this.#moved.set(to, new Map(entries));
  }

  /** Renumbers the origins of a list that loses items. Call it before the items are removed. */
  removeItems(list: readonly unknown[], removed: ReadonlySet<string>, listOrigin: Origin): void {
    const kept = list.flatMap((_, index) =>
      removed.has(String(index)) ? [] : [this.entryOrigin(list, index, listOrigin)]
    );
    this.#moved.set(list, new Map(kept.map((origin, index) => [String(index), origin])));
  }

  removeMember(object: object, key: string): void {
    this.#moved.get(object)?.delete(key);
  }

  /** Returns the place in which the value at a path of the changed description is written. */
  locate(root: unknown, tokens: readonly (string | number)[]): Origin {
    let value = root;
    let origin: Origin = { label: "", pointer: "" };
    for (const token of tokens) {
      origin = this.entryOrigin(value, token, origin);
      value = findMember(value, String(token));
    }
    return origin;
  }
}
