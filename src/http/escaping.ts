import { decodeFormText, decodePercent } from "./percent.ts";

/** The separator of the items of a list in one text. */
export type Separator = "comma" | "space" | "tab" | "pipe" | "dot" | "semicolon";

/**
 * The escaping of text in a part of a request. Delimiters that a URL cannot hold as they are (spaces, tabs, pipes)
 * separate in their percent-encoded form as well; an encoded comma never does.
 */
export interface Escaping {
  /** Undoes the escaping of text that has been split. */
  unescape(text: string): string;
  /** The delimiters at which lists are split, before unescaping. */
  readonly separators: Readonly<Record<Separator, string | RegExp>>;
}

const PLAIN = {
  comma: ",",
  space: " ",
  tab: "\t",
  pipe: "|",
  dot: ".",
  semicolon: ";",
} as const;

const PERCENT = { ...PLAIN, space: / |%20/, tab: /\t|%09/, pipe: /\||%7C/i } as const;

/** Queries and urlencoded forms: percent-encoding, with `+` for a space. */
export const FORM_ESCAPING: Escaping = {
  unescape: decodeFormText,
  separators: { ...PERCENT, space: / |\+|%20/ },
};

/** Paths, and cookies of `style: form`: percent-encoding. */
export const PERCENT_ESCAPING: Escaping = { unescape: decodePercent, separators: PERCENT };

/** Headers, whose items are trimmed. */
export const HEADER_ESCAPING: Escaping = {
  unescape: (text: string): string => text.trim(),
  separators: PLAIN,
};

/** Parts of a multipart body, and cookies of `style: cookie`: text as it is. */
export const NO_ESCAPING: Escaping = {
  unescape: (text: string): string => text,
  separators: PLAIN,
};
