/** Names an operation for texts and keys: `GET /books`. */
export function operationName(
  { method, path }: { readonly method: string; readonly path: string },
): string {
  return `${method} ${path}`;
}

const VARIABLE = /\{([^{}]*)\}/g;

/** Names an operation without the names of its path variables: `GET /books/{}`. */
export function unnamedOperation(
  { method, path }: { readonly method: string; readonly path: string },
): string {
  return `${method} ${path.replace(VARIABLE, "{}")}`;
}

/** Returns a function that names parameters, with the index of a path variable instead of its name: `path {0}`. */
export function parameterIdentity(path: string): (location: string, name: string) => string {
  const names = Array.from(path.matchAll(VARIABLE), ([, name = ""]) => name);
  // If a name occurs more than once, the first occurrence counts.
  const variables = new Map(names.map((name, index) => [name, index] as const).reverse());
  return (location, name) => {
    if (location === "header") return `${location} ${name.toLowerCase()}`;
    const index = location === "path" ? variables.get(name) : undefined;
    return `${location} ${index === undefined ? name : `{${index}}`}`;
  };
}
