import type { ValueParser } from "@optique/core/valueparser";
import { parseBasePath } from "../../map/base_path.ts";
import { checkedText } from "./checked_text.ts";

/** A base path: a path such as `/v1`, or a full URL. */
export function basePathValue(): ValueParser<"sync", string> {
  return checkedText("URL_OR_PATH", "/", parseBasePath);
}
