export interface IndentedYaml {
  /** The original text with spaces added at the beginning of lines, and no other change. */
  readonly text: string;
  /** The offset of the first line that was changed in the original text, after the spaces that the line already had. */
  readonly first: number;
  originalOffset(offset: number): number;
}

/**
 * Indents the continuation lines of flow collections and quoted texts that are not indented more than their key, as in
 *
 *     enum: [
 *       a
 *     ]
 *
 * YAML 1.2 requires more indentation; YAML 1.1, PyYAML, libyaml and go-yaml don't. Spaces mean nothing there, so the
 * value stays the same. The scan only distinguishes flow collections, quoted texts and block scalars; other mistakes
 * are left to the parser, which has rejected the text before this function is called.
 *
 * @returns undefined if there is no such line.
 */
export function indentYaml(text: string): IndentedYaml | undefined {
  const additions = new Scanner(text).scan();
  const [first] = additions;
  if (first === undefined) return undefined;
  const pieces: string[] = [];
  /** For each changed line: the offset of its text in the new text, the spaces added, and those added up to there. */
  const lines: { readonly at: number; readonly added: number; readonly total: number }[] = [];
  let end = 0;
  let total = 0;
  for (const { at, spaces } of additions) {
    pieces.push(text.slice(end, at), " ".repeat(spaces));
    end = at;
    total += spaces;
    lines.push({ at: at + total, added: spaces, total });
  }
  pieces.push(text.slice(end));
  return {
    text: pieces.join(""),
    first: first.at,
    originalOffset: (offset) => {
      let [low, high] = [0, lines.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((lines[middle]?.at ?? 0) - (lines[middle]?.added ?? 0) <= offset) low = middle + 1;
        else high = middle;
      }
      const place = lines[low - 1];
      if (place === undefined) return offset;
      return Math.max(offset, place.at) - place.total;
    },
  };
}

interface Addition {
  /** The offset after the spaces that the line already has. */
  readonly at: number;
  readonly spaces: number;
}

/** The characters that end a token within a flow collection. */
const FLOW_INDICATORS = ",[]{}";
const INDENT = / */y;
const BLANKS = /[ \t]*/y;
/** A tag or an anchor. */
const PROPERTY = /[!&][^\s,[\]{}]*/y;
const INDICATOR = /[-?:](?=\s|$)/y;
const MARKER = /(?:---|\.\.\.)(?=\s|$)/y;
/** A plain scalar, up to the colon that makes it a key, to a comment, or to the end of the line. */
const PLAIN = /(?:[^\s:#]|:(?=\S)|#|[ \t]+(?=[^\s#]))+/y;
const LINE_REST = /[^\r\n]*/y;
const LINE_BREAK = /\r\n|[\r\n]|$/y;

class Scanner {
  readonly #text: string;
  readonly #additions: Addition[] = [];
  #at = 0;
  #lineStart = 0;
  /** The column of the key or list item whose plain or block scalar can continue on the next lines. */
  #openBlock: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): readonly Addition[] {
    while (this.#at < this.#text.length) {
      this.#readLine();
      this.#skip(LINE_REST);
      this.#skip(LINE_BREAK);
      this.#lineStart = this.#at;
    }
    return this.#additions;
  }

  #readLine(): void {
    const column = this.#skip(INDENT);
    if (/^(?:[\r\n#]|$)/.test(this.#text.slice(this.#at, this.#at + 1))) return;
    if (this.#openBlock !== undefined && column > this.#openBlock) return;
    this.#openBlock = undefined;
    if (column === 0 && this.#skip(MARKER) > 0) this.#readNodes(-1);
    else if (column > 0 || this.#text[this.#at] !== "%") this.#readNodes(column - 1);
  }

  /** Reads keys and values up to the end of a line; the node that contains them begins in column `parent`. */
  #readNodes(parent: number): void {
    let keyColumn = parent;
    while (true) {
      this.#skip(BLANKS);
      const column = this.#column;
      let isPlain = false;
      if (this.#skip(INDICATOR) > 0) {
        keyColumn = column;
        continue;
      }
      if (this.#skip(PROPERTY) > 0) continue;
      switch (this.#text[this.#at]) {
        case undefined:
        case "\r":
        case "\n":
        case "#":
          return;
        case "|":
        case ">":
          this.#openBlock = keyColumn;
          return;
        case '"':
        case "'":
          this.#readQuoted(keyColumn);
          break;
        case "[":
        case "{":
          this.#readFlow(keyColumn);
          break;
        default:
          isPlain = true;
          if (this.#skip(PLAIN) === 0) this.#at++;
      }
      if (!this.#skipColon()) {
        if (isPlain) this.#openBlock = keyColumn;
        return;
      }
      keyColumn = column;
    }
  }

  /** Skips a colon, which makes a key of the text before it; false if none follows. */
  #skipColon(): boolean {
    this.#skip(BLANKS);
    if (this.#text[this.#at] !== ":") return false;
    this.#at++;
    return true;
  }

  #readQuoted(parent: number): void {
    const quote = this.#text[this.#at++];
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at];
      if (character === "\\" && quote === '"' && !/[\r\n]/.test(this.#text[this.#at + 1] ?? "")) {
        this.#at++;
      } else if (character === quote) {
        this.#at++;
        if (quote === '"' || this.#text[this.#at] !== quote) return;
      } else if (character === "\n" || character === "\r") {
        this.#continueLine(parent);
      }
    }
  }

  #readFlow(parent: number): void {
    let depth = 0;
    /** True where a quote begins a quoted text; within a plain text, it is an ordinary character. */
    let isStart = true;
    /** True after a quoted text or a collection: a colon makes a key of it, even without a space after the colon. */
    let isJson = false;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? "";
      if (character === "[" || character === "{" || character === ",") {
        if (character !== ",") depth++;
        [isStart, isJson] = [true, false];
        this.#at++;
      } else if (character === "]" || character === "}") {
        depth--;
        [isStart, isJson] = [false, true];
        this.#at++;
        if (depth === 0) return;
      } else if (character === "\n" || character === "\r") {
        this.#continueLine(parent);
        this.#at++;
      } else if (character === " " || character === "\t") {
        this.#at++;
      } else if (character === "#" && /\s/.test(this.#text[this.#at - 1] ?? "")) {
        this.#skip(LINE_REST);
      } else if (isStart && (character === '"' || character === "'")) {
        this.#readQuoted(parent);
        [isStart, isJson] = [false, true];
      } else if (isStart && (character === "!" || character === "&")) {
        this.#skip(PROPERTY);
      } else if (character === ":" && (isJson || this.#endsToken(this.#at + 1))) {
        [isStart, isJson] = [true, false];
        this.#at++;
      } else {
        [isStart, isJson] = [isStart && character === "?" && this.#endsToken(this.#at + 1), false];
        this.#at++;
      }
    }
  }

  #endsToken(at: number): boolean {
    const character = this.#text[at] ?? " ";
    return /\s/.test(character) || FLOW_INDICATORS.includes(character);
  }

  /** Skips a line break up to its last character, and notes where the next line lacks spaces. */
  #continueLine(parent: number): void {
    if (this.#text.startsWith("\r\n", this.#at)) this.#at++;
    this.#lineStart = this.#at + 1;
    INDENT.lastIndex = this.#lineStart;
    const column = INDENT.exec(this.#text)?.[0].length ?? 0;
    const at = this.#lineStart + column;
    if (column > parent || /^(?:[\r\n]|$)/.test(this.#text.slice(at, at + 1))) return;
    MARKER.lastIndex = at;
    if (column === 0 && MARKER.test(this.#text)) this.#at = this.#text.length; // The text isn't valid YAML.
    else this.#additions.push({ at, spaces: parent + 1 - column });
  }

  get #column(): number {
    return this.#at - this.#lineStart;
  }

  /** Skips the text that matches a pattern, and returns its length. */
  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.#at += length;
    return length;
  }
}
