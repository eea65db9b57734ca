import type { PeerCertificate } from "node:tls";
import { errorCode } from "../files/files.ts";
import { missingNetPermission, missingPermission } from "../files/missing_permission.ts";
import { formatHostAndPort, type HostAndPort } from "../http/host_and_port.ts";

export interface UpstreamFailure {
  readonly kind: "unreachable" | "certificate" | "broken";
  readonly sentence: string;
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing is listening there. Is the server running on this port?",
  ENOTFOUND: "unknown host. Check the name.",
  EAI_AGAIN: "its name cannot be resolved right now. Check the network.",
  EHOSTUNREACH: "no route leads there. Check the network.",
  ENETUNREACH: "no route leads there. Check the network.",
  ETIMEDOUT: "the connection timed out.",
};

/** Deno reports some of these errors only by their message. */
const UNREACHABLE_MESSAGES: readonly (readonly [RegExp, string | undefined])[] = [
  [/connection refused/i, UNREACHABLE["ECONNREFUSED"]],
  [/getaddrinfo|lookup address|name or service not known/i, UNREACHABLE["ENOTFOUND"]],
  [/timed out/i, UNREACHABLE["ETIMEDOUT"]],
];

export function describeFailure(
  target: HostAndPort,
  error: unknown,
  upstreamProxy?: HostAndPort,
): UpstreamFailure {
  const server = formatHostAndPort(target);
  const { code, message } = readError(error);
  const unreachable = (reason: string, subject = server): UpstreamFailure => ({
    kind: "unreachable",
    sentence: `${subject} cannot be reached: ${reason}`,
  });
  const denied = missingPermission(error) ??
    // Permission to look up the name is denied.
    (code === "EPERM" ? missingNetPermission(server) : undefined);
  if (denied !== undefined) return unreachable(denied);
  if (code === "EPROXY") return unreachable(`${message}.`);
  const certificate = certificateProblem(code, message);
  if (certificate !== undefined) {
    const remedy = /expired|not valid yet/.test(certificate)
      ? "renew it or correct the system clock"
      : "trust its certificate authority with --ca ca.pem";
    return {
      kind: "certificate",
      sentence:
        `The certificate of ${server} was rejected: ${certificate}. For a test server, use --insecure; otherwise ${remedy}.`,
    };
  }
  if (/alert|handshake|ssl|tls|wrong version|InvalidContentType|corrupt message/i.test(message)) {
    return {
      kind: "unreachable",
      sentence: `Cannot establish a TLS connection to ${server} (${message}). Does it speak HTTPS?`,
    };
  }
  const reason = UNREACHABLE[code] ??
    UNREACHABLE_MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  const proxy = upstreamProxy && `The upstream proxy ${formatHostAndPort(upstreamProxy)}`;
  if (reason !== undefined) return unreachable(reason, proxy);
  const problem = /^HPE_|parse error/i.test(`${code}${message}`)
    ? "sent invalid HTTP"
    : "closed the connection before its response was complete";
  return { kind: "broken", sentence: `${server} ${problem} (${message}).` };
}

function readError(error: unknown): { readonly code: string; readonly message: string } {
  // If several addresses were tried, the error contains one error for each.
  const first = error instanceof AggregateError ? error.errors[0] ?? error : error;
  const code = errorCode(first);
  return {
    code: typeof code === "string" ? code : "",
    message: first instanceof Error ? first.message : String(first),
  };
}

function certificateProblem(code: string, message: string): string | undefined {
  const text = `${code} ${message}`;
  if (/CERT_HAS_EXPIRED|Expired/.test(text)) return "it has expired";
  if (/NOT_YET_VALID|NotValidYet/.test(text)) return "it is not valid yet";
  if (/ALTNAME_INVALID|altnames|NotValidForName/.test(text)) return "it is for another host";
  if (/SELF_SIGNED|self-signed/i.test(text)) return "it is self-signed";
  if (/UNABLE_TO_|UnknownIssuer|unknown issuer/i.test(text)) return "its issuer is not trusted";
  if (/invalid peer certificate|CERT_/i.test(text)) return message;
  return undefined;
}

/** Returns the error that Node.js would give; undefined if the dates are valid. */
export function dateError(
  { valid_from, valid_to }: Partial<Pick<PeerCertificate, "valid_from" | "valid_to">>,
  now: number,
): Error | undefined {
  const create = (message: string, code: string) => Object.assign(new Error(message), { code });
  if (valid_to !== undefined && Date.parse(valid_to) < now) {
    return create("certificate has expired", "CERT_HAS_EXPIRED");
  }
  return valid_from !== undefined && Date.parse(valid_from) > now
    ? create("certificate is not yet valid", "CERT_NOT_YET_VALID")
    : undefined;
}
