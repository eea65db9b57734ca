import { isHeaderText, isToken } from "../../http/headers.ts";

const RATE = /^(\d+(?:\.\d+)?)(?:\/(s|sec|second|m|min|minute))?$/;

/** Reads a rate as requests per second; throws a TypeError unless it is above 0. */
export function readRate(text: string): number {
  const match = RATE.exec(text.trim());
  const number = Number(match?.[1]);
  if (match === null || !(number > 0)) {
    throw new TypeError(`"${text}" is not a rate. Write requests per second, such as 10/s.`);
  }
  return match[2]?.startsWith("m") ? number / 60 : number;
}

/** The error doesn't repeat the text, since it may contain a secret. */
export function readHeader(text: string): readonly [name: string, value: string] {
  const [name = "", ...rest] = text.split(":");
  const value = rest.join(":");
  if (rest.length === 0 || !isToken(name) || !isHeaderText(value)) {
    throw new TypeError(
      'Write a header field as "Name: value", such as "Authorization: Bearer …".',
    );
  }
  return [name, value.trim()];
}

export function checkServer(text: string): void {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new TypeError(
      "Write the server as a URL with http:// or https://, such as http://localhost:3000.",
    );
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      'Leave the credentials out of the server\'s URL. Give them by --header "Authorization: …".',
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new TypeError("Leave ? and # and what follows out of the server's URL.");
  }
}
