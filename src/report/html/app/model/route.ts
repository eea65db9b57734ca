/** The state of the page, as its address has it after the `#`. */
export interface Route {
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
  const text = hash.replace(/^#?\/?/, "");
  const mark = text.indexOf("?");
  const path = mark < 0 ? text : text.slice(0, mark);
  const slash = path.indexOf("/");
  return {
    view: (slash < 0 ? path : path.slice(0, slash)) || "overview",
    target: slash < 0 ? "" : decode(path.slice(slash + 1)),
    query: new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1)),
  };
}

/** The address of a view, from its `#` on. */
export function routeLink(view: string, target = "", changes: QueryChanges = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(changes)) if (value !== "") query.set(name, value);
  return format(view, target, query);
}

/** The address of the same view with some of its query changed. */
export function changedLink(route: Route, changes: QueryChanges): string {
  const query = new URLSearchParams(route.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  return format(route.view, route.target, query);
}

function format(view: string, target: string, query: URLSearchParams): string {
  // Slashes, braces and colons stay as they are, so that a link can be read.
  const readable = encodeURIComponent(target.toWellFormed()).replace(
    /%(?:2F|3A|7B|7D)/g,
    decodeURIComponent,
  );
  const search = query.toString();
  return `#/${view}${target === "" ? "" : `/${readable}`}${search === "" ? "" : `?${search}`}`;
}
