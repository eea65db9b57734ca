import type { ValueParser } from "@optique/core/valueparser";
import { checkedText } from "../../run/values/checked_text.ts";

/** The URL of a server: `http://localhost:3000/v1`. */
export function serverValue(): ValueParser<"sync", string> {
  return checkedText("URL", "http://localhost:3000", readServer);
}

/**
 * The URL without what can't belong to it.
 *
 * @throws {TypeError} if it isn't an http(s) URL; credentials are no part of it.
 */
export function readServer(text: string): string {
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
  return url.origin + url.pathname.replace(/\/+$/, "");
}
