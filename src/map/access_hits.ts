import { append, getOrAdd } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { compareText } from "./bounded_set.ts";
import { checksumOf } from "./value_hash.ts";

/** Answers of one operation to one identity that are alike. */
export interface AccessCount {
  readonly operation: number;
  readonly identity: string;
  readonly status: number;
  /** Who created the object that the requests are about; empty where nobody knows, or there is none. */
  readonly owner: string;
  count: number;
  /** In seconds since 1970; Infinity where it is unknown. */
  firstAt: number;
}

/** An answer to a request that names objects: in a path, the outermost first, as {@linkcode objectKey} has them. */
export interface ObjectTouch {
  readonly objects: readonly string[];
  readonly test: string;
  readonly operation: number;
  readonly identity: string;
  readonly status: number;
  count: number;
  firstAt: number;
}

/** An identity that created an object. */
export interface ObjectOwner {
  readonly objects: readonly string[];
  readonly test: string;
  readonly identity: string;
}

/** Of more, a part is looked at, which their hashes choose: the same in whatever order they come. */
const MAX_OBJECTS = 50_000;

const encoder = new TextEncoder();

/** Stands for an object, or a test: ids may be of people, and are not kept. */
export function objectKey(text: string): string {
  return checksumOf(encoder.encode(text));
}

/** The objects of a recording: who created them, and who asked for them. */
export class ObjectHits {
  #level = 0;
  readonly #owners = new Map<string, ObjectOwner>();
  readonly #touches = new Map<string, ObjectTouch>();
  /** By object and test, and by object alone. */
  readonly #byObject = new Map<string, Set<string>>();

  get isUsed(): boolean {
    return this.#touches.size + this.#owners.size > 0;
  }

  owners(): readonly ObjectOwner[] {
    return sorted(this.#owners);
  }

  touches(): readonly ObjectTouch[] {
    return sorted(this.#touches);
  }

  addOwner(owner: ObjectOwner): void {
    if (!this.#isKept(owner.objects)) return;
    const { objects, test, identity } = owner;
    const key = [...objects, test, identity].join("\n");
    if (this.#owners.has(key)) return;
    this.#owners.set(key, owner);
    this.#index(owner);
  }

  #index({ objects, test, identity }: ObjectOwner): void {
    const object = objects.at(-1) ?? "";
    getOrAdd(this.#byObject, object, () => new Set<string>()).add(identity);
    getOrAdd(this.#byObject, `${object} ${test}`, () => new Set<string>()).add(identity);
  }

  /** Returns touches that are not kept, as nobody looks at their objects any more. */
  addTouch(touch: ObjectTouch): readonly ObjectTouch[] {
    if (!this.#isKept(touch.objects)) return [touch];
    const { objects, test, operation, identity, status } = touch;
    const key = [...objects, test, operation, identity, status].join("\n");
    const known = this.#touches.get(key);
    if (known !== undefined) addTo(known, touch);
    else this.#touches.set(key, { ...touch });
    return this.#touches.size > MAX_OBJECTS ? this.#thin() : [];
  }

  #isKept([first = ""]: readonly string[]): boolean {
    return this.#level === 0 || chanceOf(first) % 2 ** this.#level === 0;
  }

  #thin(): readonly ObjectTouch[] {
    const dropped: ObjectTouch[] = [];
    while (this.#touches.size > MAX_OBJECTS && this.#level < 24) {
      this.#level++;
      for (const [key, touch] of this.#touches) {
        if (this.#isKept(touch.objects)) continue;
        this.#touches.delete(key);
        dropped.push(touch);
      }
    }
    this.#byObject.clear();
    for (const [key, owner] of this.#owners) {
      if (this.#isKept(owner.objects)) this.#index(owner);
      else this.#owners.delete(key);
    }
    return dropped;
  }

  /** The innermost object whose owner is known decides; where tests are known, its owners in the same test. */
  ownerOf({ objects, test, identity }: ObjectTouch): string {
    for (let at = objects.length - 1; at >= 0; at--) {
      const object = objects[at] ?? "";
      const owners = this.#byObject.get(`${object} ${test}`) ?? this.#byObject.get(object);
      if (owners !== undefined) {
        return owners.has(identity) ? identity : [...owners].sort()[0] ?? "";
      }
    }
    return "";
  }

  /** What the touches say, with what is known of owners by now. */
  *settled(): Generator<AccessCount, void> {
    for (const touch of this.#touches.values()) {
      yield { ...touch, owner: this.ownerOf(touch) };
    }
  }
}

/** A number that a hash gives, whose low bits are as good as random. */
function chanceOf(hash: string): number {
  return parseInt(hash, 36) >>> 4;
}

function sorted<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map].sort(([a], [b]) => a < b ? -1 : 1).map(([, value]) => value);
}

function addTo(known: { count: number; firstAt: number }, more: typeof known): void {
  known.count = addCounts(known.count, more.count);
  known.firstAt = Math.min(known.firstAt, more.firstAt);
}

/** Who called which operation, and how it answered; it adds up like all counts. */
export class AccessHits {
  /** Answers to credentials of nobody who is known. */
  unknown = 0;
  /** Answers to requests whose recording doesn't show who sent them. */
  hidden = 0;
  readonly #counts = new Map<string, AccessCount>();

  get isUsed(): boolean {
    return this.#counts.size > 0 || this.unknown + this.hidden > 0;
  }

  list(): AccessCount[] {
    return [...this.#counts.values()].sort((a, b) =>
      a.operation - b.operation || compareText(a.identity, b.identity) || a.status - b.status ||
      compareText(a.owner, b.owner)
    );
  }

  add(count: AccessCount): void {
    const { operation, identity, status, owner, firstAt } = count;
    const key = `${operation} ${status} ${owner}\n${identity}`;
    const known = this.#counts.get(key);
    if (known !== undefined) addTo(known, count);
    else this.#counts.set(key, { operation, identity, status, owner, count: count.count, firstAt });
  }

  /** Adds an answer to a request with objects, of which a recording may not be over. */
  addTouch(objects: ObjectHits, touch: ObjectTouch): void {
    for (const dropped of objects.addTouch(touch)) this.add({ ...dropped, owner: "" });
  }

  /** Adds what a recording says in the end. */
  settle(objects: ObjectHits): void {
    for (const count of objects.settled()) this.add(count);
  }
}

/** All answers, those of recordings that are not over included. */
export function accessCounts(hits: AccessHits, open: Iterable<ObjectHits>): AccessCount[] {
  const all = new AccessHits();
  const list: AccessCount[] = [];
  append(list, hits.list());
  for (const objects of open) append(list, [...objects.settled()]);
  for (const count of list) all.add(count);
  return all.list();
}
