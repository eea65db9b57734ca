import { connect, type Socket } from "node:net";
import type { EndedClients } from "./ended_clients.ts";
import type { Guard } from "./guard.ts";

/** The address of an inner server: a socket in a private folder, or a port of the loopback interface. */
export type InnerAddress = { readonly path: string } | {
  readonly port: number;
  readonly host: string;
};

/**
 * Connections of clients that the front relays to inner servers. Inner servers that listen on ports, which every local
 * program can reach, ask here whether a connection came through the front, and refuse all others.
 */
export class RelayedConnections {
  readonly #guard: Guard;
  readonly #ended: EndedClients;
  readonly #ports = new Set<number>();
  /** Clients, each with its connection to an inner server. */
  readonly #pairs = new Map<Socket, Socket>();

  /**
   * @param guard Runs event handlers.
   * @param ended Keeps connections open for clients that end their side after their requests.
   */
  constructor(guard: Guard, ended: EndedClients) {
    this.#guard = guard;
    this.#ended = ended;
  }

  /** True if the connection with this remote port comes from the front. */
  has(remotePort: number | undefined): boolean {
    return remotePort !== undefined && this.#ports.has(remotePort);
  }

  /** The number of open connections. */
  get size(): number {
    return this.#pairs.size;
  }

  /**
   * Ends all connections, each after the client has received what the servers answered.
   *
   * @param timeout Milliseconds for clients to read it.
   */
  async finish(timeout: number): Promise<void> {
    const ended = [...this.#pairs].map(([client, inner]) =>
      new Promise<void>((resolve) => {
        client.once("close", () => resolve());
        client.once("finish", () => client.destroy());
        // To the server the client has ended, so it sends what it has and ends too.
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
   * Relays a client's connection to an inner server.
   *
   * @param head The bytes that the client has already sent.
   * @param label The label in them, if the client may end its side before it is answered.
   */
  relay(client: Socket, head: Uint8Array, address: InnerAddress, label?: string): void {
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

/** Passes on what each of two connections receives to the other. */
export function join(one: Socket, other: Socket): void {
  one.pipe(other);
  other.pipe(one);
  // A connection that ended earlier emits no event for it.
  if (one.readableEnded) other.end();
  if (other.readableEnded) one.end();
}

/** Milliseconds for a peer to close its connection after it was told of the end. */
const LINGER = 2000;

/** Closes one of two connections when the other is gone, as soon as it has passed on what it has. */
export function endTogether(one: Socket, other: Socket): void {
  // The close event that follows deals with it.
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
