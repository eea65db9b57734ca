import { DescriptionError } from "../values/errors.ts";
import { builtin } from "../values/builtin.ts";
import {
  decodeText,
  fileErrorSentence,
  readBoundedFile,
  realPath,
  toPath,
} from "../files/files.ts";
import { type FetchedText, fetchErrorSentence, fetchText } from "./fetch_text.ts";
import type { LoadFailure, PendingDocument } from "./reference_queue.ts";

type PrivateNetwork = "loopback" | "link_local" | "private";

/** The prefixes of addresses that are not public (IANA's special-purpose registries). */
const IPV4: readonly (readonly [start: string, bits: number, network: PrivateNetwork])[] = [
  ["127.0.0.0", 8, "loopback"],
  ["0.0.0.0", 8, "loopback"],
  ["169.254.0.0", 16, "link_local"],
  ["10.0.0.0", 8, "private"],
  ["172.16.0.0", 12, "private"],
  ["192.168.0.0", 16, "private"],
  ["100.64.0.0", 10, "private"],
  ["192.0.0.0", 24, "private"],
  ["198.18.0.0", 15, "private"],
  ["224.0.0.0", 3, "private"],
];

/** Returns the network of an address or host name (as in `URL.hostname`); undefined if it may be public. */
export function privateNetwork(host: string): PrivateNetwork | undefined {
  const name = host.replace(/^\[|\]$/g, "").replace(/%.*$/, "").replace(/\.$/, "").toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return "loopback";
  const four = ipv4(name);
  if (four !== undefined) return ipv4Network(four);
  const groups = ipv6(name);
  return groups === undefined ? undefined : ipv6Network(groups);
}

function ipv4Network(address: number): PrivateNetwork | undefined {
  for (const [start, bits, network] of IPV4) {
    const from = ipv4(start) ?? 0;
    if (Math.floor(address / 2 ** (32 - bits)) === Math.floor(from / 2 ** (32 - bits))) {
      return network;
    }
  }
  return undefined;
}

function ipv6Network(groups: readonly number[]): PrivateNetwork | undefined {
  const [first = 0, second = 0] = groups;
  const last = (groups[6] ?? 0) * 0x10000 + (groups[7] ?? 0);
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  if (isZero(0, 6) && last <= 1) return "loopback";
  // IPv4 addresses in IPv6: mapped, compatible, NAT64 and 6to4.
  if (isZero(0, 5) && (groups[5] === 0xffff || groups[5] === 0)) return ipv4Network(last);
  if (first === 0x64 && second === 0xff9b) return ipv4Network(last);
  if (first === 0x2002) return ipv4Network(second * 0x10000 + (groups[2] ?? 0));
  if ((first & 0xffc0) === 0xfe80) return "link_local";
  const isPrivate = (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0 ||
    (first & 0xff00) === 0xff00;
  return isPrivate ? "private" : undefined;
}

function ipv4(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((address, part) => address * 256 + part, 0);
}

function ipv6(text: string): number[] | undefined {
  if (!text.includes(":")) return undefined;
  // `URL` parses every notation and returns the shortest.
  const url = `http://[${text}]/`;
  if (!URL.canParse(url)) return undefined;
  const [start = "", end] = new URL(url).hostname.slice(1, -1).split("::");
  const parseGroups = (part = "") =>
    part === "" ? [] : part.split(":").map((group) => parseInt(group, 16));
  const [before, after] = [parseGroups(start), parseGroups(end)];
  const missing = end === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...new Array<number>(missing).fill(0), ...after];
}

export interface LoadOptions {
  /** True to fetch references to `http:` and `https:` URLs (default: false). */
  readonly allowRemoteRefs?: boolean | undefined;
  /** Folders outside the description's own folder that it may refer to (default: none). */
  readonly allowRefsOutside?: string | readonly string[] | undefined;
  /** OpenAPI Overlays to apply, in this order: files or http(s) URLs. */
  readonly overlay?: string | URL | readonly (string | URL)[] | undefined;
  /** The function that fetches the description, overlays and references (default: the platform's `fetch`). */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Returns the absolute paths of the folders in `allowRefsOutside`; throws a DescriptionError if one is no folder. */
export async function readAllowedFolders(
  { allowRefsOutside = [] }: LoadOptions,
  location: string,
): Promise<string[]> {
  const folders: string[] = [];
  for (const folder of [allowRefsOutside].flat()) {
    let problem: string | undefined;
    try {
      const path = builtin("node:path").resolve(toPath(folder));
      const status = await builtin("node:fs/promises").stat(path);
      if (status.isDirectory()) folders.push(path);
      else problem = "This is not a folder: name the folder that it is in.";
    } catch (error) {
      problem = fileErrorSentence(error).replace("no such file", "no such folder");
    }
    if (problem === undefined) continue;
    throw new DescriptionError(
      `Cannot allow references into ${folder} (\`--allow-refs-outside\`, \`allowRefsOutside\`). ${problem}`,
      { code: "not_a_folder", location },
    );
  }
  return folders;
}

export type ReadDocument = Pick<FetchedText, "text" | "url">;

export const MAX_BYTES: number = 128 * 2 ** 20;
/** Milliseconds for one fetched document. */
export const TIMEOUT = 30_000;
const MAX_TOTAL_BYTES = 256 * 2 ** 20;
const MAX_FETCHED = 1_000;
/** Milliseconds for all fetched documents. */
const TOTAL_TIMEOUT = 5 * 60_000;

const TOO_LARGE = `the documents of the description are larger than ${
  MAX_TOTAL_BYTES / 2 ** 20
} MiB together, the most that covtool reads.`;

/**
 * Reads the documents that a description refers to. A description is not trusted: it may refer to its own folder, to
 * folders that the user allows, and to networks that are public or that it comes from.
 */
export class DocumentSource {
  readonly #entry: URL;
  readonly #options: LoadOptions;
  readonly #allowedFolders: readonly string[];
  #folders: Promise<{ readonly paths: string[]; readonly realPaths: string[] }> | undefined;
  #entryNetworks: Promise<ReadonlySet<PrivateNetwork>> | undefined;
  #bytes = 0;
  #fetched = 0;
  #fetchUntil: number | undefined;

  /** `entry` is the URL of the description; `allowedFolders` comes from {@linkcode readAllowedFolders}. */
  constructor(entry: URL, options: LoadOptions, allowedFolders: readonly string[]) {
    this.#entry = entry;
    this.#allowedFolders = allowedFolders;
    this.#options = options;
  }

  /** Reads a document. `label` is its name in messages. */
  async read(document: PendingDocument, label: string): Promise<ReadDocument | LoadFailure> {
    const { address, from } = document;
    if (address === undefined) return unresolved("no loaded document has this identifier.");
    if (address.protocol === "file:") {
      if (from.url?.protocol !== "file:") {
        return unresolved("a document from the web cannot refer to files.");
      }
      return await this.#readFile(address, label);
    }
    if (this.#options.allowRemoteRefs !== true) {
      return {
        code: "remote_reference",
        sentence:
          "it leads to another document on the web. Allow that with `allowRemoteRefs: true` or `--allow-remote-refs`.",
      };
    }
    if (from.url?.protocol === "https:" && address.protocol === "http:") {
      return unresolved("a document that came over https cannot refer to one over http.");
    }
    return await this.#fetch(address, label);
  }

  async #readFile(address: URL, label: string): Promise<ReadDocument | LoadFailure> {
    try {
      if (!await this.#isAllowed(address)) {
        return {
          code: "outside_reference",
          sentence:
            "it leads out of the description's folder. Name a folder that it may refer to, with `--allow-refs-outside DIR` or `allowRefsOutside`.",
        };
      }
      if (this.#bytes > MAX_TOTAL_BYTES) return unresolved(TOO_LARGE);
      const bytes = await readBoundedFile(address, MAX_BYTES);
      this.#bytes += bytes.length;
      return { text: decodeText(bytes), url: address };
    } catch (error) {
      return unresolved(`${label}: ${fileErrorSentence(error)}`);
    }
  }

  async #fetch(address: URL, label: string): Promise<ReadDocument | LoadFailure> {
    if (++this.#fetched > MAX_FETCHED) {
      return unresolved(`covtool fetches at most ${MAX_FETCHED} documents.`);
    }
    if (this.#bytes > MAX_TOTAL_BYTES) return unresolved(TOO_LARGE);
    this.#fetchUntil ??= performance.now() + TOTAL_TIMEOUT;
    const timeLeft = this.#fetchUntil - performance.now();
    if (timeLeft <= 0) return unresolved("covtool stops fetching documents after five minutes.");
    try {
      const { text, bytes, url } = await fetchText(address, {
        fetch: this.#options.fetch,
        refusal: (url) => this.#refusal(url),
        maxBytes: MAX_BYTES,
        timeout: Math.min(TIMEOUT, timeLeft),
      });
      this.#bytes += bytes;
      return { text, url };
    } catch (error) {
      return unresolved(`${label}: ${fetchErrorSentence(error)}`);
    }
  }

  /** True if a file is inside an allowed folder, both by its path and after resolving links. */
  async #isAllowed(address: URL): Promise<boolean> {
    // On Windows, a file URL with a host leads to another machine, which must not even be contacted.
    if (address.host !== this.#entry.host) return false;
    const { paths, realPaths } = await (this.#folders ??= this.#findFolders());
    const { resolve } = builtin("node:path");
    const path = resolve(toPath(address));
    if (![...paths, ...realPaths].some((folder) => isInside(folder, path))) return false;
    const target = await realPath(path);
    return realPaths.some((folder) => isInside(folder, target));
  }

  async #findFolders(): Promise<{ paths: string[]; realPaths: string[] }> {
    const { dirname, resolve } = builtin("node:path");
    const entry = resolve(toPath(this.#entry));
    const paths = [
      dirname(entry),
      // If the description is a link, files next to the link and next to its target may be read.
      dirname(await realPath(entry)),
      ...this.#allowedFolders,
    ];
    return { paths, realPaths: await Promise.all(paths.map((folder) => realPath(folder))) };
  }

  /** Returns why an address must not be fetched: it is in a private network that the description doesn't come from. */
  async #refusal(url: URL): Promise<string | undefined> {
    if (url.hostname === this.#entry.hostname) return undefined;
    const networks = await this.#privateNetworks(url.hostname);
    if (networks.size === 0) return undefined;
    this.#entryNetworks ??= this.#privateNetworks(this.#entry.hostname);
    const allowed = await this.#entryNetworks;
    if ([...networks].every((network) => allowed.has(network))) return undefined;
    return `${url.hostname} is an address of this machine or of a private network, and the description comes from elsewhere. Save the document next to the description.`;
  }

  async #privateNetworks(host: string): Promise<ReadonlySet<PrivateNetwork>> {
    const networks = new Set<PrivateNetwork>();
    for (const address of [host, ...await this.#lookUpAddresses(host)]) {
      const network = privateNetwork(address);
      if (network !== undefined) networks.add(network);
    }
    return networks;
  }

  /** Looks up the addresses of a host name. Not possible in a browser, and not meaningful with a custom `fetch`. */
  async #lookUpAddresses(host: string): Promise<string[]> {
    if (host === "" || this.#options.fetch !== undefined) return [];
    try {
      const results = await builtin("node:dns/promises").lookup(host, { all: true });
      return results.map(({ address }) => address);
    } catch {
      return []; // a proxy may be able to resolve the name
    }
  }
}

function unresolved(sentence: string): LoadFailure {
  return { code: "unresolved_reference", sentence };
}

function isInside(folder: string, path: string): boolean {
  const { sep } = builtin("node:path");
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
