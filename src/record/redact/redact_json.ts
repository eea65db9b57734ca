import { maskText } from "./mask_text.ts";

// A string that never ends is the last thing of a body that was cut.
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|$)|-?\d[\d.eE+-]*|[{}[\],:]/gs;

interface Level {
  readonly isObject: boolean;
  /** Whether everything in it is secret. */
  readonly isSecret: boolean;
  /** In an object: whether the next string is a name. */
  expectsName: boolean;
  /** Whether the value that follows is secret. */
  isNextSecret: boolean;
}

/**
 * Makes the values of secret names in JSON unreadable. All else keeps its bytes: big numbers, repeated names, white
 * space, and what is no JSON at all. Works on sequences of JSON and on bodies that were cut too.
 *
 * @param isSecret Whether the value of a name is secret, with all that is in it.
 */
export function redactJson(text: string, isSecret: (name: string) => boolean): string {
  const levels: Level[] = [];
  return text.replace(TOKEN, (token) => {
    const level = levels.at(-1);
    switch (token) {
      case "{":
      case "[":
        levels.push({
          isObject: token === "{",
          isSecret: level !== undefined && (level.isSecret || level.isNextSecret),
          expectsName: token === "{",
          isNextSecret: false,
        });
        return token;
      case "}":
      case "]":
        levels.pop();
        return token;
      case ":":
        if (level !== undefined) level.expectsName = false;
        return token;
      case ",":
        if (level?.isObject === true) {
          level.expectsName = true;
          level.isNextSecret = false;
        }
        return token;
    }
    if (level?.isObject === true && level.expectsName) {
      level.isNextSecret = isSecret(contentOf(token));
      return token;
    }
    if (level === undefined || !(level.isSecret || level.isNextSecret)) return token;
    return token.startsWith('"') ? maskString(token) : token.replace(/\d/g, "1");
  });
}

function contentOf(token: string): string {
  try {
    // What is no JSON may have a number for a name.
    return String(JSON.parse(token));
  } catch {
    return token.slice(1);
  }
}

function maskString(token: string): string {
  try {
    return JSON.stringify(maskText(JSON.parse(token) as string));
  } catch {
    return `"${maskText(token.slice(1))}`;
  }
}
