import type { SenderLog, SenderRequest } from "../../record/access_recorder.ts";

/** What `covtool probe --identities` makes its requests of; in memory alone, as it has credentials. */
export class SenderRequests implements SenderLog {
  readonly #requests = new Map<number, SenderRequest>();
  readonly #objects = new Map<string, string>();

  /** Keeps the newest request of each operation, those that succeeded before those that were refused. */
  add(operation: number, sent: SenderRequest): void {
    const isAllowed = sent.status >= 200 && sent.status < 300;
    const isRefused = sent.status === 401 || sent.status === 403;
    const known = this.#requests.get(operation);
    const isBetter = isAllowed || isRefused && (known === undefined || known.status >= 300);
    if (isBetter) this.#requests.set(operation, sent);
  }

  /** Keeps the path of an object, `/loans/7`, and who created it: the newest belongs to the last. */
  addObject(path: string, owner: string): void {
    this.#objects.delete(path);
    this.#objects.set(path, owner);
  }

  of(operation: number): SenderRequest | undefined {
    return this.#requests.get(operation);
  }

  /** The paths of objects with their owners, the newest first. */
  objects(): readonly (readonly [path: string, owner: string])[] {
    return [...this.#objects].reverse();
  }
}
