import { pathToFileURL } from "node:url";

/** An example in a comment or a page. */
export interface Example {
  /** The line of the file in which it begins, after the fence. */
  readonly line: number;
  readonly code: string;
}

const IMPORT = /^import\s(?:[^"]*?\sfrom\s+)?"([^"]+)"[^;\n]*;$/gm;
const DYNAMIC_IMPORT = /\bimport\("([^"]+)"\)/g;

/**
 * The examples of a file: code between <code>```ts</code> and <code>```</code>, in documentation comments where it is not
 * a page. Those with <code>```ts ignore</code> are left out.
 */
export function examplesIn(text: string): Example[] {
  const examples: Example[] = [];
  let prefix: string | undefined;
  let [start, code] = [0, ""];
  text.split(/\r?\n/).forEach((line, index) => {
    if (prefix === undefined) {
      prefix = /^(\s*(?:\* ?)?)```ts\s*$/.exec(line)?.[1];
      [start, code] = [index + 2, ""];
    } else if (/^\s*(?:\* ?)?```\s*$/.test(line)) {
      examples.push({ line: start, code });
      prefix = undefined;
    } else {
      // Blank lines lack spaces at their ends.
      code += `${
        line.startsWith(prefix) ? line.slice(prefix.length) : line.replace(/^\s*\*?/, "")
      }\n`;
    }
  });
  return examples;
}

/** The module of a test that runs an example. */
export function exampleModule(
  name: string,
  path: string,
  code: string,
  packages: Readonly<Record<string, string>>,
): string {
  const address = pathToFileURL(path);
  const place = (from: string): string =>
    /^\.{0,2}\//.test(from) ? new URL(from, address).href : packages[from] ?? from;
  const put = (whole: string, from: string): string =>
    whole.replace(JSON.stringify(from), () => JSON.stringify(place(from)));
  const imports = (code.match(IMPORT) ?? []).map((one) => one.replace(IMPORT, put));
  const body = code.replace(IMPORT, "").replace(DYNAMIC_IMPORT, put);
  return `${imports.join("\n")}\nDeno.test(${JSON.stringify(name)}, async () => {\n${body}});\n`;
}
