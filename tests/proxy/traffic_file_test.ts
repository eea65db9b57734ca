import { runOrThrow } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import type { Interaction } from "../../src/http/interaction.ts";
import { TrafficFile } from "../../src/proxy/traffic_file.ts";
import { readRecording } from "../../src/traffic/read/read_recording.ts";

function fail(error: Error): void {
  throw error;
}

const interaction = { request: { method: "GET", url: "http://h/" } };
const line = '{"request":{"method":"GET","url":"http://h/"}}\n';

Deno.test("a recording grows with each interaction, at once", async () => {
  const path = await Deno.makeTempFile();
  await Deno.remove(path);
  const file = new TrafficFile(path, fail);
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  file.append(interaction);
  // Next, the client gets the end of its response, and may read the file before anything else runs here.
  assert.equal(Deno.readTextFileSync(path), line);
  file.append(interaction);
  file.close();
  file.append(interaction);
  assert.equal(await Deno.readTextFile(path), line + line);
  await Deno.remove(path);
});

Deno.test("a recording that is deleted is begun again, with its folder", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/deep/traffic.jsonl`;
  const file = new TrafficFile(path, fail);
  file.append(interaction);
  await Deno.remove(`${folder}/deep`, { recursive: true });
  file.append(interaction);
  file.append(interaction);
  file.close();
  assert.equal(await Deno.readTextFile(path), line + line);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a recording is continued, also after a truncated line, and other files are kept", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, `${line}{"request":{"met`);
  const file = new TrafficFile(path, fail);
  assert.ok(file.isContinued);
  file.append(interaction);
  file.close();
  assert.equal(await Deno.readTextFile(path), `${line}{"request":{"met\n${line}`);
  await Deno.writeTextFile(path, "openapi: 3.1.0\n");
  assert.throws(() => new TrafficFile(path, fail), /exists but isn't a proxy recording/);
  assert.equal(await Deno.readTextFile(path), "openapi: 3.1.0\n");
  await Deno.remove(path);
});

Deno.test("a recording that can't be written any more is an error at once", () => {
  const errors: Error[] = [];
  const file = new TrafficFile("/dev/full", (error) => errors.push(error));
  file.append(interaction);
  assert.match(errors[0]?.message ?? "", /ENOSPC|No space/);
  file.close();
});

Deno.test("a recording has the layout of a traffic file, also for bodies with a byte order mark", async () => {
  const path = await Deno.makeTempFile();
  const file = new TrafficFile(path, fail);
  const bodies = [[0xef, 0xbb, 0xbf, 0x7b, 0x7d], [0xff], [0x61]].map((body) =>
    Uint8Array.from(body)
  );
  for (const body of bodies) file.append({ request: { method: "POST", url: "/", body } });
  file.close();
  const read: Interaction[] = [];
  const text = await Deno.readTextFile(path);
  for await (const one of readRecording(text, "traffic")) read.push(one);
  assert.deepEqual(read.map(({ request }) => request.body), [bodies[0], bodies[1], "a"]);
  await Deno.remove(path);
});

Deno.test("missing folders of a recording are created", async () => {
  const folder = await Deno.makeTempDir();
  const file = new TrafficFile(`${folder}/out/deep/traffic.jsonl`, fail);
  file.append(interaction);
  file.close();
  assert.equal(await Deno.readTextFile(`${folder}/out/deep/traffic.jsonl`), line);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("an incomplete line on a full disk is removed, and the next one is complete", async () => {
  if (Deno.build.os !== "linux") return; // other systems have no prlimit
  const folder = await Deno.makeTempDir();
  const module = new URL("../../src/proxy/traffic_file.ts", import.meta.url).href;
  // The limit is raised while the program runs, as if space had been freed.
  await Deno.writeTextFile(
    `${folder}/program.ts`,
    `import { TrafficFile } from ${JSON.stringify(module)};
     process.on("SIGXFSZ", () => {});
     let errors = 0;
     const file = new TrafficFile("traffic.jsonl", () => errors++);
     const append = async (body: string) => {
       file.append({ request: { method: "POST", url: "/", body } });
       await new Promise((resolve) => setTimeout(resolve));
     };
     for (let index = 0; index < 30; index++) await append("x".repeat(20_000));
     console.log(errors);
     const raise = ["--fsize=1000000", "--pid", String(Deno.pid)];
     new Deno.Command("prlimit", { args: raise }).outputSync();
     await append("last");
     console.log(errors);
     file.close();`,
  );
  const script = `ulimit -S -f 400; exec "$DENO" run -A --no-check --no-code-cache program.ts`;
  // The files in Deno's own cache would exceed the limit.
  const env = { DENO: Deno.execPath(), DENO_DIR: `${folder}/deno`, NO_COLOR: "1" };
  const said = await runOrThrow("bash", ["-c", script], { cwd: folder, env });
  const [before, after] = said.split("\n").map(Number);
  assert.ok((before ?? 0) > 3, `${before} errors`);
  assert.equal(after, before);
  const lines = (await Deno.readTextFile(`${folder}/traffic.jsonl`)).split("\n");
  assert.equal(lines.pop(), "");
  for (const text of lines) assert.ok("request" in JSON.parse(text));
  assert.match(lines.at(-1) ?? "", /"body":"last"/);
  await Deno.remove(folder, { recursive: true });
});
