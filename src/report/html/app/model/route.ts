/** The state of the page, as its address has it after the `#`. */
export interface Route {
  /** The name of one of several APIs; empty for all of them, and where there is only one. */
  readonly api: string;
  readonly view: string;
  /** The subject of the view: for an operation `GET:/users/{id}`; empty elsewhere. */
  readonly target: string;
  readonly query: URLSearchParams;
}

export type QueryChanges = Readonly<Record<string, string>>;

/** A part of an address as text. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A link cut or typed by hand; unchanged, it may still name something.
    return text;
  }
}

/** Reads the part of an address after (and with) the `#`; anything unknown is the overview. */
export function parseRoute(hash: string): Route {
  const whole = hash.replace(/^#?\/?/, "");
  const [start = "", name = ""] = /^~([^/?]*)\/?/.exec(whole) ?? [];
  const text = whole.slice(start.length);
  const mark = text.indexOf("?");
  const path = mark < 0 ? text : text.slice(0, mark);
  const slash = path.indexOf("/");
  return {
    api: decode(name),
    view: (slash < 0 ? path : path.slice(0, slash)) || "overview",
    target: slash < 0 ? "" : decode(path.slice(slash + 1)),
    query: new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1)),
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

/** Sets the API, of several, that links lead to from now on; empty for none. */
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

/** Slashes, braces and colons stay as they are, so that a link can be read. */
function readable(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:2F|3A|7B|7D)/g, decodeURIComponent);
}

/** The values that an entry of a query joins by dots; none where it is empty. */
export function chosen(value: string): ReadonlySet<string> {
  return new Set(value === "" ? [] : value.split("."));
}

/** The kinds of places within a view, with the letter that stands for each in an address. */
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
  /** The index of the parameter, response or request, or of the file of a line; counted from 0. */
  readonly index: number;
  /** The index of the keyword or example of the parameter, counted from 0, or the line, counted from 1. */
  readonly row: number;
}

const KINDS = new Map<string, SpotKind>(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as SpotKind]),
);

/** The name of a place in an address and as the `id` of its element. */
export function spotName(kind: SpotKind, index: number, row?: number): string {
  return `${LETTERS[kind]}${index}${row === undefined ? "" : `.${row}`}`;
}

/** Reads a name; null where it names nothing. */
export function parseSpot(name: string | null): Spot | null {
  const parts = /^([a-z])(\d+)(?:\.(\d+))?$/.exec(name ?? "");
  const kind = KINDS.get(parts?.[1] ?? "");
  if (parts === null || kind === undefined) return null;
  return { kind, index: Number(parts[2]), row: Number(parts[3] ?? 0) };
}

export function parameterOfSpot(spot: Spot | null): number | null {
  const inside = spot?.kind === "parameter" || spot?.kind === "keyword" || spot?.kind === "example";
  return inside ? spot.index : null;
}
