import { append, byMembers, compareText, getOrAdd } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { checksum } from "./value_hash.ts";

export interface AccessCount {
  readonly operation: number;
  readonly identity: string;
  readonly status: number;
  /** The identity that created the object of the requests; empty if unknown, or if there is no object. */
  readonly owner: string;
  count: number;
  /** In seconds since 1970; Infinity if unknown. */
  firstAt: number;
}

/** A response to a request whose path names objects, outermost first; plain, or hashed by {@linkcode objectKey}. */
export interface ObjectTouch {
  readonly objects: readonly string[];
  readonly test: string;
  readonly operation: number;
  readonly identity: string;
  readonly status: number;
  count: number;
  firstAt: number;
}

export interface ObjectOwner {
  readonly objects: readonly string[];
  readonly test: string;
  readonly identity: string;
}

/** Beyond this number of touches, only a sample of the objects is kept, chosen by hash and so independent of order. */
const MAX_OBJECTS = 50_000;

const encoder = new TextEncoder();

/** Hashes an object or a test. Identifiers may be personal data, so hits files don't contain them. */
export function objectKey(text: string): string {
  return checksum(encoder.encode(text));
}

export class ObjectHits {
  #sampleLevel = 0;
  #touchCount = 0;
  /** True once objects and tests are stored as hashes: from the first export or merge of a hits file on. */
  #isHashed = false;
  /** Keyed by the innermost object. */
  #owners = new Map<string, ObjectOwner[]>();
  #touches = new Map<string, ObjectTouch[]>();

  get isUsed(): boolean {
    return this.#touches.size + this.#owners.size > 0;
  }

  owners(): readonly ObjectOwner[] {
    this.#hash();
    return [...this.#owners.values()].flat().sort((a, b) => compareText(ownerKey(a), ownerKey(b)));
  }

  touches(): readonly ObjectTouch[] {
    this.#hash();
    return [...this.#touches.values()].flat().sort((a, b) => compareText(touchKey(a), touchKey(b)));
  }

  /** Adds the hashed owners and touches of other hits. Returns the touches that are dropped. */
  merge(owners: readonly ObjectOwner[], touches: readonly ObjectTouch[]): readonly ObjectTouch[] {
    if (owners.length + touches.length === 0) return [];
    this.#hash();
    for (const owner of owners) this.#addOwner(owner);
    return touches.flatMap((touch) => this.#addTouch(touch));
  }

  addOwner({ objects, test, identity }: ObjectOwner): void {
    this.#addOwner({ objects: objects.map(this.#toKey), test: this.#toKey(test), identity });
  }

  #addOwner(owner: ObjectOwner): void {
    if (!this.#isInSample(owner.objects)) return;
    const list = getOrAdd(this.#owners, owner.objects.at(-1) ?? "", (): ObjectOwner[] => []);
    const { test, identity } = owner;
    if (!list.some((one) => one.identity === identity && one.test === test)) list.push(owner);
  }

  /** Adds a touch. Returns the touches that are dropped because their objects aren't in the sample. */
  addTouch(touch: ObjectTouch): readonly ObjectTouch[] {
    if (!this.#isHashed) return this.#addTouch(touch);
    const { objects, test, ...rest } = touch;
    return this.#addTouch({ ...rest, objects: objects.map(this.#toKey), test: this.#toKey(test) });
  }

  #addTouch(touch: ObjectTouch): readonly ObjectTouch[] {
    const { objects } = touch;
    const object = objects[objects.length - 1] ?? "";
    const list = this.#touches.get(object);
    if (list === undefined) {
      if (!this.#isInSample(objects)) return [touch];
      this.#touches.set(object, [touch]);
    } else {
      const { test, operation, identity, status } = touch;
      for (let index = 0; index < list.length; index++) {
        const existing = list[index] as ObjectTouch; // the index is within the list
        const isSame = existing.identity === identity && existing.status === status &&
          existing.operation === operation && existing.test === test;
        if (!isSame) continue;
        addCount(existing, touch);
        return [];
      }
      list.push(touch);
    }
    return ++this.#touchCount > MAX_OBJECTS ? this.#reduceSample() : [];
  }

  readonly #toKey = (text: string): string =>
    this.#isHashed && text !== "" ? objectKey(text) : text;

  #hash(): void {
    if (this.#isHashed) return;
    this.#isHashed = true;
    const [owners, touches] = [this.#owners, this.#touches];
    this.#owners = new Map();
    this.#touches = new Map();
    this.#touchCount = 0;
    for (const list of owners.values()) for (const owner of list) this.addOwner(owner);
    for (const list of touches.values()) for (const touch of list) this.addTouch(touch);
  }

  #isInSample([first = ""]: readonly string[]): boolean {
    if (this.#sampleLevel === 0) return true;
    // The low bits of a hash are as good as random.
    const bits = parseInt(this.#isHashed ? first : objectKey(first), 36) >>> 4;
    return bits % 2 ** this.#sampleLevel === 0;
  }

  #reduceSample(): readonly ObjectTouch[] {
    const dropped: ObjectTouch[] = [];
    while (this.#touchCount > MAX_OBJECTS && this.#sampleLevel < 24) {
      this.#sampleLevel++;
      for (const [key, list] of this.#touches) {
        if (this.#isInSample(list[0]?.objects ?? [])) continue;
        this.#touches.delete(key);
        this.#touchCount -= list.length;
        append(dropped, list);
      }
    }
    for (const [key, [owner]] of this.#owners) {
      if (owner !== undefined && !this.#isInSample(owner.objects)) this.#owners.delete(key);
    }
    return dropped;
  }

  /** Returns the creator of the innermost object with a known owner, preferably in the same test; empty if unknown. */
  findOwner({ objects, test, identity }: ObjectTouch): string {
    for (let at = objects.length - 1; at >= 0; at--) {
      const owners = this.#owners.get(objects[at] ?? "");
      if (owners === undefined) continue;
      const sameTest = owners.filter((one) => one.test === test);
      const names = (sameTest.length > 0 ? sameTest : owners).map((one) => one.identity);
      return names.includes(identity) ? identity : names.sort()[0] ?? "";
    }
    return "";
  }

  /** Converts the touches to counts, with the owners that are known so far. */
  *counts(): Generator<AccessCount, void> {
    for (const list of this.#touches.values()) {
      for (const touch of list) yield { ...touch, owner: this.findOwner(touch) };
    }
  }
}

function ownerKey({ objects, test, identity }: ObjectOwner): string {
  return [...objects, test, identity].join("\n");
}

function touchKey({ objects, test, operation, identity, status }: ObjectTouch): string {
  return [...objects, test, operation, identity, status].join("\n");
}

function addCount(existing: { count: number; firstAt: number }, added: typeof existing): void {
  existing.count = addCounts(existing.count, added.count);
  existing.firstAt = Math.min(existing.firstAt, added.firstAt);
}

const compareCounts = byMembers<AccessCount>(["operation", "identity", "status", "owner"]);

export class AccessHits {
  /** Responses to requests with credentials that belong to no known identity. */
  unknownSenders = 0;
  /** Responses to requests whose recording doesn't show their sender. */
  hiddenSenders = 0;
  /** Indexed by operation. */
  readonly #counts: (Map<string, AccessCount[]> | undefined)[] = [];
  #hasCounts = false;

  get isUsed(): boolean {
    return this.#hasCounts || this.unknownSenders + this.hiddenSenders > 0;
  }

  list(): AccessCount[] {
    const all = this.#counts.flatMap((byIdentity) => [...byIdentity?.values() ?? []].flat());
    return all.sort(compareCounts);
  }

  add({ operation, identity, status, owner, count, firstAt }: AccessCount): void {
    const byIdentity = this.#counts[operation] ??= new Map<string, AccessCount[]>();
    const list = getOrAdd(byIdentity, identity, () => []);
    for (const existing of list) {
      if (existing.status !== status || existing.owner !== owner) continue;
      return addCount(existing, { count, firstAt });
    }
    list.push({ operation, identity, status, owner, count, firstAt });
    this.#hasCounts = true;
  }

  addTouch(objects: ObjectHits, touch: ObjectTouch): void {
    for (const dropped of objects.addTouch(touch)) this.add({ ...dropped, owner: "" });
  }

  /** Adds the counts of a recording that has ended. */
  addRecording(objects: ObjectHits): void {
    for (const count of objects.counts()) this.add(count);
  }
}

export function accessCounts(
  hits: AccessHits,
  openRecordings: Iterable<ObjectHits>,
): AccessCount[] {
  const sums = new AccessHits();
  for (const count of hits.list()) sums.add(count);
  for (const objects of openRecordings) sums.addRecording(objects);
  return sums.list();
}
