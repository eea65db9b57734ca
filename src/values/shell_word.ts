export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellQuotation(text);
}

/** A text in single quotation marks, in which a shell changes nothing. */
export function shellQuotation(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
