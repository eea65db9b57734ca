import type { SecretNames } from "../redact/redactor.ts";
import type { CredentialModel, CredentialPlace, OperationModel } from "./model.ts";
import { type Fields, isFields, type Part } from "./part.ts";

/** The credentials of security schemes by name; null for schemes that aren't visible in requests. */
export type SecuritySchemes = ReadonlyMap<string, CredentialModel | null>;

/** Reads the place of each security scheme's credentials in requests. Schemes that can't be used are left out. */
export function readSchemes(root: Part): SecuritySchemes {
  const credentials = new Map<string, CredentialModel | null>();
  const schemes = root.reading.version === "2.0"
    ? root.member("securityDefinitions")
    : root.member("components").member("securitySchemes");
  for (const name of Object.keys(isFields(schemes.value) ? schemes.value : {})) {
    const scheme = schemes.member(name).follow()?.value;
    if (!isFields(scheme)) continue;
    const place = credentialPlace(scheme);
    if (place === undefined) continue;
    credentials.set(name, place && { scheme: name, place, name: originalName(scheme, place) });
  }
  return credentials;
}

function originalName(scheme: Fields, place: CredentialPlace): string {
  const written = scheme["type"] === "apiKey" ? scheme["name"] : scheme["scheme"];
  const isKind = scheme["type"] === "apiKey" || scheme["type"] === "http";
  return isKind && typeof written === "string" ? written : place.name;
}

function credentialPlace(scheme: Fields): CredentialPlace | null | undefined {
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

/** Reads the sets of credentials that a request may contain, and the first usable set, for generated requests. */
export function readRequirements(
  list: unknown,
  schemes: SecuritySchemes,
): Pick<OperationModel, "security" | "credentials" | "scopes" | "keys"> {
  if (!Array.isArray(list)) return {};
  const requirements = list.map((one: unknown): Fields => isFields(one) ? one : {});
  const scopes = requirements.map((one) => Object.values(one).flat().map(String));
  const keys = requirements.flatMap((one) => Object.keys(one))
    .flatMap((name) => schemes.get(name)?.place ?? []);
  const security: (readonly CredentialPlace[])[] = [];
  let complete: readonly CredentialModel[] | undefined;
  let incomplete: readonly CredentialModel[] | undefined;
  let allKnown = true;
  const isOptional = list.length === 0 || requirements.some((one) => Object.keys(one).length === 0);
  if (isOptional) return { keys, scopes: [] };
  for (const requirement of requirements) {
    const names = Object.keys(requirement);
    const candidates = names.map((name) => schemes.get(name));
    if (candidates.includes(undefined)) allKnown = false;
    const visible = candidates.filter((one) => typeof one === "object" && one !== null);
    incomplete ??= visible;
    if (visible.length < names.length) continue;
    complete ??= visible;
    security.push(visible.map(({ place }) => place));
  }
  const credentials = complete ?? incomplete ?? [];
  return {
    ...(allKnown && security.length > 0 && { security }),
    ...(credentials.length > 0 && { credentials }),
    keys,
    scopes,
  };
}

/** Returns the names of API keys. `Authorization` and cookies are left out, as they are always secret. */
export function readSecretNames(schemes: SecuritySchemes): SecretNames {
  const keys = (location: string) =>
    [...schemes.values()].flatMap((one) => one?.place.in === location ? [one.name] : []);
  return { headers: keys("header"), query: keys("query") };
}
