import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Authority, createAuthority } from "../../src/proxy/authority.ts";

const DESCRIPTION = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Books", version: "1" },
  paths: { "/books": { get: { responses: { 200: { description: "All" } } } } },
});
const TRAFFIC = JSON.stringify([{
  request: { method: "GET", url: "http://localhost/books" },
  response: { status_code: 200 },
}]);

/** The ways to name a file with certificate authorities: an option, a key of the config file, and variables. */
const WAYS = ["--ca", "ca", "NODE_EXTRA_CA_CERTS", "DENO_CERT"] as const;

/**
 * Checks that covtool trusts a server's private certificate authority: for a description, as a proxy and as a client.
 *
 * @param isFull True to try every way for every use; otherwise each use is tried in one way, a different one for each.
 */
export async function tryOwnAuthority(command: readonly string[], isFull = false): Promise<void> {
  const authority = new Authority(createAuthority(new Date()));
  const { certificate: cert, key } = authority.issueLeaf("localhost", new Date());
  const server = createServer({ cert, key }, (request, response) => {
    request.resume();
    response.setHeader("Content-Type", "application/json");
    response.end(request.url === "/openapi.json" ? DESCRIPTION : "[]");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const folder = await Deno.makeTempDir({ prefix: "covtool-authority-" });
  const ask = `await (await fetch("${origin}/books")).text()`;
  const uses = [
    ["report", `${origin}/openapi.json`, "traffic.json"],
    [
      "proxy",
      "openapi.json",
      "-p",
      "0",
      "--export-ca",
      "ca.pem",
      "--",
      Deno.execPath(),
      "eval",
      ask,
    ],
    ["probe", "openapi.json", "--server", origin, "--time", "60"],
    ["convert", "traffic.json", "--schema", `${origin}/openapi.json`, "-o", "converted.json"],
  ];
  const run = async ([use = "", ...args]: readonly string[], way: string, file: string) => {
    await Deno.writeTextFile(`${folder}/covtool.json`, way === "ca" ? `{"ca":"${file}"}` : "{}");
    const [program = "", ...first] = command;
    const { code, stderr } = await new Deno.Command(program, {
      args: [...first, use, ...(way === "--ca" ? ["--ca", file] : []), ...args],
      cwd: folder,
      env: {
        ...{ NO_COLOR: "1", XDG_DATA_HOME: `${folder}/data` },
        ...(/^[A-Z_]+$/.test(way) && { [way]: `${folder}/${file}` }),
      },
      stdin: "null",
    }).output();
    return { code, err: new TextDecoder().decode(stderr) };
  };
  try {
    await Deno.writeTextFile(`${folder}/openapi.json`, DESCRIPTION);
    await Deno.writeTextFile(`${folder}/traffic.json`, TRAFFIC);
    await Deno.writeTextFile(`${folder}/own.pem`, authority.certificate);
    await Deno.writeTextFile(`${folder}/other.pem`, createAuthority(new Date()).certificate);
    for (const [index, use] of uses.entries()) {
      for (const way of isFull ? WAYS : WAYS.slice(index, index + 1)) {
        if (use[0] === "convert" && way === "ca") continue; // `convert` reads no config file
        const { code, err } = await run(use, way, "own.pem");
        assert.equal(code, 0, `${use[0]} with ${way}: ${err}`);
        assert.match(
          err,
          /1 request(?:: 1 matched| of 1 recording)/,
          `${use[0]} with ${way}: ${err}`,
        );
      }
      const { err } = await run(use, "--ca", "other.pem");
      assert.match(err.replaceAll(/\s+/g, " "), /certificate.*--ca ca\.pem/, err);
    }
  } finally {
    server.closeAllConnections();
    server.close();
    await Deno.remove(folder, { recursive: true });
  }
}
