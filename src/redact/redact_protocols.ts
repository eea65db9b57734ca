import { maskText } from "./mask_text.ts";
import { isSecretText } from "./redact_path.ts";
import { nameKind } from "./secret_names.ts";
import { maskShapes } from "./secret_shapes.ts";

/** Shorter parts behind a secret name are versions and formats: `auth.v1.json`. */
const SHORTEST_PART = 8;

/**
 * Masks tokens in `Sec-WebSocket-Protocol`. Pages can set no other header of a WebSocket, so they send a token as one of
 * its protocols: behind its name, as part of another, or by itself. Protocols stay.
 *
 * @example
 * ```ts
 * import { redactProtocols } from "./redact_protocols.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(redactProtocols("graphql-ws, access_token, Ab12"), "graphql-ws, access_token, Aa11");
 * ```
 */
export function redactProtocols(value: string): string {
  let previous = "";
  return value.split(",").map((item) => {
    const protocol = item.trim();
    // Names of protocols have dots: `auth.v1.json`.
    const isSecret = /^[\w-]+$/.test(previous) && nameKind(previous) !== "harmless";
    previous = protocol;
    return isSecret ? maskText(item) : item.replace(protocol, () => redactProtocol(protocol));
  }).join(",");
}

function redactProtocol(protocol: string): string {
  // What would be secret as a segment of a path is so here.
  if (isSecretText(protocol)) return maskText(protocol);
  const parts = protocol.split(/([.|:])/);
  const last = parts.at(-1) ?? "";
  const isNamed = parts.slice(0, -1).some((part) => nameKind(part) === "secret");
  if (!isNamed || last.length < SHORTEST_PART) return maskShapes(protocol);
  return protocol.slice(0, -last.length) + maskText(last);
}
