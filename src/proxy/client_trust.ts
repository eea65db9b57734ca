import { X509Certificate } from "node:crypto";
import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../files/files.ts";
import { draftName, removeAbandonedDrafts, writeUnlessThere } from "../files/write_new_file.ts";
import { AUTHORITY_NAME } from "./authority.ts";
import process from "node:process";

/** Writes a copy of the certificate, following no link; false if something else is there, which is left alone. */
export async function exportCertificate(path: string, certificate: string): Promise<boolean> {
  const found = await copyAt(path);
  await removeAbandonedDrafts(dirname(path));
  if (found === "foreign" || found === certificate) return found === certificate;
  if (found === undefined) {
    // What comes into being meanwhile is not replaced: another proxy of the same user may have been faster.
    return await writeUnlessThere(path, certificate) || await copyAt(path) === certificate;
  }
  const draft = join(dirname(path), draftName());
  try {
    await writeFile(draft, certificate, { mode: 0o644, flag: "wx" });
    await rename(draft, path);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** The certificate of the copy's path, `foreign` for anything else, undefined without a file; may throw. */
export async function copyAt(path: string): Promise<string | undefined> {
  try {
    const status = await lstat(path);
    const user = process.getuid?.() ?? status.uid;
    if (!status.isFile() || status.uid !== user) return "foreign";
    const text = await readFile(path, "utf8");
    return isAuthority(text) ? text : "foreign";
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function isAuthority(text: string): boolean {
  try {
    return new X509Certificate(text).subject.startsWith(`CN=${AUTHORITY_NAME} `);
  } catch {
    return false;
  }
}

interface ClientVariablesOptions {
  readonly proxyUrl: string;
  /** A file with the proxy's certificate authority. */
  readonly caFile: string;
  /** A file with that authority and all those that the machine trusts. */
  readonly bundleFile: string;
  /** The same as {@linkcode ClientVariablesOptions.bundleFile}, for Java. */
  readonly javaFile: string;
  /** The present value of JAVA_TOOL_OPTIONS, which is kept in front. */
  readonly javaOptions: string | undefined;
}

/** The environment variables that lead clients to the proxy and make them trust it, in both cases. */
export function clientVariables(options: ClientVariablesOptions): Record<string, string> {
  const { proxyUrl, caFile, bundleFile } = options;
  return {
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    https_proxy: proxyUrl,
    NO_PROXY: "",
    no_proxy: "",
    // Node.js 24 looks at the proxy variables only if this is set.
    NODE_USE_ENV_PROXY: "1",
    // These add to what the program trusts.
    NODE_EXTRA_CA_CERTS: caFile,
    DENO_CERT: caFile,
    // These take its place.
    SSL_CERT_FILE: bundleFile,
    REQUESTS_CA_BUNDLE: bundleFile,
    CURL_CA_BUNDLE: bundleFile,
    AWS_CA_BUNDLE: bundleFile,
    GIT_SSL_CAINFO: bundleFile,
    JAVA_TOOL_OPTIONS: javaOptions(options),
  };
}

/** Options of Java, which reads no other variables. An empty list of exceptions takes the place of `localhost`. */
function javaOptions({ proxyUrl, javaFile, javaOptions = "" }: ClientVariablesOptions): string {
  const { hostname, port } = new URL(proxyUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const properties: Record<string, string> = {
    "http.proxyHost": host,
    "http.proxyPort": port || "80",
    "https.proxyHost": host,
    "https.proxyPort": port || "80",
    "http.nonProxyHosts": "",
  };
  // Whoever has chosen whom to trust has to trust the proxy's authority by hand.
  if (!/-Djavax\.net\.ssl\.trustStore=/.test(javaOptions)) {
    properties["javax.net.ssl.trustStore"] = javaFile;
    properties["javax.net.ssl.trustStoreType"] = "JKS";
  }
  const added = Object.entries(properties).map(([name, value]) => quoted(`-D${name}=${value}`));
  return [...javaOptions.trim() === "" ? [] : [javaOptions.trim()], ...added].join(" ");
}

/** Java splits the variable at spaces, and knows both kinds of quotes. */
function quoted(option: string): string {
  if (!/[\s"']/.test(option)) return option;
  return option.split('"').map((part) => part === "" ? "" : `"${part}"`).join(`'"'`);
}
