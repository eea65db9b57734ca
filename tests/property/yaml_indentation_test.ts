import assert from "node:assert/strict";
import fc from "fast-check";
import { locatePointers } from "../../src/openapi/locate.ts";
import { readYaml } from "../../src/openapi/read_yaml.ts";
import { parseYamlRecording } from "../../src/traffic/cassette/yaml_recording.ts";

/** Plain texts that look like other syntax. */
const ODD = ["it's", 'a "b', "[x", "{", "]", "# no", "- a", "k: v", "'", "|", ">"];
const WORDS = ["alpha", "be", "c", "it's", 'd"e', "http://f:80/", "g#h", "-1x", "a-b"];

/** Writes random YAML and knows its value. */
class Writer {
  readonly lines: string[] = [""];
  readonly #random: (below: number) => number;
  #keys = 0;

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  /** Writes a value after a key or dash in a column. Returns the value. */
  value(column: number, depth: number, isItem = false): unknown {
    switch (this.#random(depth > 2 ? 4 : 7)) {
      case 0:
        return this.#flow(2);
      case 1:
        return this.#quoted();
      case 2:
        return this.#block(column);
      case 3: {
        const words = [this.#word(), this.#word()];
        this.#write(` ${words[0]}`);
        if (this.#random(2) === 0) return words[0];
        this.#line(" ".repeat(column + 1 + this.#random(3)) + words[1]);
        return words.join(" ");
      }
      case 4: {
        const list: unknown[] = [];
        const dash = column + this.#random(3) + (isItem ? 1 : 0);
        for (let index = this.#random(3); index >= 0; index--) {
          this.#line(`${" ".repeat(dash)}-`);
          list.push(this.value(dash, depth + 1, true));
        }
        return list;
      }
      default:
        return this.mapping(column + 1 + this.#random(3), depth);
    }
  }

  /** Writes a mapping whose keys are in a column. */
  mapping(column: number, depth: number): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    for (let index = this.#random(3); index >= 0; index--) {
      const key = `key${this.#keys++}`;
      if (this.#random(5) === 0) this.#line(`${" ".repeat(column)}# [ it's "`);
      this.#line(`${" ".repeat(column)}${this.#random(4) === 0 ? `"${key}"` : key}:`);
      mapping[key] = this.value(column, depth + 1);
    }
    return mapping;
  }

  #flow(depth: number): unknown {
    const isMapping = this.#random(2) === 0;
    this.#write(depth === 2 ? ` ${isMapping ? "{" : "["}` : isMapping ? "{" : "[");
    const entries: [string, unknown][] = [];
    const count = this.#random(4);
    for (let index = 0; index < count; index++) {
      this.#space();
      const key = `key${this.#keys++}`;
      if (isMapping) {
        if (this.#random(2) === 0) this.#write(`"${key}":${this.#random(2) === 0 ? "" : " "}`);
        else this.#write(`${key}: `);
        this.#space();
      }
      const kind = depth > 0 ? this.#random(3) : 1 + this.#random(2);
      if (kind === 0) entries.push([key, this.#flow(depth - 1)]);
      else if (kind === 1) entries.push([key, this.#quoted()]);
      else {
        const word = this.#word();
        this.#write(word);
        entries.push([key, word]);
      }
      this.#space();
      if (index < count - 1 || this.#random(3) === 0) this.#write(",");
      if (this.#random(6) === 0) this.#write(" # ] } ' \"\n");
    }
    this.#space();
    this.#write(isMapping ? "}" : "]");
    return isMapping ? Object.fromEntries(entries) : entries.map(([, value]) => value);
  }

  #quoted(): string {
    const quote = this.#random(2) === 0 ? '"' : "'";
    const parts = Array.from({ length: 1 + this.#random(3) }, () => this.#odd());
    this.#write(` ${quote}`);
    parts.forEach((part, index) => {
      if (index > 0) this.#line(" ".repeat(this.#random(6)));
      this.#write(quote === '"' ? part.replaceAll('"', '\\"') : part.replaceAll("'", "''"));
    });
    this.#write(quote);
    return parts.join(" ");
  }

  #block(column: number): string {
    const isFolded = this.#random(2) === 0;
    const indent = " ".repeat(column + 1 + this.#random(3));
    const texts = Array.from({ length: 1 + this.#random(3) }, () => this.#odd());
    this.#write(isFolded ? " >-" : " |-");
    for (const text of texts) this.#line(indent + text);
    return texts.join(isFolded ? " " : "\n");
  }

  /** Writes white space between tokens of a flow collection, with any indentation. */
  #space(): void {
    if (this.#random(3) === 0) this.#line(" ".repeat(this.#random(7)));
    else this.#write(" ");
  }

  #word(): string {
    return WORDS[this.#random(WORDS.length)] ?? "";
  }

  #odd(): string {
    return ODD[this.#random(ODD.length)] ?? "";
  }

  #write(text: string): void {
    this.lines[this.lines.length - 1] += text;
  }

  #line(text: string): void {
    this.lines.push(text);
  }
}

/** The pointers of all keys in a value. */
function keyPointers(value: unknown, pointer = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(Array.isArray(value) ? [] : [`${pointer}/${key}`]),
    ...keyPointers(member, `${pointer}/${key}`),
  ]);
}

Deno.test("YAML with flow collections and quoted texts of any indentation is read and located", () => {
  let unindented = 0;
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(1 << 20)), (stream) => {
      const writer = new Writer((below) => (stream.next().value ?? 0) % below);
      const value = writer.mapping(0, 0);
      const text = `${writer.lines.join("\n").trimStart()}\n`;
      const document = readYaml(text);
      assert.deepEqual(document.value, value, text);
      assert.deepEqual(parseYamlRecording(text, "c.yml")[0], value);
      if (document.unindented !== undefined) unindented++;
      const lines = text.split("\n");
      const pointers = keyPointers(value);
      const locations = locatePointers(text, "yaml", pointers);
      for (const pointer of pointers) {
        const { line = 0, column = 0 } = locations.get(pointer) ?? {};
        const key = pointer.slice(pointer.lastIndexOf("/") + 1);
        assert.match((lines[line - 1] ?? "").slice(column - 1), new RegExp(`^"?${key}\\b`), text);
      }
    }),
    { numRuns: 1_000 },
  );
  assert.ok(unindented > 200, String(unindented));
});
