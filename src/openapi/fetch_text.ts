import { decodeText } from "../files.ts";

/** A text with the URL that it came from in the end. */
export interface FetchedText {
  /** The body, decoded. */
  readonly text: string;
  /** The URL after redirects, which relative references resolve against (RFC 3986, section 5.1.3). */
  readonly url: URL;
}

class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The server answered with status ${status}.`);
    this.status = status;
  }
}

/**
 * Fetches a text over HTTP.
 *
 * @throws whatever `fetch` throws, or an error for a status that is no success.
 */
export async function fetchText(
  url: URL,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<FetchedText> {
  // `fetch` refuses URLs with credentials; as a header they mean the same.
  const address = new URL(url);
  const headers: Record<string, string> = {
    accept: "application/json, application/yaml, text/yaml;q=0.9, */*;q=0.8",
  };
  if (address.username !== "" || address.password !== "") {
    const credentials = `${decodeURIComponent(address.username)}:${
      decodeURIComponent(address.password)
    }`;
    headers["authorization"] = `Basic ${
      btoa(String.fromCharCode(...new TextEncoder().encode(credentials)))
    }`;
    address.username = "";
    address.password = "";
  }
  const response = await fetch(address, { headers });
  if (!response.ok) {
    await response.body?.cancel();
    throw new StatusError(response.status);
  }
  const text = decodeText(new Uint8Array(await response.arrayBuffer()));
  return { text, url: response.url === "" ? address : new URL(response.url) };
}

/** Why something could not be fetched, as one sentence that says what to do. */
export function fetchErrorSentence(error: unknown): string {
  if (error instanceof StatusError) {
    return error.status === 401 || error.status === 403
      ? `The server answered with status ${error.status}: it needs a login. Save the document and load it as a file.`
      : `${error.message.slice(0, -1)}: check the address.`;
  }
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error
    ? ` (${error.cause.message})`
    : "";
  return `It cannot be fetched: ${message}${cause}. Check the address and that the server is running.`;
}
