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

/** Returns the text with the report that the command prints now; undefined if it has no command or no place for it. */
async function currentReadme(readme: string): Promise<string | undefined> {
  const args = COMMAND.exec(readme)?.[1]?.split(" ");
  if (args === undefined || !EXCERPT.test(readme)) return undefined;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    env: { NO_COLOR: "1", COLUMNS: "80" },
  }).output();
  const decoder = new TextDecoder();
  if (code !== 0) throw new Error(`The command in README.md fails: ${decoder.decode(stderr)}`);
  const printed = decoder.decode(stdout);
  return readme.replace(EXCERPT, (_all, before: string, after: string) => before + printed + after);
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
