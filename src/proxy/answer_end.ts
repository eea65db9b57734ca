/** Bytes that the head of an answer may have. */
const LONGEST_HEAD = 256 * 1024;

type State = "head" | "body" | "size" | "chunk" | "trailers" | "until_close" | "done";

/**
 * Finds where an answer over HTTP/1.1 ends while its bytes are passed on as they are (RFC 9112, section 6.3). Bodies are
 * not looked into; what cannot be understood ends with its connection.
 */
export class AnswerEnd {
  readonly #isHead: boolean;
  #state: State = "head";
  #text = "";
  #left = 0;
  #status: number | undefined;
  #isLast = false;

  /** @param method Of the request that is answered; `HEAD` gets no body. */
  constructor(method: string) {
    this.#isHead = method === "HEAD";
  }

  /** The status, when it is known; one below 200 only where the protocol changes. */
  get status(): number | undefined {
    return this.#status;
  }

  /** True if all of the answer has come. */
  get isDone(): boolean {
    return this.#state === "done";
  }

  /** True if nothing can follow on the connection, as the sender says or as the answer ends with it. */
  get isLast(): boolean {
    return this.#isLast || this.#state === "until_close";
  }

  /**
   * Takes the next bytes.
   *
   * @returns how many of them belong to the answer.
   */
  add(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length && this.#state !== "done") {
      if (this.#state === "until_close") return chunk.length;
      if (this.#state === "body" || this.#state === "chunk") {
        const length = Math.min(this.#left, chunk.length - at);
        at += length;
        this.#left -= length;
        if (this.#left === 0) this.#state = this.#state === "body" ? "done" : "size";
      } else this.#addToText(chunk[at++] ?? 0);
    }
    return at;
  }

  #addToText(byte: number): void {
    this.#text += String.fromCharCode(byte);
    if (this.#text.length > LONGEST_HEAD) this.#state = "until_close";
    else if (byte === 0x0a) {
      if (this.#state !== "head") this.#onLine();
      else if (/\n\r?\n$/.test(this.#text.slice(-3))) this.#onHead();
    }
  }

  #onHead(): void {
    const head = this.#text;
    this.#text = "";
    const [, minor, code] = /^HTTP\/1\.(\d) (\d{3})/.exec(head) ?? [];
    const status = Number(code);
    // Others may follow those that are not final.
    if (status >= 100 && status < 200 && status !== 101) return;
    if (code !== undefined) this.#status = status;
    const length = /\ncontent-length:[ \t]*(\d+)[ \t]*\r?\n/i.exec(head)?.[1];
    this.#isLast = minor === "0" || /\nconnection:[^\n]*\bclose\b/i.test(head);
    if (code === undefined) this.#state = "until_close";
    else if (this.#isHead || status === 101 || status === 204 || status === 304) {
      this.#state = "done";
    } else if (/\ntransfer-encoding:[^\n]*\bchunked[ \t]*\r?\n/i.test(head)) this.#state = "size";
    else if (length === undefined) this.#state = "until_close";
    else {
      this.#left = Number(length);
      this.#state = this.#left === 0 ? "done" : "body";
    }
  }

  #onLine(): void {
    const line = this.#text.trim();
    this.#text = "";
    if (this.#state === "trailers") {
      if (line === "") this.#state = "done";
      return;
    }
    const size = /^[0-9a-f]{1,13}(?=[ \t;]|$)/i.exec(line)?.[0];
    if (size === undefined) this.#state = "until_close";
    else if (/^0+$/.test(size)) this.#state = "trailers";
    else {
      // The line break after a chunk belongs to it.
      this.#left = parseInt(size, 16) + 2;
      this.#state = "chunk";
    }
  }
}
