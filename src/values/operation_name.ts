/** An operation as texts and keys have it: `GET /books`. */
export function operationName(
  { method, path }: { readonly method: string; readonly path: string },
): string {
  return `${method} ${path}`;
}

const VARIABLE = /\{([^{}]*)\}/g;

/** An operation whatever the variables of its path are called: `GET /books/{}`. */
export function unnamedOperation(
  { method, path }: { readonly method: string; readonly path: string },
): string {
  return `${method} ${path.replace(VARIABLE, "{}")}`;
}

/** A parameter of an operation, with the index of a variable of the path for its name: `path {0}`, `header etag`. */
export function parameterIdentity(path: string, location: string, name: string): string {
  if (location === "header") return `${location} ${name.toLowerCase()}`;
  if (location !== "path") return `${location} ${name}`;
  const index = Array.from(path.matchAll(VARIABLE), ([, variable]) => variable).indexOf(name);
  return `${location} ${index < 0 ? name : `{${index}}`}`;
}
