import { concatBytes } from "../../../src/values/collections.ts";

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** Lowercase names with values, in order. */
  readonly fields: readonly (readonly [string, string])[];
  readonly isChunked: boolean;
  readonly length: number;
}

/** Receives requests. */
export interface RequestListener {
  onHead(head: RequestHead): void;
  onBody(bytes: Uint8Array): void;
  onEnd(): void;
  /** Called with a message about an invalid request; nothing is read after it. */
  onViolation(sentence: string): void;
}

const MOST_HEAD = 512 * 1024;
const decoder = new TextDecoder("latin1");

type State = "head" | "body" | "size" | "chunk" | "break" | "trailers" | "over";

/**
 * Reads requests like a server that refuses everything which two servers could read differently: a proxy must only
 * forward what is unambiguous (RFC 9112, sections 2.2, 3, 5, 6 and 7.1).
 */
export class RequestReader {
  readonly #listener: RequestListener;
  #bytes: Uint8Array = new Uint8Array();
  #state: State = "head";
  #left = 0;

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  /** Stops reading. */
  stop(): void {
    this.#state = "over";
  }

  /** Reads the next bytes. */
  add(chunk: Uint8Array): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : concatBytes([this.#bytes, chunk]);
    while (this.#state !== "over" && this.#step());
  }

  #step(): boolean {
    switch (this.#state) {
      case "head":
        return this.#readHead();
      case "body":
      case "chunk":
        return this.#readData();
      case "size":
        return this.#onLine((line) => {
          if (!/^[0-9a-f]{1,12}$/i.test(line)) return this.#violate(`chunk size ${quote(line)}`);
          this.#left = parseInt(line, 16);
          this.#state = this.#left === 0 ? "trailers" : "chunk";
        });
      case "break":
        return this.#onLine((line) => {
          if (line !== "") this.#violate(`${quote(line)} after a chunk`);
          else this.#state = "size";
        });
      case "trailers":
        return this.#onLine((line) => {
          if (line === "") this.#end();
          else this.#checkField(line, true);
        });
      default:
        return false;
    }
  }

  #readHead(): boolean {
    if (this.#bytes.length === 0) return false;
    const end = indexOfEnd(this.#bytes);
    if (end < 0) {
      if (this.#bytes.length > MOST_HEAD) this.#violate("a head without an end");
      return false;
    }
    const text = decoder.decode(this.#bytes.subarray(0, end));
    this.#bytes = this.#bytes.subarray(end + 4);
    const [line = "", ...lines] = text.split("\r\n");
    const [, method = "", path = ""] =
      /^([!#$%&'*+.^_`|~\w-]+) (\/[^\s]*|\*) HTTP\/1\.1$/.exec(line) ??
        [];
    if (path === "") return this.#violate(`request line ${quote(line)}`);
    const fields: [string, string][] = [];
    for (const one of lines) {
      const field = this.#checkField(one, false);
      if (field === undefined) return false;
      fields.push(field);
    }
    const all = (name: string): string[] =>
      fields.filter(([one]) => one === name).map(([, value]) => value);
    const lengths = all("content-length");
    const codings = all("transfer-encoding");
    if (all("host").length !== 1) return this.#violate(`${all("host").length} Host fields`);
    if (lengths.length > 1) return this.#violate(`Content-Length ${lengths.join(" and ")}`);
    if (codings.length > 1) return this.#violate(`Transfer-Encoding ${codings.join(" and ")}`);
    if (lengths.length + codings.length > 1) {
      return this.#violate("both Content-Length and Transfer-Encoding");
    }
    if (codings.length === 1 && codings[0]?.toLowerCase() !== "chunked") {
      return this.#violate(`Transfer-Encoding ${quote(codings[0] ?? "")}`);
    }
    if (lengths.length === 1 && !/^\d{1,15}$/.test(lengths[0] ?? "")) {
      return this.#violate(`Content-Length ${quote(lengths[0] ?? "")}`);
    }
    const isChunked = codings.length === 1;
    this.#left = Number(lengths[0] ?? 0);
    this.#state = isChunked ? "size" : "body";
    const head = { method, path, fields, isChunked, length: this.#left };
    this.#listener.onHead(head);
    // The listener may have stopped the reader.
    if ((this.#state as State) === "over") return false;
    if (!isChunked && this.#left === 0) this.#end();
    return true;
  }

  #readData(): boolean {
    if (this.#bytes.length === 0) return false;
    const taken = this.#bytes.subarray(0, this.#left);
    this.#bytes = this.#bytes.subarray(taken.length);
    this.#left -= taken.length;
    this.#listener.onBody(taken);
    if (this.#left > 0 || (this.#state as State) === "over") return false;
    if (this.#state === "body") this.#end();
    else this.#state = "break";
    return true;
  }

  #onLine(action: (line: string) => unknown): boolean {
    const feed = this.#bytes.indexOf(0x0a);
    if (feed < 0) return false;
    const line = decoder.decode(this.#bytes.subarray(0, feed));
    this.#bytes = this.#bytes.subarray(feed + 1);
    if (!line.endsWith("\r")) return this.#violate(`${quote(line)} ends with a bare line feed`);
    action(line.slice(0, -1));
    return true;
  }

  #checkField(line: string, isTrailer: boolean): [string, string] | undefined {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    // deno-lint-ignore no-control-regex -- these characters are not allowed
    if (name === undefined || value === undefined || /[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
      this.#violate(`field ${quote(line)}`);
      return undefined;
    }
    const lower = name.toLowerCase();
    if (isTrailer && /^(?:content-length|transfer-encoding|host)$/.test(lower)) {
      this.#violate(`trailer ${quote(line)}`);
      return undefined;
    }
    return [lower, value];
  }

  #end(): void {
    this.#state = "head";
    this.#listener.onEnd();
  }

  #violate(sentence: string): false {
    this.#state = "over";
    this.#listener.onViolation(sentence);
    return false;
  }
}

function indexOfEnd(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0x0d); at >= 0; at = bytes.indexOf(0x0d, at + 1)) {
    if (bytes[at + 1] === 0x0a && bytes[at + 2] === 0x0d && bytes[at + 3] === 0x0a) return at;
  }
  return -1;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
