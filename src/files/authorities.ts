import { builtin } from "../values/builtin.ts";
import { grantedVariables, isGranted } from "./missing_permission.ts";
import { fileErrorSentence } from "./files.ts";

export class AuthoritiesError extends TypeError {}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g;

let chosenAuthorities: readonly string[] = [];
let cachedAuthorities: { readonly ca: string[] | undefined } | undefined;
let cachedFetch: typeof globalThis.fetch | undefined;

/** From now on, trusts the certificate authorities in these files in addition to those that the machine trusts. */
export function trustAuthorities(files: readonly string[]): void {
  if (files.length === 0) return;
  chosenAuthorities = files.flatMap((file) => {
    const createError = (sentence: string, cause?: unknown) =>
      new AuthoritiesError(`Cannot trust the certificate authorities in ${file}: ${sentence}`, {
        cause,
      });
    let certificates: string[];
    try {
      certificates = readCertificates(file);
    } catch (error) {
      throw createError(fileErrorSentence(error), error);
    }
    if (certificates.length > 0) return certificates;
    throw createError("It has no certificate in PEM format (-----BEGIN CERTIFICATE-----).");
  });
  cachedAuthorities = undefined;
  cachedFetch = undefined;
}

/** Returns all trusted authorities for the option `ca` of TLS; undefined to use the runtime's default. */
export function trustedAuthorities(): string[] | undefined {
  cachedAuthorities ??= { ca: collectAuthorities() };
  return cachedAuthorities.ca;
}

function collectAuthorities(): string[] | undefined {
  const added = addedAuthorities();
  if (added.length === 0) return undefined;
  const tls = builtin("node:tls");
  return [...tls.getCACertificates?.("default") ?? tls.rootCertificates, ...added];
}

export function trustingFetch(input: URL, init: RequestInit): Promise<Response> {
  cachedFetch ??= createTrustingFetch();
  return cachedFetch(input, init);
}

function createTrustingFetch(): typeof globalThis.fetch {
  const originalFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);
  const added = addedAuthorities();
  if (added.length === 0) return originalFetch;
  const { Deno: deno } = globalThis as {
    readonly Deno?: { createHttpClient(options: { readonly caCerts: readonly string[] }): unknown };
  };
  if (deno !== undefined) {
    const client = deno.createHttpClient({ caCerts: added });
    return (input, init) => globalThis.fetch(input, { ...init, client } as object);
  }
  const tls = builtin("node:tls");
  if (tls.setDefaultCACertificates !== undefined) {
    tls.setDefaultCACertificates([...tls.getCACertificates?.("default") ?? [], ...added]);
  } else {
    // Before Node.js 22.19, this is the only way to make `fetch` trust an authority.
    const create = tls.createSecureContext;
    tls.createSecureContext = (options) => {
      const context = create(options);
      for (const certificate of added) context.context.addCACert(certificate);
      return context;
    };
  }
  return originalFetch;
}

/** Authorities of `--ca` and of both variables. Bad values of variables are ignored: they may be for other programs. */
function addedAuthorities(): string[] {
  if (!("process" in globalThis)) return []; // a browser
  const variables = grantedVariables();
  const authorities = [...chosenAuthorities, ...readAuthorityFile(variables["DENO_CERT"])];
  // Node.js reads this variable itself.
  if (authorities.length === 0 && !("Deno" in globalThis)) return [];
  return [...authorities, ...readAuthorityFile(variables["NODE_EXTRA_CA_CERTS"])];
}

function readAuthorityFile(path: string | undefined): string[] {
  if (path === undefined || path === "" || !isGranted({ name: "read", path })) return [];
  try {
    return readCertificates(path);
  } catch {
    return [];
  }
}

function readCertificates(path: string): string[] {
  const files = builtin("node:fs");
  return files.readFileSync(path, "utf8").match(CERTIFICATE) ?? [];
}
