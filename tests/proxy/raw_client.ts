import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** A response as received. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and fields. */
  readonly head: string;
  readonly body: Uint8Array;
}

/** Pseudo-header fields of an HTTP/2 request. */
export function requestFields(method: string, authority: string, path = "/"): [string, string][] {
  return [[":method", method], [":scheme", "https"], [":authority", authority], [":path", path]];
}

/** A connection with access to every byte. */
export class RawClient {
  readonly socket: Socket;
  #bytes: Uint8Array = new Uint8Array();
  #isEnded = false;
  #wake: () => void = () => {};

  /** Reads from an open connection. */
  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk: Uint8Array) => {
      const joined = new Uint8Array(this.#bytes.length + chunk.length);
      joined.set(this.#bytes);
      joined.set(chunk, this.#bytes.length);
      this.#bytes = joined;
      this.#wake();
    });
    const end = (): void => {
      this.#isEnded = true;
      this.#wake();
    };
    socket.on("end", end);
    socket.on("error", end);
    socket.on("close", end);
  }

  /** Connects to a port on the loopback interface. */
  static async open(port: number): Promise<RawClient> {
    const socket = connect(port, "127.0.0.1");
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return new RawClient(socket);
  }

  /** Sends one request on its own connection. Returns the response. */
  static async ask(
    port: number,
    request: string,
  ): Promise<RawAnswer & { readonly text: string }> {
    const client = await RawClient.open(port);
    client.write(request);
    const answer = await client.answer();
    client.destroy();
    return { ...answer, text: new TextDecoder().decode(answer.body) };
  }

  /** Opens a tunnel through a proxy. */
  static async tunnel(proxyPort: number, authority: string): Promise<RawClient> {
    const client = await RawClient.open(proxyPort);
    client.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    const { status } = await client.answer("CONNECT");
    if (status !== 200) throw new Error(`CONNECT is answered with ${status}`);
    return client;
  }

  /** Opens a tunnel through a proxy, with or without TLS in it. */
  static async reach(
    proxy: { readonly port: number; readonly caCertificate: string },
    authority: string,
    isSecure: boolean,
    protocol?: "h2" | "http/1.1",
  ): Promise<RawClient> {
    const tunnel = await RawClient.tunnel(proxy.port, authority);
    return isSecure ? await tunnel.secure(proxy.caCertificate, "localhost", protocol) : tunnel;
  }

  /** Continues with TLS. */
  async secure(ca: string, host = "localhost", protocol = "http/1.1"): Promise<RawClient> {
    this.socket.removeAllListeners();
    const socket = connectTls({
      socket: this.socket,
      ca,
      host,
      servername: isIP(host) === 0 ? host : "",
      ALPNProtocols: [protocol],
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("secureConnect", resolve);
      socket.once("error", reject);
    });
    return new RawClient(socket);
  }

  /** Sends bytes, or text with one byte per character. */
  write(data: string | Uint8Array): void {
    // Deno ends a TLS connection on an empty write.
    if (this.socket.destroyed || data.length === 0) return;
    this.socket.write(typeof data === "string" ? latin1(data) : data);
  }

  /** Reads the next response completely. */
  async answer(method = "GET"): Promise<RawAnswer> {
    const head = await this.until("\r\n\r\n");
    const status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    let body: Uint8Array = new Uint8Array();
    if (method === "HEAD" || method === "CONNECT" || status === 204 || status < 200) {
      return { status, head, body };
    }
    if (length !== undefined) body = await this.take(Number(length));
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      const parts: Uint8Array[] = [];
      for (;;) {
        const size = parseInt(await this.until("\r\n"), 16);
        if (Number.isNaN(size)) throw new Error("broken chunk");
        if (size === 0) break;
        parts.push(await this.take(size));
        await this.take(2);
      }
      while (await this.until("\r\n") !== "\r\n");
      body = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    } else {
      while (!this.#isEnded) await this.#more();
      body = this.#bytes;
      this.#bytes = new Uint8Array();
    }
    return { status, head, body };
  }

  /** Reads text up to and including a mark. */
  async until(mark: string): Promise<string> {
    for (;;) {
      const text = this.#text();
      const end = text.indexOf(mark);
      if (end >= 0) {
        this.#bytes = this.#bytes.subarray(end + mark.length);
        return text.slice(0, end + mark.length);
      }
      if (this.#isEnded) throw new Error("the connection has ended");
      await this.#more();
    }
  }

  /** Reads this many bytes. */
  async take(length: number): Promise<Uint8Array> {
    while (this.#bytes.length < length) {
      if (this.#isEnded) throw new Error("the connection has ended");
      await this.#more();
    }
    const taken = this.#bytes.slice(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  /** True if the connection ends within this time. */
  async ends(milliseconds: number): Promise<boolean> {
    const timer = setTimeout(() => this.#wake(), milliseconds);
    const until = performance.now() + milliseconds;
    while (!this.#isEnded && performance.now() < until) await this.#more();
    clearTimeout(timer);
    return this.#isEnded;
  }

  /** Closes the connection without notice. */
  destroy(): void {
    this.socket.destroy();
  }

  #text(): string {
    let text = "";
    for (let offset = 0; offset < this.#bytes.length; offset += 8192) {
      text += String.fromCharCode(...this.#bytes.subarray(offset, offset + 8192));
      if (text.includes("\r\n\r\n")) break;
    }
    return text;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#wake = resolve);
  }
}

/** Encodes text with one byte per character. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0));
}

/** A port on which nothing listens. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Waits until a condition holds. */
export async function eventually(holds: () => boolean, milliseconds = 5000): Promise<void> {
  const until = performance.now() + milliseconds;
  while (!holds()) {
    if (performance.now() > until) throw new Error(`it never holds: ${holds}`);
    await pause(10);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits for a promise, and fails if it takes too long. */
export async function within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it hangs: ${what}`)), 10_000);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
