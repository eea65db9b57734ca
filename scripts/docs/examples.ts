import { pathToFileURL } from "node:url";

/** An example in a comment or a page. */
export interface Example {
  /** The line of the file on which the code begins, after the fence. */
  readonly line: number;
  readonly code: string;
}

const IMPORT = /^import\s(?:[^"]*?\sfrom\s+)?"([^"]+)"[^;\n]*;$/gm;
const DYNAMIC_IMPORT = /\bimport\("([^"]+)"\)/g;

/**
 * Finds the examples of a file: code between <code>```ts</code> and <code>```</code>, in a page or in documentation
 * comments. Blocks that begin with <code>```ts ignore</code> are left out.
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
      // Blank lines have no space after the `*`.
      code += `${
        line.startsWith(prefix) ? line.slice(prefix.length) : line.replace(/^\s*\*?/, "")
      }\n`;
    }
  });
  return examples;
}

/** Returns the source of a test module that runs an example. */
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
