export function escapePattern(text: string): string {
  return text.replaceAll(/[/.+*?^$()[\]{}|\\]/g, "\\$&");
}

/** Quotes a text, where necessary, as one word of a shell command. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellQuotation(text);
}

/** Puts a text in single quotation marks, within which a shell interprets nothing. */
export function shellQuotation(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Decodes percent-escapes (RFC 3986, section 2.1); returns text with a stray `%` or invalid UTF-8 unchanged. */
export function decodeUri(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
