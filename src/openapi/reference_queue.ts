import { type Diagnostic, diagnostic } from "../values/diagnostic.ts";
import { documentPath, escapeToken } from "../values/json_pointer.ts";
import { descriptionVersion, hasIdentifiers } from "./description_version.ts";
import type { LoadedDocument } from "../schema/part_positions.ts";
import type { ParsedDocument } from "./parse_document.ts";
import type { DocumentSet, SourceText, Syntax } from "./document_set.ts";
import { keywordsHolding } from "../values/keyword_table.ts";

/** A file that was read, which may be known by several URIs. */
export interface LoadedFile {
  /** The URL of the file; undefined for a description that was given as an object. */
  readonly url: URL | undefined;
  /** The text before `#` in pointers to this file: empty for the entry document. */
  readonly label: string;
  readonly parsed: ParsedDocument;
  /** Undefined for a description that was given as an object. */
  readonly text: string | undefined;
  /** False if the file is known to refer only to itself, so that it need not be searched for references. */
  readonly mayHaveOuterReferences: boolean;
}

export interface PendingDocument {
  /** The URI in the reference, without fragment. */
  readonly uri: string;
  /** The URL to read the document from; undefined if there is none. */
  readonly address: URL | undefined;
  readonly reference: string;
  readonly from: LoadedFile;
  /** The pointer of the reference, with the label of its file. */
  readonly schemaPath: string;
  /** True if the document may be missing without a diagnostic. */
  readonly optional: boolean;
}

export interface LoadFailure {
  readonly code: "unresolved_reference" | "remote_reference" | "outside_reference";
  readonly sentence: string;
  readonly url?: URL | undefined;
}

/** The queue of documents that a description refers to. It reads nothing itself, so loading can be sync or async. */
export class ReferenceQueue {
  readonly #location: string;
  readonly #entry: LoadedDocument;
  readonly #hasIdentifiers: boolean;
  readonly #documents = new Map<string, LoadedDocument>();
  readonly #files = new Map<string, LoadedFile>();
  readonly #urls = new Set<string>();
  readonly #texts = new Map<string, SourceText>();
  readonly #identifiers = new Set<string>();
  readonly #problems: Diagnostic[] = [];
  readonly #failures = new Map<string, LoadFailure>();
  readonly #failed: PendingDocument[] = [];
  readonly #pending: PendingDocument[] = [];
  #position = 0;

  constructor(uri: string, entry: LoadedFile, location: string) {
    this.#location = location;
    const { version } = descriptionVersion(entry.parsed.value, location);
    this.#hasIdentifiers = hasIdentifiers(version);
    this.#addFile(entry);
    this.#entry = this.#addDocument(selfUri(entry, uri) ?? uri, entry);
  }

  next(): PendingDocument | undefined {
    while (this.#position < this.#pending.length) {
      const pending = this.#pending[this.#position++];
      if (pending === undefined || this.#isKnown(pending.uri)) continue;
      if (this.#failures.has(pending.uri)) {
        this.#failed.push(pending);
        continue;
      }
      const file = pending.address && this.#files.get(fileUrl(pending.address));
      if (file === undefined) return pending;
      this.#addDocument(pending.uri, file);
    }
    return undefined;
  }

  supply(pending: PendingDocument, file: LoadedFile): void {
    this.#addFile(file);
    const ownUri = selfUri(file, pending.uri);
    if (ownUri !== undefined && !this.#isKnown(ownUri)) this.#addDocument(ownUri, file);
    if (!this.#isKnown(pending.uri)) this.#addDocument(pending.uri, file);
  }

  fail(pending: PendingDocument, failure: LoadFailure): void {
    if (failure.url !== undefined) this.#urls.add(fileUrl(failure.url));
    this.#failures.set(pending.uri, failure);
    this.#failed.push(pending);
  }

  /** Returns the documents, with a problem for each reference to a document that couldn't be loaded. */
  finish(): DocumentSet {
    for (const pending of this.#failed) {
      // A document that was loaded later may define an identifier that couldn't be loaded before.
      if (pending.optional || this.#isKnown(pending.uri)) continue;
      const failure = this.#failures.get(pending.uri);
      if (failure === undefined) continue;
      const severity = failure.code === "remote_reference" ? "warning" : "error";
      const message = `The reference \`${pending.reference}\` is not followed: ${failure.sentence}`;
      this.#problems.push(diagnostic(severity, failure.code, pending.schemaPath, message));
    }
    return {
      entry: this.#entry,
      documents: this.#documents,
      location: this.#location,
      texts: this.#texts,
      urls: [...this.#urls],
      problems: this.#problems,
    };
  }

  #isKnown(uri: string): boolean {
    return this.#documents.has(uri) || this.#identifiers.has(uri);
  }

  #addFile(file: LoadedFile): void {
    if (file.url !== undefined) {
      const url = fileUrl(file.url);
      this.#urls.add(url);
      this.#files.set(url, file);
    }
    const { syntax, repeatedKeys, unindented } = file.parsed;
    if (file.text !== undefined) this.#texts.set(file.label, { text: file.text, syntax });
    for (const { pointer, key, line, column } of repeatedKeys) {
      this.#problems.push({
        severity: "warning",
        code: "repeated_key",
        message: `The key \`${key}\` appears twice in one mapping; only the last one counts.`,
        schema_path: documentPath(file.label, pointer),
        line,
        column,
      });
    }
    if (unindented !== undefined) {
      this.#problems.push({
        severity: "warning",
        code: "deficient_indentation",
        message: "This line continues a list, a mapping or a text in quotes, but is not indented " +
          "deeper than its key. covtool reads it, but YAML 1.2 does not allow it.",
        schema_path: documentPath(file.label, ""),
        ...unindented,
      });
    }
  }

  #addDocument(uri: string, file: LoadedFile): LoadedDocument {
    const document = { uri, label: file.label, value: file.parsed.value };
    this.#documents.set(uri, document);
    if (!file.mayHaveOuterReferences) return document;
    const { references, identifiers } = findOuterReferences(
      file.parsed.value,
      uri,
      this.#hasIdentifiers,
    );
    for (const identifier of identifiers) this.#identifiers.add(identifier);
    for (const reference of references) this.#enqueue(reference, file);
    return document;
  }

  #enqueue({ reference, target, pointer, optional }: OuterReference, file: LoadedFile): void {
    const path = documentPath(file.label, pointer);
    if (target === undefined) {
      if (optional) return;
      const message = `The reference \`${reference}\` is not a valid URI reference.`;
      this.#problems.push(diagnostic("error", "unresolved_reference", path, message));
      return;
    }
    this.#pending.push({
      uri: target,
      address: targetUrl(reference, target, file.url),
      reference,
      from: file,
      schemaPath: path,
      optional,
    });
  }
}

/** Returns the URL to read. A relative reference is relative to the file, whatever base `$id` or `$self` sets. */
function targetUrl(reference: string, target: string, base: URL | undefined): URL | undefined {
  if (/^[a-z]:[\\/]/i.test(reference)) return new URL(`file:///${reference}`); // C:\api\pet.yaml
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(reference);
  if (!isAbsolute && base !== undefined) return new URL(reference, base);
  const url = new URL(target);
  return /^(file|https?):$/.test(url.protocol) ? url : undefined;
}

/** The URI in the `$self` of an OpenAPI 3.2 document. */
function selfUri(file: LoadedFile, uri: string): string | undefined {
  const { openapi, $self } = Object(file.parsed.value) as Record<string, unknown>;
  if (typeof openapi !== "string" || !openapi.startsWith("3.2") || typeof $self !== "string") {
    return undefined;
  }
  return absoluteUri($self, file.url ?? uri);
}

function fileUrl(url: URL): string {
  return absoluteUri(url) ?? url.href;
}

/** A `$ref` that leads out of its own resource: a document, or a schema with `$id`. */
interface OuterReference {
  /** RFC 6901 pointer of the `$ref`. */
  readonly pointer: string;
  readonly reference: string;
  /** Absolute URI of the target, without fragment; undefined if the reference isn't a URI. */
  readonly target: string | undefined;
  /** True in an extension, a description (as a file of Markdown) or `info`: a missing target isn't a problem. */
  readonly optional: boolean;
}

interface OuterReferences {
  /** In document order. */
  readonly references: readonly OuterReference[];
  /** Absolute URIs that the document defines with `$id`. */
  readonly identifiers: ReadonlySet<string>;
}

/** JSON Schema keywords and OpenAPI fields that hold data: a `$ref` in data is not a reference. */
const DATA_FIELDS = new Set([...keywordsHolding("values"), "value", "dataValue"]);

/** Fields whose members have names chosen by the author. */
const FIELDS_BY_NAME = new Set([
  ...keywordsHolding("schemas_by_name"),
  "schemas",
  "responses",
  "parameters",
  "examples",
  "requestBodies",
  "headers",
  "securitySchemes",
  "links",
  "callbacks",
  "pathItems",
  "mediaTypes",
  "paths",
  "webhooks",
  "content",
  "encoding",
  "additionalOperations",
]);

/** A quick check for references that lead out of a document: most documents then need no full search. */
export function mayHaveOuterReferences(text: string, syntax: Syntax): boolean {
  if (text.includes("\\u0024")) return true; // an escaped `$`
  if (syntax === "yaml" && text.includes("\\x24")) return true;
  // A `$ref` with an object as its value is a property called `$ref`.
  const inside = syntax === "json" ? /\$ref"\s*:\s*(?:"#|[{[])/y : /\$ref["']?[ \t]*:[ \t]*["']#/y;
  for (let at = text.indexOf("$ref"); at >= 0; at = text.indexOf("$ref", at + 4)) {
    inside.lastIndex = at;
    if (!inside.test(text)) return true;
  }
  return false;
}

export function findOuterReferences(
  value: unknown,
  base: string,
  hasIdentifiers: boolean,
): OuterReferences {
  const references: OuterReference[] = [];
  const identifiers = new Set<string>();

  function visit(
    node: unknown,
    base: string,
    isMap: boolean,
    optional: boolean,
    pointer: string,
  ): void {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      node.forEach((item, index) => visit(item, base, false, optional, `${pointer}/${index}`));
      return;
    }
    const object = node as Record<string, unknown>;
    let inner = base;
    if (!isMap && hasIdentifiers) {
      const { $id } = object;
      if (typeof $id === "string" && !$id.startsWith("#")) {
        inner = absoluteUri($id, base) ?? base;
        identifiers.add(inner);
      }
    }
    // In a map, text can't be an entry called `$ref`: it refers to a file with all entries.
    const { $ref } = object;
    if (typeof $ref === "string" && !$ref.startsWith("#")) {
      references.push({
        pointer: `${pointer}/$ref`,
        reference: $ref,
        target: absoluteUri($ref, inner),
        optional,
      });
    }
    for (const key of Object.keys(object)) {
      const member = object[key];
      if (typeof member !== "object" || member === null) continue;
      // In OpenAPI, `examples` has objects by name, which may be references; in JSON Schema it is a list of values.
      const isData = DATA_FIELDS.has(key) && (key !== "examples" || Array.isArray(member));
      if (!isMap && isData) continue;
      visit(
        member,
        inner,
        !isMap && FIELDS_BY_NAME.has(key),
        optional || (!isMap && /^(?:x-|info$|description$)/.test(key)),
        `${pointer}/${escapeToken(key)}`,
      );
    }
  }

  visit(value, base, false, false, "");
  return { references, identifiers };
}

/** Returns an absolute URI without fragment; undefined if the reference is invalid. */
function absoluteUri(reference: string | URL, base?: string | URL): string | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  url.hash = "";
  return url.href;
}
