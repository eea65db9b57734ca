import type { Socket } from "node:net";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import type { Guard } from "./guard.ts";

/** Milliseconds without a byte of an answer after which a client that has ended its side counts as gone. */
const SILENCE = 3000;

/** A client's connection that is relayed to an inner server. */
interface Link {
  /** The front's end of the connection to the server. */
  readonly inner: Socket;
  /** The server's end; undefined until the server has read the first request. */
  served: Socket | undefined;
  hasEnded: boolean;
}

/**
 * Clients that end their side of a connection after their requests and still wait for the answers (RFC 9112, section
 * 9.6). Servers of the runtimes take such an end for a client that has gone, so the end is kept from them until
 * everything is answered.
 *
 * To see when that is, the two ends of the connection to the server have to be known. Sockets in a folder have no
 * addresses to compare, so the first request of a connection carries a label, which is taken out again.
 */
export class EndedClients {
  readonly #guard: Guard;
  readonly #isInFlight: (served: Socket) => boolean;
  /** Unguessable, so that no client can send it. */
  readonly #field = `X-Covtool-${crypto.randomUUID()}`;
  readonly #links = new Map<string, Link>();
  #count = 0;

  /**
   * @param guard Runs the handlers of events.
   * @param isInFlight Tells whether a request of a connection waits for its answer.
   */
  constructor(guard: Guard, isInFlight: (served: Socket) => boolean) {
    this.#guard = guard;
    this.#isInFlight = isInFlight;
  }

  /** Connections with a label. */
  get size(): number {
    return this.#links.size;
  }

  /** A new label and the field that carries it. It has to be the first field of the first request. */
  newLabel(): { readonly label: string; readonly field: string } {
    const label = String(this.#count++);
    return { label, field: `${this.#field}: ${label}\r\n` };
  }

  /** Takes the label out of the fields of a request that a server behind the front has read. */
  takeLabel(fields: string[], served: Socket): void {
    if (fields[0] !== this.#field) return;
    const link = this.#links.get(fields[1] ?? "");
    if (link !== undefined) link.served = served;
    fields.splice(0, 2);
  }

  /** True if the client of a connection has ended its side: it may be gone. */
  hasEnded(served: Socket): boolean {
    for (const link of this.#links.values()) {
      if (link.served === served) return link.hasEnded;
    }
    return false;
  }

  /** Passes on what a client sends, and its end when everything is answered or nothing more comes. */
  lead(client: Socket, inner: Socket, label: string): void {
    const link: Link = { inner, served: undefined, hasEnded: false };
    this.#links.set(label, link);
    inner.once("close", () => this.#links.delete(label));
    const fail = (): void => void inner.destroy();
    const onEnd = this.#guard.handler<void>(() => this.#hold(link, fail), fail);
    client.pipe(inner, { end: false });
    if (client.readableEnded) onEnd();
    else client.once("end", onEnd);
    // Nobody reads any more. As long as the server sends, which it does of events for ever, nothing else would end it.
    client.once("close", () => inner.end());
  }

  #hold(link: Link, fail: () => void): void {
    const { inner } = link;
    link.hasEnded = true;
    if (this.#isAnswered(link)) {
      inner.end();
      return;
    }
    const giveUp = (): void => void inner.end();
    let timer = setTimeout(giveUp, SILENCE);
    const look = this.#guard.handler<void>(() => {
      if (this.#isAnswered(link)) inner.end();
    }, fail);
    inner.on("data", () => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, SILENCE);
      setImmediate(look);
    });
    inner.once("close", () => clearTimeout(timer));
  }

  /** True if the server has read all that the client sent, and the client has been passed all that it was answered. */
  #isAnswered({ inner, served }: Link): boolean {
    return served !== undefined && inner.writableLength === 0 &&
      served.bytesRead === inner.bytesWritten && served.bytesWritten === inner.bytesRead &&
      !this.#isInFlight(served);
  }
}
