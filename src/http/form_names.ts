import { bracketPath } from "./deep_object.ts";
import type { FormName } from "./form_plan.ts";
import { keptText } from "./kept_text.ts";

/** The most names that are remembered; hostile traffic can make up any number. */
const NAMES_KEPT = 10_000;

/** Takes the names of forms apart, and remembers them: the operations of an API have many in common. */
export class FormNames {
  readonly #decode: (text: string) => string;
  readonly #names = new Map<string, FormName>();

  /** Takes what makes a name of the text that it is sent as. */
  constructor(decode: (text: string) => string) {
    this.#decode = decode;
  }

  /** The name that is sent as a text. */
  of(text: string): FormName {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#takeApart(keptText(text));
      if (this.#names.size < NAMES_KEPT) this.#names.set(text, name);
    }
    return name;
  }

  #takeApart(text: string): FormName {
    const name = keptText(this.#decode(text));
    const bracket = name.indexOf("[");
    const path = bracket > 0 ? bracketPath(name, bracket) : undefined;
    if (path === undefined) return { text, name, root: name, path };
    return { text, name, root: keptText(name.slice(0, bracket)), path: path.map(keptText) };
  }
}
