import type { SecretNames } from "../redact/redactor.ts";
import type { Place } from "../schema/place.ts";
import { follow, isFields, memberPlace, type Reading } from "./reading.ts";

/**
 * The names under which the security schemes of a description take keys (OpenAPI, Security Scheme Object): those of type
 * `apiKey`. Others use `Authorization`, which is secret anyway, and cookies all are.
 */
export function readSecurity(reading: Reading, root: Place): SecretNames {
  const schemes = reading.version === "2.0"
    ? memberPlace(root, "securityDefinitions")
    : memberPlace(memberPlace(root, "components"), "securitySchemes");
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
