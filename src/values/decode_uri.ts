/** Text without percent-escapes (RFC 3986, section 2.1); as it is where they are no UTF-8, or a lone `%` is itself. */
export function decodeUri(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
