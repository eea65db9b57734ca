import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { javaTrustStore } from "../../src/cli/proxy_certificates.ts";
import { openWarning } from "../../src/cli/proxy_session.ts";
import { createAuthority } from "../../src/proxy/authority.ts";
import { echo, startServer } from "../proxy/test_server.ts";
import { needing } from "../requirement.ts";
import { fails } from "../command_end.ts";
import { type RunningCommand, startCommand } from "./running_command.ts";
import { inShop } from "./shop_files.ts";

function start(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunningCommand {
  return startCommand(folder, ["proxy", "openapi.yaml", "-p", "0", "--insecure", ...args], env);
}

const TRUST =
  /^(?:NODE_EXTRA_CA_CERTS|DENO_CERT|(?:REQUESTS|CURL|AWS)_CA_BUNDLE|SSL_CERT_FILE|GIT_SSL_CAINFO)=.*$/gm;

Deno.test("two proxies with different homes work at the same time, and share no authority", async () => {
  await using server = await startServer(echo, true);
  await inShop(async (folder) => {
    const call = `curl -sf https://localhost:${server.port}/books > /dev/null`;
    const run = (home: string, script: string): RunningCommand =>
      start(folder, ["--export-ca", "ca.pem", "-o", `${home}.html`, "--", "sh", "-c", script], {
        XDG_DATA_HOME: `${folder}/${home}`,
      });
    const waits = `env > variables; until [ -e go ]; do sleep 0.05; done; ${call}`;
    const first = run("one", waits);
    await first.said(/Live report/);
    const second = run("two", call);
    assert.equal(await second.exitCode(), 0, second.err());
    await Deno.writeTextFile(`${folder}/go`, "");
    assert.equal(await first.exitCode(), 0, first.err());
    const variables = await Deno.readTextFile(`${folder}/variables`);
    const files = variables.match(TRUST) ?? [];
    assert.equal(files.length, 7, variables);
    for (const file of files) assert.ok(file.includes(`=${folder}/one/covtool/ca-`), file);
    assert.match(variables, /^JAVA_TOOL_OPTIONS=.*trustStore=\S*\/one\/covtool\/ca-\w+\.jks/m);
  });
});

Deno.test("a file at the path of the certificate's copy is kept and reported", () =>
  inShop(async (folder) => {
    const planted = `${folder}/ca.pem`;
    const env = { XDG_DATA_HOME: `${folder}/data` };
    await Deno.writeTextFile(`${folder}/target`, createAuthority(new Date()).certificate);
    await Deno.symlink(`${folder}/target`, planted);
    const refused = start(folder, ["--export-ca", planted, "--", "true"], env);
    await fails(refused.outcome(), /ca\.pem is not a certificate that covtool wrote for you/);
    const help = start(folder, ["--print-ca-help", "--export-ca", planted], env);
    await fails(help.outcome(), /Don't trust it/);
    assert.ok((await Deno.lstat(planted)).isSymlink);
  }));

Deno.test("without a home folder, a temporary one is used, reported and removed", async () => {
  await using server = await startServer(echo, true);
  await inShop(async (folder) => {
    const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] })
      .output();
    const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
    await Deno.mkdir(`${folder}/tmp`);
    const script = `curl -sf https://localhost:${server.port}/books > /dev/null`;
    const proxy = start(folder, ["--export-ca", "ca.pem", "--", "sh", "-c", script], {
      ...{ HOME: "/", XDG_DATA_HOME: "", TMPDIR: `${folder}/tmp`, DENO_DIR: denoDir },
    });
    assert.equal(await proxy.exitCode(), 0, proxy.err());
    assert.match(
      proxy.err(),
      /^There is no home folder\. The proxy's certificate authority is kept in .*until/m,
    );
    assert.deepEqual([...Deno.readDirSync(`${folder}/tmp`)], []);
  });
});

Deno.test("a server is trusted through NODE_EXTRA_CA_CERTS even if DENO_CERT is set", async () => {
  await using server = await startServer(echo, true);
  await inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/servers.pem`, server.authority);
    await Deno.writeTextFile(`${folder}/other.pem`, createAuthority(new Date()).certificate);
    const run = async (
      env: Readonly<Record<string, string>>,
      host = "localhost",
    ): Promise<RunningCommand> => {
      const asking = `curl -sfk https://${host}:${server.port}/books > /dev/null`;
      const args = ["proxy", "openapi.yaml", "-p", "0", "--", "sh", "-c", asking];
      const proxy = startCommand(folder, args, { XDG_DATA_HOME: `${folder}/data`, ...env });
      await proxy.exitCode();
      return proxy;
    };
    const trusted = { NODE_EXTRA_CA_CERTS: `${folder}/servers.pem` };
    const proxy = await run({ ...trusted, DENO_CERT: `${folder}/other.pem` });
    assert.equal(await proxy.exitCode(), 0, proxy.err());
    assert.match((await run(trusted, "127.0.0.1")).err(), /it is for another host/);
    const refused = await run({ NODE_EXTRA_CA_CERTS: `${folder}/other.pem` });
    assert.match(
      refused.err(),
      /is not trusted\. For a test server, use --insecure; otherwise trust its certificate authority with --ca ca\.pem\./,
    );
  });
});

Deno.test("a proxy that other machines can reach prints its address and a warning", () => {
  for (const host of [undefined, "localhost", "127.0.0.1", "127.1.2.3", "::1"]) {
    assert.equal(openWarning(host, 8080), undefined);
  }
  for (const host of ["0.0.0.0", "::"]) {
    assert.match(
      openWarning(host, 8080) ?? "",
      /listens on port 8080 of all network interfaces.*send requests through/,
    );
  }
  assert.match(openWarning("192.168.0.7", 81) ?? "", /listens on 192\.168\.0\.7, port 81\./);
  assert.notEqual(openWarning("127.0.0.1.example", 81), undefined);
});

async function hasKeytool(): Promise<boolean> {
  try {
    return (await new Deno.Command("keytool", { args: ["-help"] }).output()).success;
  } catch {
    return false;
  }
}

Deno.test({
  ...needing(
    { isMet: await hasKeytool(), reason: "no keytool; install Java" },
    "Java can read the trust store with its password only",
  ),
  async fn() {
    const certificates = [createAuthority(new Date()), createAuthority(new Date())]
      .map(({ certificate }) => new X509Certificate(certificate));
    const path = await Deno.makeTempFile();
    await Deno.writeFile(path, javaTrustStore(certificates.map(({ raw }) => raw)));
    const list = async (password: string): Promise<string> => {
      const args = ["-J-Duser.language=en", "-list", "-keystore", path, "-storepass", password];
      const { stdout } = await new Deno.Command("keytool", { args }).output();
      return new TextDecoder().decode(stdout);
    };
    const listed = await list("changeit");
    assert.match(listed, /contains 2 entries/);
    for (const { fingerprint256 } of certificates) assert.ok(listed.includes(fingerprint256));
    assert.match(await list("changed!"), /password was incorrect/);
    await Deno.remove(path);
  },
});
