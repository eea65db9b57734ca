import { lookup } from "node:dns/promises";
import { hostname } from "node:os";
import { type LoadOptions, privateNetwork } from "../../src/openapi/document_source.ts";
import { loadFromPath, loadFromUrl } from "../../src/openapi/load.ts";
import type { DocumentSet } from "../../src/openapi/document_set.ts";
import { inFolder } from "../in_folder.ts";
import { serve } from "./serve.ts";
import assert from "node:assert/strict";

Deno.test("privateNetwork() recognizes addresses that are not public in all notations", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["localhost", "loopback"],
    ["LOCALHOST.", "loopback"],
    ["api.localhost", "loopback"],
    ["127.0.0.1", "loopback"],
    ["127.255.3.4", "loopback"],
    ["0.0.0.0", "loopback"],
    ["[::1]", "loopback"],
    ["[::]", "loopback"],
    ["[::ffff:127.0.0.1]", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["64:ff9b::7f00:1", "loopback"],
    ["2002:7f00:1::", "loopback"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["224.0.0.1", "private"],
    ["255.255.255.255", "private"],
    ["[fd00::1]", "private"],
    ["[ff02::1]", "private"],
    ["169.254.169.254", "link_local"],
    ["[fe80::1]", "link_local"],
    ["fe80::1%eth0", "link_local"],
    ["172.32.0.1", undefined],
    ["172.15.255.255", undefined],
    ["100.128.0.1", undefined],
    ["8.8.8.8", undefined],
    ["223.255.255.255", undefined],
    ["[2606:4700::1]", undefined],
    ["example.com", undefined],
    ["10.example.com", undefined],
    ["notlocalhost", undefined],
  ];
  for (const [host, expected] of cases) assert.equal(privateNetwork(host), expected, host);
});

Deno.test("privateNetwork() recognizes all ways to write an address in URLs", () => {
  for (const host of ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "①②⑦.0.0.1"]) {
    assert.equal(privateNetwork(new URL(`http://${host}/`).hostname), "loopback", host);
  }
});

// Tests for what a description may read: it may come from anybody, and runs on build servers and laptops.

/** An OpenAPI document whose schemas are references. */
function referring(...references: readonly string[]): string {
  const schemas = Object.fromEntries(references.map(($ref, index) => [`S${index}`, { $ref }]));
  return JSON.stringify({ openapi: "3.1.0", info: {}, paths: {}, components: { schemas } });
}

function refused(set: DocumentSet): string[] {
  return set.problems.map(({ code, message }) => `${code}: ${message}`);
}

/** Loads `top/api/openapi.json` with these references. There are schemas beside it and in `top/shared`. */
async function loadReferring(
  references: (top: string) => readonly string[],
  use: (set: DocumentSet, top: string) => void | Promise<void>,
  options: (top: string) => LoadOptions = () => ({}),
  entry = "api/openapi.json",
): Promise<void> {
  const files = {
    "api/deep/a.json": { S: { type: "string" } },
    "shared/deep/a.json": { S: { type: "string" } },
    "shared/secret.json": { S: { const: "token" } },
  };
  await inFolder(files, async (top) => {
    await Deno.writeTextFile(`${top}/api/openapi.json`, referring(...references(top)));
    await Deno.symlink(`${top}/shared/secret.json`, `${top}/api/link.json`);
    await Deno.symlink(`${top}/shared`, `${top}/api/linked`);
    await Deno.symlink(`${top}/api`, `${top}/other`);
    await Deno.mkdir(`${top}/elsewhere`);
    await Deno.symlink(`${top}/api/openapi.json`, `${top}/elsewhere/openapi.json`);
    await use(await loadFromPath(`${top}/${entry}`, options(top)), top);
  });
}

Deno.test("a reference that isn't a valid path is a diagnostic, not a runtime error", () =>
  loadReferring(
    () => ["deep%2fa.json#/S", "deep/%00a.json#/S", "deep/%zza.json#/S", "deep/%ffa.json#/S"],
    (set) => {
      const start = "unresolved_reference: The reference";
      const escape = "It contains an invalid escape sequence: write `%25` for a percent sign.";
      assert.deepEqual(refused(set), [
        `${start} \`deep%2fa.json#/S\` is not followed: deep/a.json: It contains \`%2f\`, which is an encoded slash: write \`/\` instead.`,
        `${start} \`deep/%00a.json#/S\` is not followed: deep/\0a.json: It contains \`%00\`, which no file name can contain.`,
        `${start} \`deep/%zza.json#/S\` is not followed: deep/%zza.json: ${escape}`,
        `${start} \`deep/%ffa.json#/S\` is not followed: deep/%ffa.json: ${escape}`,
      ]);
    },
  ));

Deno.test("a reference outside the description's folder is rejected, and the message names the option", () =>
  loadReferring(
    (top) => [
      "../shared/secret.json#/S",
      "deep/../../shared/secret.json#/S",
      `${top}/shared/secret.json#/S`,
      `file://${top}/shared/secret.json#/S`,
      "%2e%2e/shared/secret.json#/S",
      "link.json#/S",
      "linked/secret.json#/S",
      "../api-of-others.json#/S",
      "/etc/passwd",
    ],
    (set) => {
      assert.equal(set.documents.size, 1);
      assert.equal(set.problems.length, 9);
      for (const problem of refused(set)) {
        assert.match(
          problem,
          /^outside_reference: .* is not followed: it leads out of the description's folder\. Name a folder .* `--allow-refs-outside DIR` or `allowRefsOutside`\.$/,
        );
      }
      assert.ok(!JSON.stringify([...set.texts]).includes("token"));
    },
  ));

Deno.test("a description can refer to everything in its folder, also through links", async () => {
  const inside = (top: string) => [
    "deep/a.json#/S",
    "./deep/../deep/a.json#/S",
    "../api/deep/a.json#/S",
    `${top}/api/deep/a.json#/S`,
  ];
  for (const entry of ["api/openapi.json", "other/openapi.json"]) {
    await loadReferring(inside, (set) => assert.deepEqual(refused(set), []), undefined, entry);
  }
  // Files beside the target of a link belong to the description too.
  const real = (top: string) => [`${top}/api/deep/a.json#/S`];
  await loadReferring(
    real,
    (set) => assert.deepEqual(refused(set), []),
    undefined,
    "elsewhere/openapi.json",
  );
});

Deno.test("allowRefsOutside only allows the given folders", async () => {
  const references = () => ["../shared/deep/a.json#/S", "linked/deep/a.json#/S", "link.json#/S"];
  await loadReferring(references, (set) => {
    assert.deepEqual(set.problems.map(({ schema_path }) => schema_path), [
      "/components/schemas/S2/$ref",
    ]);
  }, (top) => ({ allowRefsOutside: `${top}/shared/deep` }));
  await loadReferring(references, (set) => assert.deepEqual(refused(set), []), (top) => ({
    allowRefsOutside: [`${top}/elsewhere`, `${top}/shared/`],
  }));
});

Deno.test("allowRefsOutside refuses a path that isn't a folder, even if nothing refers to it", async () => {
  for (
    const [name, problem] of [
      ["nowhere", "There is no such folder: check the path."],
      ["shared/secret.json", "This is not a folder: name the folder that it is in."],
      ["shared/secret.json/deep", "A folder of this path is a file: check the path."],
    ] as const
  ) {
    for (const references of [[], ["../shared/secret.json#/S"]]) {
      let at = "";
      const loading = loadReferring(() => references, () => {}, (top) => {
        at = `${top}/${name}`;
        return { allowRefsOutside: [`${top}/shared`, at] };
      });
      await assert.rejects(loading, ({ code, message }) => {
        assert.equal(code, "not_a_folder");
        assert.match(message, /^Cannot load .*\/api\/openapi\.json: Cannot allow references into /);
        assert.ok(
          message.endsWith(`${at} (\`--allow-refs-outside\`, \`allowRefsOutside\`). ${problem}`),
          message,
        );
        return true;
      });
    }
  }
});

Deno.test("only regular files of limited size are read, and others are refused without waiting", async () => {
  if (Deno.build.os !== "linux") return;
  const files = { "openapi.json": referring("pipe", "zero", "/dev/zero", "huge.json") };
  await inFolder(files, async (top) => {
    await new Deno.Command("mkfifo", { args: [`${top}/pipe`] }).output();
    await Deno.symlink("/dev/zero", `${top}/zero`);
    (await Deno.open(`${top}/huge.json`, { create: true, write: true })).truncateSync(2 ** 28);
    const set = await loadFromPath(`${top}/openapi.json`, { allowRefsOutside: "/dev" });
    const problems = refused(set);
    for (const index of [0, 1, 2]) {
      assert.match(problems[index] ?? "", /This is not a regular file/);
    }
    assert.match(
      problems[3] ?? "",
      /huge\.json: It is larger than 128 MiB, the most that covtool reads\.$/,
    );
    await assert.rejects(
      loadFromPath("/dev/zero"),
      /^DescriptionError: Cannot load \/dev\/zero: It is larger than 128 MiB, the most that covtool reads\.$/,
    );
  });
});

const redirect = (location: string) => () =>
  new Response(null, { status: 302, headers: { location } });

Deno.test("a description from the web can't reach private addresses by reference or redirect", async () => {
  const entry = "https://api.example/openapi.json";
  const targets = ["https://127.0.0.1/a", "https://[::1]/a", "https://10.0.0.1/a"];
  const { fetch, asked } = serve({
    [entry]: referring(
      ...targets,
      "https://169.254.169.254/latest/meta-data",
      "https://localhost:8080/a",
      "https://api.example/redirected",
    ),
    "https://api.example/redirected": redirect("https://192.168.1.1/admin"),
  });
  const set = await loadFromUrl(entry, { fetch, allowRemoteRefs: true });
  assert.deepEqual(asked, [entry, "https://api.example/redirected"]);
  assert.equal(set.problems.length, 6);
  for (const problem of refused(set)) {
    assert.match(problem, /is an address of this machine or of a private network/);
  }
});

Deno.test("a file can't reach private addresses, and a description from a private network only that network", async () => {
  const { fetch, asked } = serve({
    "http://10.0.0.9/a": '{"S": true}',
    "http://localhost/a": "{}",
  });
  await inFolder({ "openapi.json": referring("http://10.0.0.9/a#/S") }, async (top) => {
    const set = await loadFromPath(`${top}/openapi.json`, { fetch, allowRemoteRefs: true });
    assert.match(refused(set)[0] ?? "", /private network/);
    assert.deepEqual(asked, []);
  });
  const inside = serve({
    "http://10.0.0.1/openapi.json": referring("http://10.0.0.9/a#/S", "http://localhost/a"),
    "http://10.0.0.9/a": '{"S": true}',
  });
  const set = await loadFromUrl("http://10.0.0.1/openapi.json", {
    fetch: inside.fetch,
    allowRemoteRefs: true,
  });
  assert.deepEqual(inside.asked, ["http://10.0.0.1/openapi.json", "http://10.0.0.9/a"]);
  assert.match(refused(set).join(), /localhost is an address of this machine/);
});

/** The machine's own name if it leads to a private address, as it usually does. */
async function ownName(): Promise<string[]> {
  const { address } = await lookup(hostname()).catch(() => ({ address: "" }));
  return privateNetwork(hostname()) === undefined && privateNetwork(address) !== undefined
    ? [hostname()]
    : [];
}

Deno.test("names that lead to this machine are recognized", async () => {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("{}"),
  );
  // The system resolves the machine's own name.
  const names = ["localhost", "127.1", ...await ownName()];
  const urls = names.map((name) => `http://${name}:${server.addr.port}/a`);
  await inFolder({ "openapi.json": referring(...urls) }, async (top) => {
    const set = await loadFromPath(`${top}/openapi.json`, { allowRemoteRefs: true });
    assert.equal(set.problems.length, names.length);
  }).finally(() => server.shutdown());
});

Deno.test("https never leads to http", async () => {
  const entry = "https://api.example/openapi.json";
  const { fetch, asked } = serve({
    [entry]: referring("http://api.example/a", "b", "https://c.example/c"),
    "https://api.example/b": redirect("http://api.example/a"),
    "https://c.example/c": redirect("ftp://c.example/c"),
    "https://d.example/": redirect("http://d.example/"),
  });
  const set = await loadFromUrl(entry, { fetch, allowRemoteRefs: true });
  assert.deepEqual(asked, [entry, "https://api.example/b", "https://c.example/c"]);
  assert.match(refused(set)[0] ?? "", /came over https cannot refer to one over http\.$/);
  assert.match(refused(set)[1] ?? "", /does not follow redirects from https to another protocol/);
  assert.match(refused(set)[2] ?? "", /does not follow redirects from https to another protocol/);
  await assert.rejects(loadFromUrl("https://d.example/", { fetch }), /redirects from https/);
});

Deno.test("credentials are sent to their server only", async () => {
  const { fetch, asked } = serve({
    "https://api.example/a": redirect("/b"),
    "https://api.example/b": redirect("https://other.example/c"),
    "https://other.example/c": referring(),
  });
  await loadFromUrl("https://ada:secret@api.example/a", { fetch });
  const basic = `Basic ${btoa("ada:secret")}`;
  assert.deepEqual(asked, [
    `https://api.example/a ${basic}`,
    `https://api.example/b ${basic}`,
    "https://other.example/c",
  ]);
});

Deno.test("credentials may have a percent sign, escaped or not", async () => {
  for (const password of ["50%", "50%25"]) {
    const { fetch, asked } = serve({ "https://api.example/a": referring() });
    await loadFromUrl(`https://ada:${password}@api.example/a`, { fetch });
    assert.deepEqual(asked, [`https://api.example/a Basic ${btoa("ada:50%")}`]);
  }
});

Deno.test("redirects, documents and bytes are limited", async () => {
  const chunk = new Uint8Array(2 ** 22);
  const endless = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }));
  const { fetch } = serve({
    "https://a.example/circle": redirect("/circle"),
    "https://a.example/endless": endless,
    "https://a.example/said": () =>
      new Response("", { headers: { "content-length": `${2 ** 40}` } }),
  });
  const wrong = { circle: /too many redirects/, endless: /128 MiB/, said: /128 MiB/ };
  for (const [name, expected] of Object.entries(wrong)) {
    await assert.rejects(loadFromUrl(`https://a.example/${name}`, { fetch }), expected);
  }
  let fetched = 0;
  const chain = (): Promise<Response> =>
    Promise.resolve(new Response(fetched++ === 0 ? referring("1") : `{"$ref": "${fetched}"}`));
  const set = await loadFromUrl("https://a.example/0", { fetch: chain, allowRemoteRefs: true });
  assert.equal(fetched, 1001);
  assert.match(refused(set).join(), /covtool fetches at most 1000 documents\./);
});
