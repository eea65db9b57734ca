/** Text as a regular expression that matches it alone. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[/.+*?^$()[\]{}|\\]/g, "\\$&");
}

/** Text as one word of a shell's command line. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellQuotation(text);
}

/** A text in single quotation marks, in which a shell changes nothing. */
export function shellQuotation(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
