/** Decodes percent-escapes (RFC 3986, section 2.1); returns text with a stray `%` or invalid UTF-8 unchanged. */
export function decodeUri(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
