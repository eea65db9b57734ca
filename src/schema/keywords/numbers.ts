import { ANY_NUMBER } from "../../values/json_type.ts";
import type { SchemaNode } from "../schema_node.ts";
import type { Check, KeywordDefinition, Outcome } from "./keyword.ts";
import { INVALID, limit, mustBeNumber, NOT_APPLICABLE, VALID } from "./keyword.ts";

function onNumbers(test: (instance: number) => boolean): Check {
  return (instance): Outcome =>
    typeof instance === "number" ? (test(instance) ? VALID : INVALID) : NOT_APPLICABLE;
}

/** Defines an exclusive bound: a number since draft 6, and a boolean next to the inclusive bound before. */
function exclusiveBound(
  name: string,
  inclusive: string,
  test: (instance: number, limit: number) => boolean,
): KeywordDefinition {
  return {
    name,
    types: ANY_NUMBER,
    problem(value, node) {
      if (!node.dialect.booleanBounds) return mustBeNumber(value);
      if (typeof value !== "boolean") return `must be true or false in ${node.dialect.name}`;
      return typeof node.schema[inclusive] === "number" ? undefined : null;
    },
    satisfiability: (value) => value === false ? "Positive" : "Normal",
    compile(value, node: SchemaNode) {
      if (value === false) return onNumbers(() => true);
      const bound = value === true ? node.schema[inclusive] as number : value as number;
      return onNumbers((instance) => test(instance, bound));
    },
  };
}

/** `maximum` (JSON Schema Validation, section 6.2.2). */
export const maximum: KeywordDefinition = limit(
  "maximum",
  ANY_NUMBER,
  (most) => (instance) =>
    typeof instance === "number" ? (instance <= most ? VALID : INVALID) : NOT_APPLICABLE,
);
/** `minimum` (JSON Schema Validation, section 6.2.4). */
export const minimum: KeywordDefinition = limit(
  "minimum",
  ANY_NUMBER,
  (least) => (instance) =>
    typeof instance === "number" ? (instance >= least ? VALID : INVALID) : NOT_APPLICABLE,
);
/** `exclusiveMaximum` (JSON Schema Validation, section 6.2.3; a boolean in draft 4 and OpenAPI 3.0). */
export const exclusiveMaximum: KeywordDefinition = exclusiveBound(
  "exclusiveMaximum",
  "maximum",
  (instance, limit) => instance < limit,
);
/** `exclusiveMinimum` (JSON Schema Validation, section 6.2.5; a boolean in draft 4 and OpenAPI 3.0). */
export const exclusiveMinimum: KeywordDefinition = exclusiveBound(
  "exclusiveMinimum",
  "minimum",
  (instance, limit) => instance > limit,
);

/** `multipleOf` (JSON Schema Validation, section 6.2.1), exact for decimal fractions. */
export const multipleOf: KeywordDefinition = {
  name: "multipleOf",
  types: ANY_NUMBER,
  problem: (value) =>
    // JSON can contain numbers that are too large for JavaScript: 1e400.
    typeof value === "number" && value > 0 && value < Infinity
      ? undefined
      : "must be a number above 0",
  compile: (value) => onNumbers((instance) => isMultiple(instance, value as number)),
};

/** True if a number is a multiple of another, calculated in decimal notation. */
export function isMultiple(instance: number, divisor: number): boolean {
  if (Number.isSafeInteger(instance) && Number.isSafeInteger(divisor)) {
    return instance % divisor === 0;
  }
  if (!Number.isFinite(instance)) return false;
  const [digits, exponent] = decimal(instance);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const shift = exponent - divisorExponent;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n;
}

function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa, exponent] = value.toExponential().split("e") as [string, string];
  const [whole, fraction = ""] = mantissa.split(".") as [string, string?];
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
