/** Escapes one reference token of a JSON Pointer (RFC 6901, section 3). */
export function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

export function pointerTokens(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map(unescapeToken);
}

export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

export function joinPointer(tokens: readonly string[]): string {
  let pointer = "";
  for (const token of tokens) pointer += "/" + escapeToken(token);
  return pointer;
}

/** Formats a pointer for users: in the entry document the pointer alone, in other files `file.yaml#/…`. */
export function documentPath(label: string, pointer: string): string {
  return label === "" ? pointer : `${label}#${pointer}`;
}

/** Splits a path that {@linkcode documentPath} formatted. The pointer may contain `#`, as a path such as `/a#b` does. */
export function splitDocumentPath(path: string): [label: string, pointer: string] {
  if (path === "" || path.startsWith("/")) return ["", path];
  const hash = path.indexOf("#/");
  if (hash >= 0) return [path.slice(0, hash), path.slice(hash + 1)];
  return [path.endsWith("#") ? path.slice(0, -1) : path, ""];
}

export function findMember(value: unknown, token: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
}
