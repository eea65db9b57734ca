import { createAuthority } from "../../src/proxy/authority.ts";
import {
  clientVariables,
  exportCertificate,
  readCertificateCopy,
} from "../../src/proxy/client_trust.ts";
import { runOnFullDisk } from "./full_disk.ts";
import assert from "node:assert/strict";
import { inFolder } from "../in_folder.ts";

const FILES = { caFile: "/d/ca.pem", bundleFile: "/d/bundle.pem", javaFile: "/d/ca.jks" };

function java(proxyUrl: string, javaOptions?: string, javaFile = FILES.javaFile): string {
  const variables = clientVariables({ ...FILES, javaFile, proxyUrl, javaOptions });
  return variables["JAVA_TOOL_OPTIONS"] ?? "";
}

Deno.test("Java uses the proxy for every host and keeps its other options", () => {
  assert.equal(
    java("http://127.0.0.1:8081"),
    "-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=8081 -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=8081 " +
      "-Dhttp.nonProxyHosts= -Djavax.net.ssl.trustStore=/d/ca.jks -Djavax.net.ssl.trustStoreType=JKS",
  );
  assert.match(
    java("http://[::1]:1", '-Xmx1g -Da="b c" '),
    /^-Xmx1g -Da="b c" -Dhttp\.proxyHost=::1 /,
  );
  const own = "-Djavax.net.ssl.trustStore=/mine";
  assert.doesNotMatch(java("http://h:1", own), /trustStore.*trustStore/);
});

Deno.test("options are quoted as Java reads them", () => {
  assert.match(
    java("http://h:1", undefined, "/a b/c"),
    / "-Djavax\.net\.ssl\.trustStore=\/a b\/c" /,
  );
  assert.match(
    java("http://h:1", undefined, `/a"b/c`),
    / "-Djavax\.net\.ssl\.trustStore=\/a"'"'"b\/c" /,
  );
});

const OURS = createAuthority(new Date()).certificate;
const BEFORE = createAuthority(new Date()).certificate;

Deno.test("the certificate's copy is written if there is no file, and replaces an older copy", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/ca.pem`;
    for (const certificate of [BEFORE, BEFORE, OURS]) {
      assert.equal(await exportCertificate(path, certificate), true);
      assert.equal(await Deno.readTextFile(path), certificate);
    }
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o644);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["ca.pem"]);
  }));

Deno.test("the copy never replaces another file, also through a link", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/ca.pem`;
    await Deno.writeTextFile(path, "precious");
    assert.equal(await exportCertificate(path, OURS), false);
    assert.equal(await Deno.readTextFile(path), "precious");
    await Deno.remove(path);
    await Deno.writeTextFile(`${folder}/other`, BEFORE);
    for (const target of ["other", "missing"]) {
      await Deno.symlink(`${folder}/${target}`, path);
      assert.equal(await exportCertificate(path, OURS), false);
      await Deno.remove(path);
    }
    assert.equal(await Deno.readTextFile(`${folder}/other`), BEFORE);
    await assert.rejects(Deno.stat(`${folder}/missing`));
    await Deno.mkdir(path);
    assert.equal(await exportCertificate(path, OURS), false);
  }));

Deno.test("readCertificateCopy() rejects a path below a file", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/ca.pem`;
    await Deno.writeTextFile(path, OURS);
    await assert.rejects(readCertificateCopy(`${path}/ca.pem`), { code: "ENOTDIR" });
  }));

Deno.test("on a full disk, the old copy stays, and no other file is left", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder({}, async (folder) => {
    const path = `${folder}/ca.pem`;
    await Deno.writeTextFile(path, BEFORE);
    const { code, err } = await runOnFullDisk(
      "client_trust",
      `await module.exportCertificate(${JSON.stringify(path)}, ${JSON.stringify(OURS)});`,
    );
    assert.match(err, /EFBIG: .*, write/);
    assert.equal(code, 1);
    assert.equal(await Deno.readTextFile(path), BEFORE);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["ca.pem"]);
  });
});

Deno.test({
  name:
    "exportCertificate() never overwrites a file of another user, even if it looks like covtool's",
  ignore: Deno.build.os === "windows" || Deno.uid() !== 0,
  async fn() {
    await inFolder({}, async (folder) => {
      const path = `${folder}/ca.pem`;
      await Deno.writeTextFile(path, BEFORE);
      await Deno.chown(path, 1234, 1234);
      assert.equal(await exportCertificate(path, OURS), false);
      assert.equal(await Deno.readTextFile(path), BEFORE);
    });
  },
});

Deno.test("proxies that write the copy at the same time agree", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/ca.pem`;
    const written = await Promise.all(
      Array.from({ length: 8 }, () => exportCertificate(path, OURS)),
    );
    assert.deepEqual(new Set(written), new Set([true]));
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["ca.pem"]);
  }));
