const RELATIVE = /^(?:0|[1-9]\d*)(?:#$|(?:[+-](?:0|[1-9]\d*))?(?![\d#+-]))/;

/** `json-pointer`: RFC 6901, section 3. */
export function isJsonPointer(text: string): boolean {
  return text === "" || (text.startsWith("/") && !/~(?![01])/.test(text));
}

/** `relative-json-pointer`: draft-bhutton-relative-json-pointer-00, section 3. */
export function isRelativeJsonPointer(text: string): boolean {
  const match = RELATIVE.exec(text)?.[0];
  return match !== undefined && isJsonPointer(text.slice(match.length));
}
