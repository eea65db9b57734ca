import assert from "node:assert/strict";
import process from "node:process";
import { hasEnded, PROCESS_MARK, processMark } from "../../src/files/process_mark.ts";

Deno.test("a mark is that of a process until this ends, and in doubt it has not ended", async () => {
  const mark = processMark();
  assert.match(mark, new RegExp(`^${PROCESS_MARK}$`));
  const [pid, start, machine] = mark.split("-");
  assert.equal(pid, String(process.pid));
  assert.equal(hasEnded(mark), false);
  const gone = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" }).spawn();
  await gone.status;
  assert.equal(hasEnded(`${gone.pid}-1-${machine}`), true);
  assert.equal(hasEnded(`${gone.pid}-0-${machine}`), true);
  assert.equal(hasEnded(`${gone.pid}-1-elsewhere`), false);
  assert.equal(hasEnded(`${gone.pid}-1-0`), false);
  // It may have been made where the time at which it began could not be asked for.
  assert.equal(hasEnded(`${process.pid}-0-${machine}`), false);
  if (Deno.build.os !== "linux") return;
  assert.notEqual(start, "0");
  assert.equal(hasEnded(`${process.pid}-1-${machine}`), true);
});

Deno.test("Deno isn't asked for what it was not allowed, since it would ask the user", async () => {
  const module = new URL("../../src/files/process_mark.ts", import.meta.url).href;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-read", "--allow-sys=hostname", "--ext=ts"],
      `data:application/typescript,${
        encodeURIComponent(`
          const { getBuiltinModule } = process;
          const asked: string[] = [];
          process.getBuiltinModule = (name: string) => {
            asked.push(name);
            return getBuiltinModule(name);
          };
          const { processMark } = await import(${JSON.stringify(module)});
          processMark();
          console.log(asked.includes("node:os"), asked.includes("node:fs"));`)
      }`,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(new TextDecoder().decode(stdout), "true false\n");
});

Deno.test("without permission to ask what machine this is, nothing counts as abandoned", async () => {
  const module = new URL("../../src/files/process_mark.ts", import.meta.url).href;
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      `${folder}/mark.ts`,
      `import { hasEnded, processMark } from ${JSON.stringify(module)};
       const mark = processMark();
       console.log(mark.split("-")[2], hasEnded("999999999-1-" + mark.split("-")[2]));`,
    );
    for (
      const [permissions, expected] of [
        [["--allow-read", "--allow-run"], /^0 false\n$/],
        [["--allow-read", "--allow-run", "--allow-sys=hostname"], /^(?!0 )[\da-z]+ true\n$/],
      ] as const
    ) {
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-prompt", ...permissions, `${folder}/mark.ts`],
        env: { NO_COLOR: "1" },
      }).output();
      const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      assert.match(said, expected, permissions.join(" "));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
