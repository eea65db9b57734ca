import type { ValueParser } from "@optique/core/valueparser";
import { checkedText } from "../../run/values/checked_text.ts";

/** The URL of a server: `http://localhost:3000/v1`. */
export function serverValue(): ValueParser<"sync", string> {
  return checkedText("URL", "http://localhost:3000", checkServer);
}

/** @throws {TypeError} if it isn't an http(s) URL, or has parts that paths can't be appended to. */
function checkServer(text: string): void {
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
