import assert from "node:assert/strict";
import { hostname } from "node:os";
import { isSamePlace } from "../../src/proxy/loop_mark.ts";

const PORT = 8080;

function isSame(server: string, listening: string): boolean {
  return isSamePlace({ host: server, port: PORT }, { host: listening, port: PORT });
}

Deno.test("every name of the loopback interface leads to a proxy that listens there", () => {
  for (const name of ["localhost", "x.localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0"]) {
    assert.equal(isSame(name, "127.0.0.1"), true, name);
    assert.equal(isSame(name, "0.0.0.0"), true, name);
  }
});

Deno.test("the machine's own name leads to a proxy that listens on every address", () => {
  assert.equal(isSame(hostname(), "0.0.0.0"), true);
  assert.equal(isSame(hostname().toUpperCase(), "::"), true);
  assert.equal(isSame("api.example.com", "0.0.0.0"), false);
});

Deno.test("another port or machine leads elsewhere", () => {
  assert.equal(isSame("192.0.2.7", "127.0.0.1"), false);
  assert.equal(isSame("127.0.0.1", "192.0.2.7"), false);
  assert.equal(
    isSamePlace({ host: "localhost", port: 1 }, { host: "127.0.0.1", port: PORT }),
    false,
  );
});

Deno.test("a proxy that may not know the machine's names takes others for other machines", async () => {
  const module = new URL("../../src/proxy/loop_mark.ts", import.meta.url).href;
  const folder = await Deno.makeTempDir();
  try {
    const port = PORT;
    await Deno.writeTextFile(
      `${folder}/a.ts`,
      `import { isSamePlace } from ${JSON.stringify(module)};
const is = (host: string) => isSamePlace({ host, port: ${port} }, { host: "0.0.0.0", port: ${port} });
console.log(is("api.example"), is("localhost"));`,
    );
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--no-check", `${folder}/a.ts`],
      env: { NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    assert.equal(decoder.decode(stdout), "false true\n", decoder.decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
