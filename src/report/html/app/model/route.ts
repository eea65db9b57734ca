/** The state of the page, read from the address after `#`. */
export interface Route {
  /** The name of one of several APIs. Empty for the overview of all, or if there is only one API. */
  readonly api: string;
  readonly view: string;
  /** The subject of the view. For an operation, `GET:/users/{id}`; empty for other views. */
  readonly target: string;
  readonly query: URLSearchParams;
}

export type QueryChanges = Readonly<Record<string, string>>;

export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The link may be incomplete; without decoding, it may still match something.
    return text;
  }
}

/** Parses the address from `#` on. An empty one leads to the overview. */
export function parseRoute(hash: string): Route {
  const [, api = "", view = "", target = "", query] =
    /^#?\/?(?:~([^/?]*)\/?)?([^/?]*)\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  return {
    api: decode(api),
    view: view || "overview",
    target: decode(target),
    query: new URLSearchParams(query),
  };
}

export function routeLink(view: string, target = "", changes: QueryChanges = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(changes)) if (value !== "") query.set(name, value);
  return format(currentApi, view, target, query);
}

export function apiLink(name: string): string {
  return `#/~${encodeURIComponent(name.toWellFormed())}`;
}

/** Sets the API that links lead to from now on. Empty if there is only one. */
export function enterApi(name: string): void {
  currentApi = name;
}

let currentApi = "";

export function changedLink(route: Route, changes: QueryChanges): string {
  const query = new URLSearchParams(route.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  return format(route.api, route.view, route.target, query);
}

function format(api: string, view: string, target: string, query: URLSearchParams): string {
  const search = query.toString();
  return `${api === "" ? "#" : apiLink(api)}/${view}${target === "" ? "" : `/${readable(target)}`}${
    search === "" ? "" : `?${search}`
  }`;
}

/** Encodes a part of an address but keeps slashes, braces and colons, so that links stay readable. */
function readable(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:2F|3A|7B|7D)/g, decodeURIComponent);
}

/** Splits the values in a query entry, which are joined by dots. Empty for an empty entry. */
export function chosen(value: string): ReadonlySet<string> {
  return new Set(value === "" ? [] : value.split("."));
}

/** The kinds of places within a view, and their letters in addresses. */
const LETTERS = {
  operation: "o",
  parameter: "p",
  keyword: "k",
  example: "e",
  response: "r",
  line: "l",
  request: "q",
} as const;

export type SpotKind = keyof typeof LETTERS;

export interface Spot {
  readonly kind: SpotKind;
  /** The index of the parameter, response or request; for a line, the index of its file. Counted from 0. */
  readonly index: number;
  /** The index of the keyword or example in its parameter, counted from 0; or the line, counted from 1. */
  readonly row: number;
}

const KINDS = new Map<string, SpotKind>(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as SpotKind]),
);

/** Names a place, for addresses and for the `id` of its element. */
export function spotName(kind: SpotKind, index: number, row?: number): string {
  return `${LETTERS[kind]}${index}${row === undefined ? "" : `.${row}`}`;
}

/** Parses the name of a place. Null if it isn't valid. */
export function parseSpot(name: string | null): Spot | null {
  const parts = /^([a-z])(\d+)(?:\.(\d+))?$/.exec(name ?? "");
  const kind = KINDS.get(parts?.[1] ?? "");
  if (parts === null || kind === undefined) return null;
  return { kind, index: Number(parts[2]), row: Number(parts[3] ?? 0) };
}

export function spotParameter(spot: Spot | null): number | null {
  const inside = spot?.kind === "parameter" || spot?.kind === "keyword" || spot?.kind === "example";
  return inside ? spot.index : null;
}
