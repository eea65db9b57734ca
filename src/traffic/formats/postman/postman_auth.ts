import type { PostmanAuth } from "./postman_request.ts";

/** The field that an authorization adds to a request. */
export interface SentAuth {
  /** The part of the request that it goes to. */
  readonly in: "header" | "query";
  /** The name of the header or query parameter. */
  readonly key: string;
  readonly value: string;
}

const encoder = new TextEncoder();

/**
 * Works out the field that an authorization adds to a request; undefined for nothing, "unknown" where it depends on what a server said or
 * on keys that are used up in signing.
 *
 * @param resolve Puts the values of variables into a text.
 *
 * @example
 * ```ts
 * import { authHeader } from "./postman_auth.ts";
 * import assert from "node:assert/strict";
 *
 * const attributes = new Map([["username", "ann"], ["password", "{{pw}}"]]);
 * assert.deepEqual(authHeader({ type: "basic", attributes }, (text) => text.replace("{{pw}}", "pass")), {
 *   in: "header",
 *   key: "Authorization",
 *   value: "Basic YW5uOnBhc3M=",
 * });
 * ```
 */
export function authHeader(
  auth: PostmanAuth,
  resolve: (text: string) => string,
): SentAuth | undefined | "unknown" {
  const attribute = (name: string): string => resolve(auth.attributes.get(name) ?? "");
  switch (auth.type) {
    case "noauth":
      return undefined;
    case "basic":
      return authorization(`Basic ${base64(`${attribute("username")}:${attribute("password")}`)}`);
    case "bearer": {
      const token = attribute("token");
      return token === "" ? undefined : authorization(`Bearer ${token}`);
    }
    case "apikey": {
      const key = attribute("key");
      if (key === "") return undefined;
      return {
        in: attribute("in") === "query" ? "query" : "header",
        key,
        value: attribute("value"),
      };
    }
    case "oauth2": {
      const token = attribute("accessToken");
      if (token === "") return "unknown";
      if (attribute("addTokenTo") === "queryParams") {
        return { in: "query", key: "access_token", value: token };
      }
      const prefix = auth.attributes.has("headerPrefix")
        ? attribute("headerPrefix").trim()
        : "Bearer";
      return authorization(prefix === "" ? token : `${prefix} ${token}`);
    }
    default:
      return "unknown";
  }
}

function authorization(value: string): SentAuth {
  return { in: "header", key: "Authorization", value };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...encoder.encode(text)));
}
