import { X509Certificate } from "node:crypto";
import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../files/files.ts";
import { draftName, removeAbandonedDrafts, writeIfAbsent } from "../files/write_new_file.ts";
import { AUTHORITY_NAME } from "./authority.ts";
import process from "node:process";

/** Writes a copy of the certificate without following links. Returns false if a foreign file is there, which stays. */
export async function exportCertificate(path: string, certificate: string): Promise<boolean> {
  const existing = await readCertificateCopy(path);
  await removeAbandonedDrafts(dirname(path));
  if (existing === "foreign" || existing === certificate) return existing === certificate;
  if (existing === undefined) {
    // If another proxy of the same user has just created the file, it is not replaced.
    return await writeIfAbsent(path, certificate) ||
      await readCertificateCopy(path) === certificate;
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

/** Returns the certificate at a path, `foreign` for anything else, undefined if there is nothing; may throw. */
export async function readCertificateCopy(path: string): Promise<string | undefined> {
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
  readonly caFile: string;
  /** A file with the proxy's authority and all authorities that the machine trusts. */
  readonly bundleFile: string;
  /** The same authorities as in {@linkcode ClientVariablesOptions.bundleFile}, in Java's format. */
  readonly javaFile: string;
  /** The current value of JAVA_TOOL_OPTIONS, which is kept in front. */
  readonly javaOptions: string | undefined;
}

export function clientVariables(options: ClientVariablesOptions): Record<string, string> {
  const { proxyUrl, caFile, bundleFile } = options;
  return {
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    https_proxy: proxyUrl,
    NO_PROXY: "",
    no_proxy: "",
    // Node.js 24 uses the proxy variables only if this is set.
    NODE_USE_ENV_PROXY: "1",
    // These add to the trusted authorities.
    NODE_EXTRA_CA_CERTS: caFile,
    DENO_CERT: caFile,
    // These replace the trusted authorities.
    SSL_CERT_FILE: bundleFile,
    REQUESTS_CA_BUNDLE: bundleFile,
    CURL_CA_BUNDLE: bundleFile,
    AWS_CA_BUNDLE: bundleFile,
    GIT_SSL_CAINFO: bundleFile,
    JAVA_TOOL_OPTIONS: javaOptions(options),
  };
}

/** Returns options for Java, which ignores the other variables. An empty list of exceptions replaces `localhost`. */
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
  // Users with their own trust store must add the proxy's authority to it by hand.
  if (!/-Djavax\.net\.ssl\.trustStore=/.test(javaOptions)) {
    properties["javax.net.ssl.trustStore"] = javaFile;
    properties["javax.net.ssl.trustStoreType"] = "JKS";
  }
  const added = Object.entries(properties).map(([name, value]) => quote(`-D${name}=${value}`));
  return [...javaOptions.trim() === "" ? [] : [javaOptions.trim()], ...added].join(" ");
}

/** Quotes an option: Java splits the variable at spaces, and supports both kinds of quotes. */
function quote(option: string): string {
  if (!/[\s"']/.test(option)) return option;
  return option.split('"').map((part) => part === "" ? "" : `"${part}"`).join(`'"'`);
}
