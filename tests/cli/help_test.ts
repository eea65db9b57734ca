import assert from "node:assert/strict";
import { succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";

const COMMANDS = [
  ...["", "report", "run", "proxy", "merge", "record-hits", "compare", "suggest", "convert"],
  ...["gaps", "verify", "mcp", "probe", "mutate", "init", "check"],
];

async function showHelp(command: string): Promise<string> {
  const terminal = { columns: 80, variables: { NO_COLOR: "1" } };
  const { out } = await succeeds(runCovtool(`${command} --help`, terminal));
  return out;
}

Deno.test("help has no phrases that read as translated", async () => {
  const translated =
    /unless given|what stands|stand for|so many|if you like|, or do not|behind --|let .* pass\b|and end\.|takes? the place of|own threshold|the variables that lead|begin with:/i;
  for (const command of COMMANDS) {
    const found = translated.exec((await showHelp(command)).replace(/\s+/g, " ")); // options wrap
    assert.equal(found?.[0], undefined, command);
  }
});

Deno.test("an option takes at most six lines of 80 columns", async () => {
  for (const command of COMMANDS) {
    let lines = 0;
    for (const line of (await showHelp(command)).split("\n")) {
      assert.ok(line.length <= 80, line);
      lines = /^ {30,}\S/.test(line) ? lines + 1 : 1;
      assert.ok(lines <= 6, line);
    }
  }
});

Deno.test("docs/commands.md shows the help that each command prints", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/commands.md", import.meta.url));
  for (const command of COMMANDS) {
    assert.ok(page.includes(`\n\`\`\`\n${(await showHelp(command)).trimEnd()}\n\`\`\`\n`), command);
    const name = `covtool ${command}`.trimEnd();
    assert.ok(page.includes(`\n- [${name}](#${name.replaceAll(" ", "-")})`), command);
  }
});
