import type { SecretNames } from "../redact/redactor.ts";
import type { CredentialModel, CredentialPlace, OperationModel } from "./model.ts";
import { type Fields, isFields, type Part } from "./reading.ts";

/** Security schemes by name: their credentials; null for those that no request shows. */
export type SecuritySchemes = ReadonlyMap<string, CredentialModel | null>;

/** The Security Scheme Objects of a description by name, references followed. */
function listSchemes(root: Part): (readonly [name: string, scheme: Fields])[] {
  const schemes = root.reading.version === "2.0"
    ? root.member("securityDefinitions")
    : root.member("components").member("securitySchemes");
  return Object.keys(isFields(schemes.value) ? schemes.value : {}).flatMap(
    (name) => {
      const scheme = schemes.member(name).follow()?.value;
      return isFields(scheme) ? [[name, scheme] as const] : [];
    },
  );
}

/** Reads where requests carry the credentials of each security scheme; those that can't be used are left out. */
export function readSchemes(root: Part): SecuritySchemes {
  const credentials = new Map<string, CredentialModel | null>();
  for (const [name, scheme] of listSchemes(root)) {
    const place = placeOf(scheme);
    if (place === undefined) continue;
    credentials.set(name, place && { scheme: name, place, name: nameIn(scheme, place) });
  }
  return credentials;
}

/** The name of a key, or the scheme of `Authorization`, in the description's own case. */
function nameIn(scheme: Fields, place: CredentialPlace): string {
  const written = scheme["type"] === "apiKey" ? scheme["name"] : scheme["scheme"];
  const isKind = scheme["type"] === "apiKey" || scheme["type"] === "http";
  return isKind && typeof written === "string" ? written : place.name;
}

function placeOf(scheme: Fields): CredentialPlace | null | undefined {
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
    own.some((one: unknown) => !isFields(one) || Object.keys(one).length === 0);
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

/** The names of schemes of type `apiKey`: `Authorization`, which others use, and cookies are secret anyway. */
export function readSecurity(root: Part): SecretNames {
  const keys = (location: string) =>
    listSchemes(root).flatMap(([, { type, in: place, name }]) =>
      type === "apiKey" && place === location && typeof name === "string" && name !== ""
        ? [name]
        : []
    );
  return { headers: keys("header"), query: keys("query") };
}
