/** Content of a hits file that can't be added: its message is the end of a sentence. */
export class HitsProblem extends Error {
  /** The error's code: `damaged`, `unknown_member`, `count`. */
  readonly code: string;

  /** @param what The end of a sentence that begins with "It". */
  constructor(what: string, code: string) {
    super(what);
    this.code = code;
  }
}

/** The lengths of the lists that others refer to, and the most that an operation may count. */
export interface Limits {
  readonly times: number;
  readonly tests: number;
  readonly schemas: number;
  /** Of the operation that has the evidence. */
  readonly parameters: number;
  readonly matched: number;
}

/** Throws a HitsProblem where a value isn't what it has to be. */
export interface Check<Value = unknown> {
  (value: unknown, limits: Limits): void;
  /** Never there: it carries the type of right values, see {@linkcode Checked}. */
  readonly checks?: Value;
}

/** The type of the values that a check lets through. */
export type Checked<C> = C extends Check<infer Value> ? Value : never;

type Items<Checks extends readonly Check[]> = {
  readonly [Index in keyof Checks]: Checked<Checks[Index]>;
};
type Checks = Readonly<Record<string, Check>>;
type Members<Named extends Checks> = { readonly [Name in keyof Named]: Checked<Named[Name]> };

export const text: Check<string> = (value) => {
  if (typeof value !== "string") throw damaged();
};

export const count: Check<number> = (value) => {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  if (typeof value !== "number") throw damaged();
  const most = Number.MAX_SAFE_INTEGER.toLocaleString("en-US");
  throw new HitsProblem(
    `has the count ${value}; counts are whole numbers from 0 to ${most}`,
    "count",
  );
};

/** Lets anything through: nothing is read from it but whether it is there, or what can't do harm. */
export function unchecked<Value>(): Check<Value> {
  return () => {};
}

/** Lets through what is right for `test`. */
export function is<Value>(test: (value: unknown) => boolean): Check<Value> {
  return (value) => {
    if (!test(value)) throw damaged();
  };
}

export function indexInto(name: keyof Limits): Check<number> {
  return (value, limits) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= limits[name]) {
      throw damaged();
    }
  };
}

/** A list; absent ones are empty. */
export function list<Item>(check: Check<Item>): Check<readonly Item[]> {
  return (value, limits) => {
    const items = readItems(value);
    for (let at = 0; at < items.length; at++) check(items[at], limits);
  };
}

/** A list whose items mean something by their place; what is behind them is not looked at. */
export function tuple<
  const Needed extends readonly Check[],
  const Others extends readonly Check[] = readonly [],
>(
  needed: Needed,
  ...others: Others
): Check<readonly [...Items<Needed>, ...Partial<Items<Others>>]> {
  return (value, limits) => {
    const items = readItems(value);
    for (let at = 0; at < needed.length; at++) needed[at]?.(items[at], limits);
    for (let at = 0; at < others.length; at++) {
      const item = items[needed.length + at];
      if (item !== undefined) others[at]?.(item, limits);
    }
  };
}

/** A list of just two. */
export function pair<First, Second>(
  first: Check<First>,
  second: Check<Second>,
): Check<readonly [First, Second]> {
  return (value, limits) => {
    const items = readItems(value);
    if (items.length !== 2) throw damaged();
    first(items[0], limits);
    second(items[1], limits);
  };
}

/** An object, whose unknown members are not looked at. */
export function object<Named extends Checks>(checks: Named): Check<Members<Named>> {
  const entries = Object.entries(checks);
  return (value, limits) => {
    const members = readMembers(value);
    for (const [name, check] of entries) check(members[name], limits);
  };
}

/** An object without unknown members: to ignore what was counted would be to lose it. */
export function closed<Needed extends Checks, Others extends Checks>(
  needed: Needed,
  others: Others,
): Check<Members<Needed> & Partial<Members<Others>>> {
  const names = Object.keys(needed);
  const checks = new Map(Object.entries({ ...needed, ...others }));
  return (value, limits) => {
    const members = readMembers(value);
    if (!names.every((name) => Object.hasOwn(members, name))) throw damaged();
    for (const name in members) {
      const check = checks.get(name);
      if (check === undefined) throw unknownMember(name);
      check(members[name], limits);
    }
  };
}

export function readItems(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw damaged();
  return value;
}

export function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

export function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw damaged();
  return value as Record<string, unknown>;
}

export function unknownMember(name: string): HitsProblem {
  return new HitsProblem(
    `has counts of a kind that this version doesn't know (\`${name}\`)`,
    "unknown_member",
  );
}

export function damaged(): HitsProblem {
  return new HitsProblem("has content that no hits file has", "damaged");
}
