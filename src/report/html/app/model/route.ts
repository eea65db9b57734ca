/** The state of the page, as its address has it after the `#`. */
export interface Route {
  /** The name of one of several APIs; empty for all of them, and where there is only one. */
  readonly api: string;
  /** The view's name: `overview`, `operations`, … */
  readonly view: string;
  /** The subject of the view: for an operation `GET:/users/{id}`; empty elsewhere. */
  readonly target: string;
  /** Filters, sorting and what is open, as the view defines them. */
  readonly query: URLSearchParams;
}

/** Changes to the query of a route; an empty text removes the entry. */
export type QueryChanges = Readonly<Record<string, string>>;

function decode(text: string): string {
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

/** The address of a view, from its `#` on. */
export function routeLink(view: string, target = "", changes: QueryChanges = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(changes)) if (value !== "") query.set(name, value);
  return format(currentApi, view, target, query);
}

/** The address of one of several APIs. */
export function apiLink(name: string): string {
  return `#/~${encodeURIComponent(name.toWellFormed())}`;
}

/** Sets the API, of several, that links lead to from now on; empty for none. */
export function enterApi(name: string): void {
  currentApi = name;
}

let currentApi = "";

/** The address of the same view with some of its query changed. */
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
