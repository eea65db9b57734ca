/**
 * The header fields that say who sent a request, or from where, and those that are kept all the same. What begins with
 * the text before `*` is one of them.
 */
export const PUBLIC_HEADERS: {
  readonly all_but: readonly string[];
  readonly and: readonly string[];
} = {
  all_but: [
    "authorization",
    "proxy-authorization",
    "cookie",
    "cookie2",
    "set-cookie",
    "set-cookie2",
    "referer",
    "referrer",
    "from",
    "forwarded",
    "via",
    "x-forwarded*",
    "x-original-forwarded-for",
    "x-real-ip",
    "x-client-*",
    "x-cluster-client-*",
    "client-ip",
    "true-client-ip",
    "cf-connecting*",
    "cf-pseudo*",
    "cf-visitor*",
    "cf-ray*",
    "cf-ip*",
    "fastly-client-ip",
    "x-envoy-external-address",
    "x-azure-clientip",
    "x-azure-socketip",
    "x-remote-*",
    "remote-*",
    "x-consumer-*",
    "x-credential-*",
    "x-authenticated-*",
    "x-auth-request-*",
    "x-user*",
    "x-ms-client-principal*",
    "x-amzn-oidc-*",
    "x-goog-authenticated-user-*",
  ],
  and: [
    "x-forwarded-proto",
    "x-forwarded-port",
    "x-forwarded-host",
    "x-forwarded-path",
    "x-forwarded-prefix",
  ],
};

/** One expression, as each field of each request of a log is asked for. */
const PRIVATE = new RegExp(
  `^(?!(?:${PUBLIC_HEADERS.and.join("|")})$)(?:${
    PUBLIC_HEADERS.all_but.map((name) => name.replace("*", ".*")).join("|")
  })$`,
  "i",
);

/**
 * True for the name of a header field that says who sent a request.
 *
 * @example
 * ```ts
 * import { isPrivateHeader } from "./private_headers.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(isPrivateHeader("X-Forwarded-For"), true);
 * assert.equal(isPrivateHeader("X-Forwarded-Proto"), false);
 * ```
 */
export function isPrivateHeader(name: string): boolean {
  return PRIVATE.test(name);
}
