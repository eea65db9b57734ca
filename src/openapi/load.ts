import { decodeUri } from "../values/escapes.ts";
import { DescriptionError } from "../values/errors.ts";
import { decodeText, fileErrorSentence, pathToUrl, readBoundedFile } from "../files/files.ts";
import { asTree } from "./as_tree.ts";
import { descriptionVersion } from "./description_version.ts";
import {
  DocumentSource,
  type LoadOptions,
  MAX_BYTES,
  readAllowedFolders,
  type ReadDocument,
  TIMEOUT,
} from "./document_source.ts";
import { fetchErrorSentence, fetchText, withoutCredentials } from "./fetch_text.ts";
import { mayHaveOuterReferences, type PendingDocument, ReferenceQueue } from "./reference_queue.ts";
import { Redactor } from "../redact/redactor.ts";
import { parseDocument } from "./parse_document.ts";
import type { DocumentSet } from "./document_set.ts";
import type { Overlaid } from "./overlay/apply_overlays.ts";
import type { OverlayFile } from "./overlay/read_overlay.ts";
import { TOO_DEEP } from "./read_yaml.ts";

const redactor = new Redactor();

/** The URI of a description that isn't a file. It is hierarchical, so that relative identifiers can be resolved. */
const OBJECT_URI = "covtool:///description";

/**
 * Loads a description from a file, and all files that it refers to.
 *
 * @param path A path, relative to the working directory, or a `file:` URL.
 * @throws {DescriptionError} if the file cannot be read or isn't an OpenAPI document.
 */
export async function loadFromPath(
  path: string | URL,
  options: LoadOptions = {},
): Promise<DocumentSet> {
  const location = String(path);
  if (/^https?:\/\//i.test(location)) {
    throw new DescriptionError("This is a URL, not a path: use `CoverageMap.fromUrl`.", {
      code: "not_a_path",
      location,
    });
  }
  return await loadText(await readPath(path), location, options);
}

/**
 * Loads a description over HTTP. References to other documents, even to those next to it, are followed only with
 * `allowRemoteRefs`.
 *
 * @param url An absolute `http:` or `https:` URL.
 * @throws {DescriptionError} if it cannot be fetched or isn't an OpenAPI document.
 */
export async function loadFromUrl(
  url: string | URL,
  options: LoadOptions = {},
): Promise<DocumentSet> {
  const isHttp = /^https?:\/\//i.test(String(url));
  if (!isHttp || !URL.canParse(url)) {
    throw new DescriptionError(
      isHttp
        ? "This is not a valid URL: check its host and port."
        : "Only http and https URLs are fetched: use `CoverageMap.fromPath` for files.",
      { code: "not_a_url", location: redactor.url(String(url)) },
    );
  }
  const address = new URL(url);
  const location = shownUrl(address);
  return await loadText(await readUrl(address, options), location, options);
}

async function readPath(path: string | URL): Promise<ReadDocument> {
  try {
    const url = pathToUrl(path);
    return {
      text: decodeText(await readBoundedFile(url, MAX_BYTES, true)),
      url,
    };
  } catch (cause) {
    const location = String(path);
    throw new DescriptionError(fileErrorSentence(cause), { code: "unreadable", location, cause });
  }
}

async function readUrl(address: URL, { fetch }: LoadOptions): Promise<ReadDocument> {
  try {
    return await fetchText(address, { fetch, maxBytes: MAX_BYTES, timeout: TIMEOUT });
  } catch (cause) {
    const location = shownUrl(address);
    throw new DescriptionError(fetchErrorSentence(cause), { code: "unreadable", location, cause });
  }
}

/**
 * Loads a parsed description. Nothing is read: references to other documents become problems.
 *
 * @param value The parsed document, which may contain shared and cyclic objects; it is never changed.
 * @param location The name of the description in errors and reports.
 * @throws {DescriptionError} if it isn't an OpenAPI document, or contains values that JSON doesn't have.
 */
export function loadFromDict(
  value: unknown,
  location = "description",
  overlay?: (value: unknown) => Overlaid,
): DocumentSet {
  const tree = asTree(value, location);
  descriptionVersion(tree.value, location);
  const overlaid = overlay?.(tree.value);
  const parsed = { value: overlaid?.value ?? tree.value, repeatedKeys: [], unindented: undefined };
  const queue = new ReferenceQueue(OBJECT_URI, {
    url: undefined,
    label: "",
    parsed: { ...parsed, syntax: "json" },
    text: undefined,
    mayHaveOuterReferences: overlaid !== undefined || tree.hasOuterReference,
  }, location);
  for (let pending = queue.next(); pending !== undefined; pending = queue.next()) {
    queue.fail(pending, {
      code: "unresolved_reference",
      sentence: "a description given as an object cannot refer to other documents. " +
        "Use `CoverageMap.fromPath`, or put everything into one object.",
    });
  }
  const set = queue.finish();
  return overlaid?.addTo(set) ?? set;
}

async function loadText(
  { text, url }: ReadDocument,
  location: string,
  options: LoadOptions,
): Promise<DocumentSet> {
  if (text.startsWith("#%RAML")) {
    throw new DescriptionError("This is a RAML description: convert it to OpenAPI first.", {
      code: "not_openapi",
      location,
    });
  }
  const allowed = await readAllowedFolders(options, location);
  try {
    const parsed = parseDocument(text, location);
    descriptionVersion(parsed.value, location);
    const overlaid = await applyOverlayFiles(parsed.value, url, options);
    const queue = new ReferenceQueue(
      url.href,
      {
        url,
        label: "",
        parsed: { ...parsed, value: overlaid?.value ?? parsed.value },
        text,
        mayHaveOuterReferences: overlaid !== undefined ||
          mayHaveOuterReferences(text, parsed.syntax),
      },
      location,
    );
    const source = new DocumentSource(url, options, allowed);
    for (let pending = queue.next(); pending !== undefined; pending = queue.next()) {
      await loadPending(queue, pending, url, source);
    }
    const set = queue.finish();
    return overlaid?.addTo(set) ?? set;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new DescriptionError(TOO_DEEP, { code: "too_deep", location, cause });
  }
}

async function applyOverlayFiles(
  value: unknown,
  entry: URL,
  options: LoadOptions,
): Promise<Overlaid | undefined> {
  const files: OverlayFile[] = [];
  for (const overlay of [options.overlay ?? []].flat()) {
    const isRemote = /^https?:\/\//i.test(String(overlay)) && URL.canParse(overlay);
    const location = isRemote ? shownUrl(new URL(overlay)) : String(overlay);
    const { text, url } = isRemote
      ? await readUrl(new URL(overlay), options)
      : await readPath(overlay);
    const { value, syntax } = parseDocument(text, location);
    const source = { text, syntax };
    files.push({ location, label: documentLabel(url, entry), value, source, url });
  }
  if (files.length === 0) return undefined;
  const { applyOverlays } = await import("./overlay/apply_overlays.ts");
  return applyOverlays(value, files, entry);
}

async function loadPending(
  queue: ReferenceQueue,
  pending: PendingDocument,
  entry: URL,
  source: DocumentSource,
): Promise<void> {
  const { address } = pending;
  const label = address === undefined ? pending.uri : documentLabel(address, entry);
  const read = await source.read(pending, label);
  if ("code" in read) {
    queue.fail(pending, read);
    return;
  }
  const { text, url } = read;
  try {
    const parsed = parseDocument(text, label);
    // Always looked through: even if it refers only to itself, it may define identifiers that others refer to.
    queue.supply(pending, { url, label, parsed, text, mayHaveOuterReferences: true });
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    queue.fail(pending, { code: "unresolved_reference", sentence: error.message, url });
  }
}

/**
 * Returns the decoded path of a document relative to the entry document; its URL if it is on another host, or the
 * folder of the entry document, whose path would be empty, as the label of the entry document is.
 */
function documentLabel(address: URL, entry: URL): string {
  if (address.protocol !== entry.protocol || address.host !== entry.host) {
    return shownUrl(address);
  }
  const from = entry.pathname.split("/").slice(0, -1);
  const to = address.pathname.split("/");
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  const path = [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
  return decodeUri(path) + redactor.url(address.search) || shownUrl(address);
}

/** Returns a URL for errors and reports: without credentials, and with other secrets masked. */
function shownUrl(url: URL): string {
  const copy = withoutCredentials(url);
  copy.hash = "";
  return redactor.url(copy.href);
}
