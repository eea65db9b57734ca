import { connect, type Socket } from "node:net";

/** The address that the servers behind the front listen on: nobody else's machine can reach it. */
export const LOOPBACK = "127.0.0.1";

/**
 * Connections from the front to the servers behind it. These servers listen on ports that every local program can
 * reach, so they ask here whose a connection is, and serve nothing that did not come through the front.
 *
 * @typeParam Lane What the front knows of a connection.
 */
export class Splices<Lane> {
  readonly #lanes = new Map<number, Lane>();
  /** Clients, with the connection that each is led to. */
  readonly #pairs = new Map<Socket, Socket>();

  /** What the front knows of the connection with this remote port; undefined where it is none of its own. */
  lane(remotePort: number | undefined): Lane | undefined {
    return remotePort === undefined ? undefined : this.#lanes.get(remotePort);
  }

  /** Connections that are open. */
  get size(): number {
    return this.#pairs.size;
  }

  /**
   * Ends all connections, each when what the servers have answered is with the client.
   *
   * @param patience Milliseconds that clients get to read it.
   */
  async finish(patience: number): Promise<void> {
    const ended = [...this.#pairs].map(([client, inner]) =>
      new Promise<void>((resolve) => {
        client.once("close", () => resolve());
        client.once("finish", () => client.destroy());
        // The server takes it for the client's end: it sends what it has, then ends too.
        inner.end();
      })
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, patience));
    await Promise.race([Promise.all(ended), late]);
    clearTimeout(timer);
    for (const client of this.#pairs.keys()) client.destroy();
  }

  /**
   * Leads a client's connection to a server behind the front.
   *
   * @param head What the client has sent already.
   */
  splice(client: Socket, head: Uint8Array, port: number, lane: Lane): void {
    client.pause();
    const inner = connect({ port, host: LOOPBACK, noDelay: true, allowHalfOpen: true });
    this.#pairs.set(client, inner);
    client.once("close", () => this.#pairs.delete(client));
    let localPort: number | undefined;
    inner.once("connect", () => {
      localPort = inner.localPort;
      // Nothing is sent before this, so the server cannot ask too early.
      if (localPort !== undefined) this.#lanes.set(localPort, lane);
      inner.setNoDelay(true);
      if (head.length > 0) inner.write(head);
      join(client, inner);
    });
    inner.once("close", () => {
      if (localPort !== undefined) this.#lanes.delete(localPort);
    });
    endTogether(client, inner);
  }
}

/** Leads what each of two connections receives into the other. */
export function join(one: Socket, other: Socket): void {
  one.pipe(other);
  other.pipe(one);
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
