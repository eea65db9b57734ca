import { compareText, getOrAdd } from "../values/collections.ts";
import { ObjectHits } from "./access_hits.ts";
import { EvidenceHits } from "./evidence.ts";

export interface OpenRecording {
  /** The places where some of its requests show credentials, in the form of `placeText()`. */
  readonly shownPlaces: Set<string>;
  /** Requests without credentials by operation; what they prove is undecided until the recording ends. */
  readonly pending: Map<number, EvidenceHits>;
  readonly objects: ObjectHits;
}

/** The name of the one recording that plugins and `record()` share. */
const LIVE_TRAFFIC = "";

/** Open recordings. Requests without credentials prove something only if others in their recording show credentials. */
export class CredentialHits {
  readonly #recordings = new Map<string, OpenRecording>();
  #name = LIVE_TRAFFIC;
  #currentRecording: OpenRecording | undefined;

  get currentRecording(): OpenRecording {
    return this.#currentRecording ??= this.recording(this.#name);
  }

  within(name: string, action: () => void): void {
    const previous = this.#name;
    this.#switchTo(name);
    try {
      action();
    } finally {
      this.#switchTo(previous);
    }
  }

  #switchTo(name: string): void {
    if (name === this.#name) return;
    this.#name = name;
    this.#currentRecording = undefined;
  }

  /** Returns a recording by name (empty for live traffic); opens the recording if necessary. */
  recording(name: string): OpenRecording {
    return getOrAdd(this.#recordings, name, () => ({
      shownPlaces: new Set(),
      pending: new Map(),
      objects: new ObjectHits(),
    }));
  }

  remove(name: string): OpenRecording | undefined {
    const recording = this.#recordings.get(name);
    this.#recordings.delete(name);
    this.#currentRecording = undefined;
    return recording;
  }

  /** Sorted by name. */
  list(): (readonly [name: string, recording: OpenRecording])[] {
    return [...this.#recordings].sort(([a], [b]) => compareText(a, b));
  }
}

export function pendingHits({ pending }: OpenRecording, operation: number): EvidenceHits {
  return getOrAdd(pending, operation, () => new EvidenceHits());
}
