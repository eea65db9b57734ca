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

/** Names parameters of a path, with the index of a variable of it for its name: `path {0}`, `header etag`. */
export function parameterIdentity(path: string): (location: string, name: string) => string {
  const names = Array.from(path.matchAll(VARIABLE), ([, name = ""]) => name);
  // Of several of one name, the first counts.
  const variables = new Map(names.map((name, index) => [name, index] as const).reverse());
  return (location, name) => {
    if (location === "header") return `${location} ${name.toLowerCase()}`;
    const index = location === "path" ? variables.get(name) : undefined;
    return `${location} ${index === undefined ? name : `{${index}}`}`;
  };
}
