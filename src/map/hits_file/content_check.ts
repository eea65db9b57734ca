/** Content of a hits file that can't be added. The message is the end of a sentence. */
export class HitsProblem extends Error {
  /** The error's code: `damaged`, `unknown_member` or `count`. */
  readonly code: string;

  /** @param ending The end of a sentence that begins with "It". */
  constructor(ending: string, code: string) {
    super(ending);
    this.code = code;
  }
}

/** The lengths of the lists that indexes refer to, and the maximum count of an operation. */
export interface Limits {
  readonly times: number;
  readonly tests: number;
  readonly schemas: number;
  /** The number of parameters of the operation with the evidence. */
  readonly parameters: number;
  readonly matched: number;
}

/** Checks a value; throws a HitsProblem if it is invalid. */
export interface Check<Value = unknown> {
  (value: unknown, limits: Limits): void;
  /** Never set: it carries the type of valid values for {@linkcode Checked}. */
  readonly checks?: Value;
}

export type Checked<C> = C extends Check<infer Value> ? Value : never;

type Items<Checks extends readonly Check[]> = {
  readonly [Index in keyof Checks]: Checked<Checks[Index]>;
};
type Checks = Readonly<Record<string, Check>>;
type Members<Named extends Checks> = { readonly [Name in keyof Named]: Checked<Named[Name]> };

export const text: Check<string> = (value) => {
  if (typeof value !== "string") throw damagedError();
};

export const count: Check<number> = (value) => {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  if (typeof value !== "number") throw damagedError();
  const maximum = Number.MAX_SAFE_INTEGER.toLocaleString("en-US");
  throw new HitsProblem(
    `has the count ${value}; counts are whole numbers from 0 to ${maximum}`,
    "count",
  );
};

/** Accepts any value, for members that are only tested for presence or whose content is harmless. */
export function unchecked<Value>(): Check<Value> {
  return () => {};
}

export function matching<Value>(test: (value: unknown) => boolean): Check<Value> {
  return (value) => {
    if (!test(value)) throw damagedError();
  };
}

export function indexInto(name: keyof Limits): Check<number> {
  return (value, limits) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= limits[name]) {
      throw damagedError();
    }
  };
}

/** Accepts a list; an absent one counts as empty. */
export function list<Item>(check: Check<Item>): Check<readonly Item[]> {
  return (value, limits) => {
    const items = readItems(value);
    for (let at = 0; at < items.length; at++) check(items[at], limits);
  };
}

/** Accepts a list with a meaning for each position; ignores further items. */
export function tuple<
  const Needed extends readonly Check[],
  const Others extends readonly Check[] = readonly [],
>(
  required: Needed,
  ...optional: Others
): Check<readonly [...Items<Needed>, ...Partial<Items<Others>>]> {
  return (value, limits) => {
    const items = readItems(value);
    for (let at = 0; at < required.length; at++) required[at]?.(items[at], limits);
    for (let at = 0; at < optional.length; at++) {
      const item = items[required.length + at];
      if (item !== undefined) optional[at]?.(item, limits);
    }
  };
}

export function pair<First, Second>(
  first: Check<First>,
  second: Check<Second>,
): Check<readonly [First, Second]> {
  return (value, limits) => {
    const items = readItems(value);
    if (items.length !== 2) throw damagedError();
    first(items[0], limits);
    second(items[1], limits);
  };
}

/** Accepts an object; ignores unknown members. */
export function object<Named extends Checks>(checks: Named): Check<Members<Named>> {
  const entries = Object.entries(checks);
  return (value, limits) => {
    const members = readMembers(value);
    for (const [name, check] of entries) check(members[name], limits);
  };
}

/** Accepts an object without unknown members, as ignoring them would lose counts. */
export function closedObject<Needed extends Checks, Others extends Checks>(
  required: Needed,
  optional: Others,
): Check<Members<Needed> & Partial<Members<Others>>> {
  const names = Object.keys(required);
  const checks = new Map(Object.entries({ ...required, ...optional }));
  return (value, limits) => {
    const members = readMembers(value);
    if (!names.every((name) => Object.hasOwn(members, name))) throw damagedError();
    for (const name in members) {
      const check = checks.get(name);
      if (check === undefined) throw unknownMemberError(name);
      check(members[name], limits);
    }
  };
}

export function readItems(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw damagedError();
  return value;
}

export function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

export function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw damagedError();
  return value as Record<string, unknown>;
}

export function unknownMemberError(name: string): HitsProblem {
  return new HitsProblem(
    `has counts of a kind that this version doesn't know (\`${name}\`)`,
    "unknown_member",
  );
}

export function damagedError(): HitsProblem {
  return new HitsProblem("has content that no hits file has", "damaged");
}
