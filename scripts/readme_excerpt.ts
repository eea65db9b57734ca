/**
 * Updates the text report in README.md from the output of the command above it.
 *
 *     deno run -A scripts/readme_excerpt.ts            writes it
 *     deno run -A scripts/readme_excerpt.ts --check    exits with 1 where the written one is stale
 *
 * @module
 */
import { finish, print } from "./print.ts";
import { ROOT } from "./source_files.ts";

const COMMAND = /^npx -y deno@\S+ (task demo\b.*|run -A cli\.ts report .*--format text.*)$/m;
const EXCERPT = /(<!-- printed by the command above -->\n\n```\n)[\s\S]*?(```\n)/;

/** The arguments of the command whose output is shown; undefined where there is none. */
export function shownCommand(readme: string): string[] | undefined {
  return COMMAND.exec(readme)?.[1]?.split(" ");
}

/** The text with another excerpt; undefined where it has no place for one. */
export function withExcerpt(readme: string, excerpt: string): string | undefined {
  if (!EXCERPT.test(readme)) return undefined;
  return readme.replace(EXCERPT, (_all, before: string, after: string) => before + excerpt + after);
}

async function currentReadme(readme: string): Promise<string | undefined> {
  const args = shownCommand(readme);
  if (args === undefined) return undefined;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    env: { NO_COLOR: "1", COLUMNS: "80" },
  }).output();
  const decoder = new TextDecoder();
  if (code !== 0) throw new Error(`The command in README.md fails: ${decoder.decode(stderr)}`);
  return withExcerpt(readme, decoder.decode(stdout));
}

if (import.meta.main) {
  const path = `${ROOT}/README.md`;
  const readme = await Deno.readTextFile(path);
  const current = await currentReadme(readme);
  if (current === undefined) {
    finish("excerpt in README.md", [
      "README.md: the command or the block with its output is missing.",
    ]);
  }
  if (Deno.args.includes("--check")) {
    finish(
      "excerpt in README.md",
      current === readme ? [] : [
        "README.md: the report differs from its command's output. Run scripts/readme_excerpt.ts.",
      ],
    );
  }
  await Deno.writeTextFile(path, current);
  print("README.md: written");
}
