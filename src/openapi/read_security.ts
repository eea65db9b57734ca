import type { SecretNames } from "../redact/redactor.ts";
import type { Place } from "../schema/place.ts";
import type { CredentialPlace, SecurityModel } from "./model.ts";
import { follow, isFields, memberPlace, type Reading } from "./reading.ts";

/** Security schemes by name: where their credentials are; null for those that no request shows. */
export type SecuritySchemes = ReadonlyMap<string, CredentialPlace | null>;

function schemesOf(reading: Reading, root: Place): Place {
  return reading.version === "2.0"
    ? memberPlace(root, "securityDefinitions")
    : memberPlace(memberPlace(root, "components"), "securitySchemes");
}

/** Reads where requests carry the credentials of each security scheme; those that can't be used are left out. */
export function readSchemes(reading: Reading, root: Place): SecuritySchemes {
  const schemes = schemesOf(reading, root);
  const places = new Map<string, CredentialPlace | null>();
  for (const name of isFields(schemes.value) ? Object.keys(schemes.value) : []) {
    const scheme = follow(reading, memberPlace(schemes, name))?.value;
    const place = isFields(scheme) ? placeOf(scheme) : undefined;
    if (place !== undefined) places.set(name, place);
  }
  return places;
}

function placeOf(scheme: Readonly<Record<string, unknown>>): CredentialPlace | null | undefined {
  const { type, in: location, name, scheme: kind } = scheme;
  switch (type) {
    case "mutualTLS":
      return null;
    case "basic":
      return { in: "authorization", name: "basic" };
    case "http":
      return typeof kind === "string" && kind !== ""
        ? { in: "authorization", name: kind.toLowerCase() }
        : undefined;
    case "oauth2":
    case "openIdConnect":
      return { in: "authorization", name: "bearer" };
    case "apiKey":
      if (typeof name !== "string" || name === "") return undefined;
      if (location === "query" || location === "cookie") return { in: location, name };
      if (location !== "header") return undefined;
      return name.toLowerCase() === "authorization"
        ? { in: "authorization", name: "" }
        : { in: "header", name: name.toLowerCase() };
    default:
      return undefined;
  }
}

/**
 * Reads what an operation needs of credentials (OpenAPI, Security Requirement Object): the alternatives that a request
 * can show.
 *
 * @param own Its field `security`, or that of the document where it has none.
 * @returns undefined where it needs none, or what it needs can't be told.
 */
export function readRequirements(
  own: unknown,
  schemes: SecuritySchemes,
): SecurityModel | undefined {
  if (!Array.isArray(own)) return undefined;
  const alternatives: (readonly CredentialPlace[])[] = [];
  for (const requirement of own as readonly unknown[]) {
    const names = isFields(requirement) ? Object.keys(requirement) : [];
    if (names.length === 0) return undefined;
    const places = names.map((name) => schemes.get(name));
    if (places.some((place) => place === undefined)) return undefined;
    const shown = places.filter((place) => typeof place === "object" && place !== null);
    if (shown.length === names.length) alternatives.push(shown);
  }
  return alternatives.length === 0 ? undefined : alternatives;
}

/**
 * The names under which the security schemes of a description take keys (OpenAPI, Security Scheme Object): those of type
 * `apiKey`. Others use `Authorization`, which is secret anyway, and cookies all are.
 */
export function readSecurity(reading: Reading, root: Place): SecretNames {
  const schemes = schemesOf(reading, root);
  const headers: string[] = [];
  const query: string[] = [];
  for (const name of isFields(schemes.value) ? Object.keys(schemes.value) : []) {
    const scheme = follow(reading, memberPlace(schemes, name))?.value;
    if (!isFields(scheme) || scheme["type"] !== "apiKey") continue;
    const { in: location, name: key } = scheme;
    if (typeof key !== "string" || key === "") continue;
    if (location === "header") headers.push(key);
    else if (location === "query") query.push(key);
  }
  return { headers, query };
}
