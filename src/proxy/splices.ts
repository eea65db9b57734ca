import { connect, type Socket } from "node:net";
import type { EndedClients } from "./ended_clients.ts";
import type { Guard } from "./guard.ts";

/** Where a server behind the front listens: a socket in a private folder, or a port of the loopback interface. */
export type InnerAddress = { readonly path: string } | {
  readonly port: number;
  readonly host: string;
};

/**
 * Connections from the front to the servers behind it. Where these servers listen on ports, which every local program
 * can reach, they ask here whether a connection came through the front, and serve nothing else.
 */
export class Splices {
  readonly #guard: Guard;
  readonly #ended: EndedClients;
  readonly #ports = new Set<number>();
  /** Clients, with the connection that each is led to. */
  readonly #pairs = new Map<Socket, Socket>();

  /**
   * @param guard Runs the handlers of events.
   * @param ended Answers clients that end their side after their requests.
   */
  constructor(guard: Guard, ended: EndedClients) {
    this.#guard = guard;
    this.#ended = ended;
  }

  /** True if the connection with this remote port is one from the front. */
  has(remotePort: number | undefined): boolean {
    return remotePort !== undefined && this.#ports.has(remotePort);
  }

  /** Connections that are open. */
  get size(): number {
    return this.#pairs.size;
  }

  /**
   * Ends all connections, each when what the servers have answered is with the client.
   *
   * @param timeout Milliseconds that clients get to read it.
   */
  async finish(timeout: number): Promise<void> {
    const ended = [...this.#pairs].map(([client, inner]) =>
      new Promise<void>((resolve) => {
        client.once("close", () => resolve());
        client.once("finish", () => client.destroy());
        // The server takes it for the client's end: it sends what it has, then ends too.
        inner.end();
      })
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, timeout));
    await Promise.race([Promise.all(ended), late]);
    clearTimeout(timer);
    for (const client of this.#pairs.keys()) client.destroy();
  }

  /**
   * Leads a client's connection to a server behind the front.
   *
   * @param head The bytes that the client has sent already.
   * @param label The label in them, where the client may end its side before it is answered.
   */
  splice(client: Socket, head: Uint8Array, address: InnerAddress, label?: string): void {
    client.pause();
    const inner = connect({ ...address, allowHalfOpen: true });
    this.#pairs.set(client, inner);
    client.once("close", () => this.#pairs.delete(client));
    let localPort: number | undefined;
    const fail = (): void => {
      client.destroy();
      inner.destroy();
    };
    inner.once(
      "connect",
      this.#guard.handler(() => {
        if ("port" in address) {
          localPort = inner.localPort;
          // Nothing is sent before this, so the server cannot ask too early.
          if (localPort !== undefined) this.#ports.add(localPort);
          inner.setNoDelay(true);
        }
        if (head.length > 0) inner.write(head);
        if (label === undefined) join(client, inner);
        else {
          this.#ended.lead(client, inner, label);
          inner.pipe(client);
        }
      }, fail),
    );
    inner.once("close", () => {
      if (localPort !== undefined) this.#ports.delete(localPort);
    });
    endTogether(client, inner);
  }
}

/** Leads what each of two connections receives into the other. */
export function join(one: Socket, other: Socket): void {
  one.pipe(other);
  other.pipe(one);
  // What has ended before does not say so again.
  if (one.readableEnded) other.end();
  if (other.readableEnded) one.end();
}

/** How long a peer that was told of the end may take to close, in milliseconds. */
const LINGER = 2000;

/** When one of two joined connections is gone, the other one goes too, as soon as it has passed on what it has. */
export function endTogether(one: Socket, other: Socket): void {
  // The close that follows does what is to be done.
  const ignore = (): void => {};
  one.on("error", ignore);
  other.on("error", ignore);
  one.once("close", () => follow(one, other));
  other.once("close", () => follow(other, one));
}

function follow(gone: Socket, rest: Socket): void {
  if (!gone.readableEnded || rest.destroyed) {
    rest.destroy();
    return;
  }
  rest.resume();
  const linger = (): void => {
    const timer = setTimeout(() => rest.destroy(), LINGER);
    rest.once("close", () => clearTimeout(timer));
  };
  if (rest.writableFinished) linger();
  else rest.once("finish", linger);
}
