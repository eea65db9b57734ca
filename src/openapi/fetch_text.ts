import { concatBytes } from "../values/collections.ts";
import { decodeUri } from "../values/escapes.ts";
import { trustingFetch } from "../files/authorities.ts";
import { decodeText } from "../files/files.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { Redactor } from "../redact/redactor.ts";

export interface FetchedText {
  readonly text: string;
  readonly bytes: number;
  /** The URL after redirects, the base of relative references (RFC 3986, section 5.1.3). */
  readonly url: URL;
}

export interface FetchOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Returns the reason why an address must not be fetched, as a sentence; called for each redirect too. */
  readonly refusal?: ((url: URL) => Promise<string | undefined>) | undefined;
  /** Maximum size of the body in bytes; a longer body is an error. */
  readonly maxBytes: number;
  /** Milliseconds for the whole fetch, redirects included. */
  readonly timeout: number;
}

/** Thrown where covtool refuses or stops a fetch, and for an error status; the message is a sentence for the user. */
class RefusedError extends Error {}

/** Browsers follow at least this many. */
const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Fetches a text. Follows redirects itself, but none from https to http. Throws on failure and on timeout. */
export async function fetchText(url: URL, options: FetchOptions): Promise<FetchedText> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.ceil(options.timeout / 1000);
      reject(new RefusedError(`The server did not answer within ${seconds} seconds.`));
      abort.abort();
    }, options.timeout);
  });
  try {
    const fetched = followRedirects(url, options, abort.signal);
    // After a timeout, nobody awaits the fetch any more.
    fetched.catch(() => {});
    return await Promise.race([fetched, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

async function followRedirects(
  url: URL,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedText> {
  let target = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    await checkUrl(target, target === url ? undefined : url, options);
    const response = await request(target, url, options, signal, "manual");
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location !== null) {
      await response.body?.cancel();
      target = new URL(location, target);
      continue;
    }
    // Browsers don't reveal the target of a redirect before they follow it.
    const final = response.type === "opaqueredirect"
      ? await request(target, url, options, signal, "follow")
      : response;
    const finalUrl = final.url === "" ? withoutCredentials(target) : new URL(final.url);
    if (finalUrl.href !== withoutCredentials(target).href) await checkUrl(finalUrl, url, options);
    if (!final.ok) {
      await final.body?.cancel();
      throw new RefusedError(statusSentence(final.status));
    }
    const bytes = await readBody(final, options.maxBytes);
    return { text: decodeText(bytes), bytes: bytes.length, url: finalUrl };
  }
  throw new RefusedError("There are too many redirects: check the address.");
}

/** @param from The URL from which a redirect led here. */
async function checkUrl(url: URL, from: URL | undefined, { refusal }: FetchOptions): Promise<void> {
  if (from?.protocol === "https:" && url.protocol !== "https:") {
    throw new RefusedError("covtool does not follow redirects from https to another protocol.");
  }
  if (!/^https?:$/.test(url.protocol)) {
    throw new RefusedError("It redirects to a protocol other than http and https.");
  }
  const reason = await refusal?.(url);
  if (reason !== undefined) throw new RefusedError(reason);
}

async function request(
  target: URL,
  original: URL,
  { fetch = trustingFetch as typeof globalThis.fetch }: FetchOptions,
  signal: AbortSignal,
  redirect: "manual" | "follow",
): Promise<Response> {
  const headers: Record<string, string> = {
    accept: "application/json, application/yaml, text/yaml;q=0.9, */*;q=0.8",
  };
  // `fetch` rejects URLs with credentials, so they are sent as a header, and only to the origin they are for.
  const { username, password } = target.username !== "" || target.origin !== original.origin
    ? target
    : original;
  if (username !== "" || password !== "") {
    const credentials = `${decodeUri(username)}:${decodeUri(password)}`;
    headers["authorization"] = `Basic ${
      btoa(String.fromCharCode(...new TextEncoder().encode(credentials)))
    }`;
  }
  return await fetch(withoutCredentials(target), { headers, signal, redirect });
}

async function readBody(response: Response, most: number): Promise<Uint8Array> {
  const tooLong = () =>
    new RefusedError(`It is larger than ${most / 2 ** 20} MiB, the most that covtool reads.`);
  if (Number(response.headers.get("content-length")) > most) {
    await response.body?.cancel();
    throw tooLong();
  }
  if (response.body === null) return new Uint8Array(0);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw tooLong();
    }
    pieces.push(value);
  }
  return concatBytes(pieces);
}

export function withoutCredentials(url: URL): URL {
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  return copy;
}

function statusSentence(status: number): string {
  return `The server answered with status ${status}${
    status === 401 || status === 403
      ? ", so it seems to need a login. Save the document and load it as a file."
      : ": check the address."
  }`;
}

export function fetchErrorSentence(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  const permission = missingPermission(error);
  if (permission !== undefined) return `It cannot be fetched: ${permission}`;
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error
    ? ` (${error.cause.message})`
    : "";
  if (/certificate|UnknownIssuer/i.test(`${message}${cause}`)) {
    const problem = new Redactor().sentence(cause === "" ? ` (${message})` : cause);
    return `It cannot be fetched: the certificate of the server was rejected${problem}. Trust its certificate authority with --ca ca.pem.`;
  }
  // Some runtimes put the whole URL, with its credentials, into the message.
  const problem = new Redactor().sentence(`${message}${cause}`);
  return `It cannot be fetched: ${problem}. Check the address and that the server is running.`;
}
