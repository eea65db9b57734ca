import type { SecretNames } from "../redact/redactor.ts";
import type { Place } from "../schema/position.ts";
import type { CredentialModel, CredentialPlace, OperationModel } from "./model.ts";
import { follow, isFields, memberPlace, type Reading } from "./reading.ts";

/** Security schemes by name: their credentials; null for those that no request shows. */
export type SecuritySchemes = ReadonlyMap<string, CredentialModel | null>;

function schemesOf(reading: Reading, root: Place): Place {
  return reading.version === "2.0"
    ? memberPlace(root, "securityDefinitions")
    : memberPlace(memberPlace(root, "components"), "securitySchemes");
}

/** Reads where requests carry the credentials of each security scheme; those that can't be used are left out. */
export function readSchemes(reading: Reading, root: Place): SecuritySchemes {
  const schemes = schemesOf(reading, root);
  const credentials = new Map<string, CredentialModel | null>();
  for (const name of isFields(schemes.value) ? Object.keys(schemes.value) : []) {
    const scheme = follow(reading, memberPlace(schemes, name))?.value;
    const place = isFields(scheme) ? placeOf(scheme) : undefined;
    if (!isFields(scheme) || place === undefined) continue;
    credentials.set(name, place && { scheme: name, place, name: nameIn(scheme, place) });
  }
  return credentials;
}

/** The name of a key, or the scheme of `Authorization`, in the description's own case. */
function nameIn(scheme: Readonly<Record<string, unknown>>, place: CredentialPlace): string {
  const written = scheme["type"] === "apiKey" ? scheme["name"] : scheme["scheme"];
  const isKind = scheme["type"] === "apiKey" || scheme["type"] === "http";
  return isKind && typeof written === "string" ? written : place.name;
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

/** Reads the alternatives of credentials that a request can show, and the first that is known, to send. */
export function readRequirements(
  own: unknown,
  schemes: SecuritySchemes,
): Pick<OperationModel, "security" | "credentials" | "scopes"> {
  if (!Array.isArray(own)) return {};
  const scopes = own.map((requirement: unknown) =>
    isFields(requirement) ? Object.values(requirement).flat().map(String) : []
  );
  const security: (readonly CredentialPlace[])[] = [];
  let sent: readonly CredentialModel[] | undefined;
  let partly: readonly CredentialModel[] | undefined;
  let isKnown = true;
  const isOptional = own.length === 0 ||
    own.some((requirement: unknown) => !isFields(requirement) || !hasMembers(requirement));
  if (isOptional) return { scopes: [] };
  for (const requirement of own as readonly unknown[]) {
    const names = isFields(requirement) ? Object.keys(requirement) : [];
    const all = names.map((name) => schemes.get(name));
    if (all.includes(undefined)) isKnown = false;
    const shown = all.filter((one) => typeof one === "object" && one !== null);
    partly ??= shown;
    if (shown.length < names.length) continue;
    sent ??= shown;
    security.push(shown.map(({ place }) => place));
  }
  const credentials = sent ?? partly ?? [];
  return {
    ...(isKnown && security.length > 0 && { security }),
    ...(credentials.length > 0 && { credentials }),
    scopes,
  };
}

function hasMembers(fields: object): boolean {
  return Object.keys(fields).length > 0;
}

/** The names of schemes of type `apiKey`: `Authorization`, which others use, and cookies are secret anyway. */
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
