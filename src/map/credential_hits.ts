import { compareText, getOrAdd } from "../values/collections.ts";
import { ObjectHits } from "./access_hits.ts";
import { EvidenceHits } from "./evidence.ts";

export interface OpenRecording {
  /** The places where some of its requests show credentials, as `placeText()` has them. */
  readonly shown: Set<string>;
  /** By the index of the operation: requests without credentials, of which it is open what they prove. */
  readonly pending: Map<number, EvidenceHits>;
  /** Objects that its requests name, and who created them. */
  readonly objects: ObjectHits;
}

/** The name of the recording that plugins and `record()` make: all that maps record live is one. */
const LIVE = "";

/** Requests that wait for their recording's end: without credentials they prove something only if others had some. */
export class CredentialHits {
  readonly #recordings = new Map<string, OpenRecording>();
  #name = LIVE;
  #current: OpenRecording | undefined;

  /** The recording that requests belong to now. */
  get current(): OpenRecording {
    return this.#current ??= this.recording(this.#name);
  }

  /** Runs an action whose requests belong to a recording. */
  within(name: string, action: () => void): void {
    const before = this.#name;
    this.#enter(name);
    try {
      action();
    } finally {
      this.#enter(before);
    }
  }

  #enter(name: string): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#current = undefined;
  }

  /** A recording by its name, which is empty for what is recorded live; begins it if it isn't open. */
  recording(name: string): OpenRecording {
    return getOrAdd(this.#recordings, name, () => ({
      shown: new Set(),
      pending: new Map(),
      objects: new ObjectHits(),
    }));
  }

  /** Forgets a recording; undefined if it isn't open. */
  take(name: string): OpenRecording | undefined {
    const recording = this.#recordings.get(name);
    this.#recordings.delete(name);
    this.#current = undefined;
    return recording;
  }

  /** The open recordings by their names, in their order. */
  list(): (readonly [name: string, recording: OpenRecording])[] {
    return [...this.#recordings].sort(([a], [b]) => compareText(a, b));
  }
}

export function pendingHits({ pending }: OpenRecording, operation: number): EvidenceHits {
  return getOrAdd(pending, operation, () => new EvidenceHits());
}
