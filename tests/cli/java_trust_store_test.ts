import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { javaTrustStore } from "../../src/cli/java_trust_store.ts";
import { createAuthority } from "../../src/proxy/authority.ts";
import { needing } from "../requirement.ts";

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
    "Java reads the trust store, and its password holds",
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
