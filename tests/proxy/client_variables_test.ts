import assert from "node:assert/strict";
import { clientVariables } from "../../src/proxy/client_variables.ts";

const FILES = { caFile: "/d/ca.pem", bundleFile: "/d/bundle.pem", javaFile: "/d/ca.jks" };

function java(proxyUrl: string, javaOptions?: string, javaFile = FILES.javaFile): string {
  const variables = clientVariables({ ...FILES, javaFile, proxyUrl, javaOptions });
  return variables["JAVA_TOOL_OPTIONS"] ?? "";
}

Deno.test("Java uses the proxy for every host, and keeps its previous options", () => {
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

Deno.test("Java's options are quoted as Java reads them", () => {
  assert.match(
    java("http://h:1", undefined, "/a b/c"),
    / "-Djavax\.net\.ssl\.trustStore=\/a b\/c" /,
  );
  assert.match(
    java("http://h:1", undefined, `/a"b/c`),
    / "-Djavax\.net\.ssl\.trustStore=\/a"'"'"b\/c" /,
  );
});
