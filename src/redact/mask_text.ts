/**
 * Makes a text unreadable, but keeps its length and what kind of character stands where: letters become `a` or `A`,
 * digits `1`, so that hexadecimal stays hexadecimal.
 */
export function maskText(text: string): string {
  return text.replace(/\p{Lu}/gu, "A").replace(/\p{L}/gu, (letter) => letter === "A" ? "A" : "a")
    .replace(/\p{N}/gu, "1");
}
