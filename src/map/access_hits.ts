import { append, byMembers, compareText, getOrAdd } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { checksum } from "./value_hash.ts";

/** A count of responses of one operation to one identity with the same status and owner. */
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

/** The objects of a recording: the identities that created them and the requests for them. */
export class ObjectHits {
  #level = 0;
  #count = 0;
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
    if (!this.#isKept(owner.objects)) return;
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
    const { objects, count, firstAt } = touch;
    const object = objects[objects.length - 1] ?? "";
    const list = this.#touches.get(object);
    if (list === undefined) {
      if (!this.#isKept(objects)) return [touch];
      this.#touches.set(object, [touch]);
    } else {
      const { test, operation, identity, status } = touch;
      for (let index = 0; index < list.length; index++) {
        const known = list[index] as ObjectTouch; // the index is within the list
        const isSame = known.identity === identity && known.status === status &&
          known.operation === operation && known.test === test;
        if (!isSame) continue;
        known.count = addCounts(known.count, count);
        if (firstAt < known.firstAt) known.firstAt = firstAt;
        return [];
      }
      list.push(touch);
    }
    return ++this.#count > MAX_OBJECTS ? this.#thin() : [];
  }

  readonly #toKey = (text: string): string =>
    this.#isHashed && text !== "" ? objectKey(text) : text;

  #hash(): void {
    if (this.#isHashed) return;
    this.#isHashed = true;
    const [owners, touches] = [this.#owners, this.#touches];
    this.#owners = new Map();
    this.#touches = new Map();
    this.#count = 0;
    for (const list of owners.values()) for (const owner of list) this.addOwner(owner);
    for (const list of touches.values()) for (const touch of list) this.addTouch(touch);
  }

  #isKept([first = ""]: readonly string[]): boolean {
    if (this.#level === 0) return true;
    // The low bits of a hash are as good as random.
    const bits = parseInt(this.#isHashed ? first : objectKey(first), 36) >>> 4;
    return bits % 2 ** this.#level === 0;
  }

  #thin(): readonly ObjectTouch[] {
    const dropped: ObjectTouch[] = [];
    while (this.#count > MAX_OBJECTS && this.#level < 24) {
      this.#level++;
      for (const [key, list] of this.#touches) {
        if (this.#isKept(list[0]?.objects ?? [])) continue;
        this.#touches.delete(key);
        this.#count -= list.length;
        append(dropped, list);
      }
    }
    for (const [key, [owner]] of this.#owners) {
      if (owner !== undefined && !this.#isKept(owner.objects)) this.#owners.delete(key);
    }
    return dropped;
  }

  /** Returns the creator of the innermost object with a known owner, preferably in the same test; empty if unknown. */
  findOwner({ objects, test, identity }: ObjectTouch): string {
    for (let at = objects.length - 1; at >= 0; at--) {
      const all = this.#owners.get(objects[at] ?? "");
      if (all === undefined) continue;
      const same = all.filter((one) => one.test === test);
      const names = (same.length > 0 ? same : all).map((one) => one.identity);
      return names.includes(identity) ? identity : names.sort()[0] ?? "";
    }
    return "";
  }

  /** Converts the touches to counts, with the owners that are known so far. */
  *settled(): Generator<AccessCount, void> {
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

function addTo(known: { count: number; firstAt: number }, more: typeof known): void {
  known.count = addCounts(known.count, more.count);
  known.firstAt = Math.min(known.firstAt, more.firstAt);
}

const inOrder = byMembers<AccessCount>(["operation", "identity", "status", "owner"]);

/** Counts the responses of each operation to each identity. */
export class AccessHits {
  /** Responses to requests with credentials that belong to no known identity. */
  unknown = 0;
  /** Responses to requests whose recording doesn't show their sender. */
  hidden = 0;
  /** Indexed by operation. */
  readonly #counts: (Map<string, AccessCount[]> | undefined)[] = [];
  #isAny = false;

  get isUsed(): boolean {
    return this.#isAny || this.unknown + this.hidden > 0;
  }

  list(): AccessCount[] {
    const all = this.#counts.flatMap((byIdentity) => [...byIdentity?.values() ?? []].flat());
    return all.sort(inOrder);
  }

  add({ operation, identity, status, owner, count, firstAt }: AccessCount): void {
    const own = this.#counts[operation] ??= new Map<string, AccessCount[]>();
    let list = own.get(identity);
    if (list === undefined) own.set(identity, list = []);
    for (const known of list) {
      if (known.status !== status || known.owner !== owner) continue;
      return addTo(known, { count, firstAt });
    }
    list.push({ operation, identity, status, owner, count, firstAt });
    this.#isAny = true;
  }

  /** Adds a response to a request for objects, in a recording that may still be open. */
  addTouch(objects: ObjectHits, touch: ObjectTouch): void {
    for (const dropped of objects.addTouch(touch)) this.add({ ...dropped, owner: "" });
  }

  /** Adds the counts of a recording that has ended. */
  settle(objects: ObjectHits): void {
    for (const count of objects.settled()) this.add(count);
  }
}

/** Returns the counts of all recordings, including open ones. */
export function accessCounts(hits: AccessHits, open: Iterable<ObjectHits>): AccessCount[] {
  const all = new AccessHits();
  const list: AccessCount[] = [];
  append(list, hits.list());
  for (const objects of open) append(list, [...objects.settled()]);
  for (const count of list) all.add(count);
  return all.list();
}
