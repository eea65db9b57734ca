import { isReplacedText } from "../values/replaced_text.ts";

/**
 * Makes a text unreadable, but keeps its length and what kind of character stands where: letters become `a` or `A`,
 * digits `1`, so that hexadecimal stays hexadecimal. What another recorder wrote in the place of a value stays, since it
 * hides the value already, and says that it is not known.
 */
export function maskText(text: string): string {
  if (isReplacedText(text)) return text;
  return text.replace(/\p{Lu}/gu, "A").replace(/\p{L}/gu, (letter) => letter === "A" ? "A" : "a")
    .replace(/\p{N}/gu, "1");
}
