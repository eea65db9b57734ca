import type { Diagnostic } from "../values/diagnostic.ts";
import { typeOf } from "../values/json_type.ts";
import { keywordDefinitions } from "./keywords/keyword_definitions.ts";
import { typesNamed } from "./keywords/type.ts";
import type { SchemaNode } from "./schema_node.ts";
import { usableKeywords, type UsedKeyword } from "./usable_keywords.ts";
import { escapeToken } from "../values/json_pointer.ts";

/** Pairs of keywords of which the first must not be above the second. */
const BOUNDS = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minContains", "maxContains"],
  ["minimum", "maximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "maximum"],
] as const;

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];

/** Called with what is wrong. */
export type Diagnose = (found: Diagnostic) => void;

/**
 * Says what can't be used in a schema, or contradicts itself there; subschemas are not looked at.
 *
 * @returns The keywords that can be used.
 */
export function diagnoseSchema(node: SchemaNode, say: Diagnose): readonly UsedKeyword[] {
  diagnoseReferences(node, say);
  if (!node.isReferenceOnly) diagnoseUnsupported(node, say);
  const used = usableKeywords(
    node,
    (keyword, problem) =>
      say(invalid(node.pathOf(keyword), `The \`${keyword}\` ${problem}: it is ignored.`)),
  );
  let numbers = 0;
  let namesValues = false;
  for (const { definition, value } of used) {
    const { name, flaws } = definition;
    if (typeof value === "number") numbers++;
    if (name === "const" || name === "enum") namesValues = true;
    if (flaws === undefined) continue;
    for (const flaw of flaws(value, node)) {
      const path = `${node.pathOf(name)}/${escapeToken(flaw.name)}`;
      const message = `The member \`${
        shortened(flaw.name)
      }\` of \`${name}\` ${flaw.problem}: it is ignored.`;
      say(invalid(path, message));
    }
  }
  if (numbers > 1) diagnoseBounds(node, used, say);
  if (namesValues) diagnoseValues(node, used, say);
  return used;
}

function diagnoseReferences(node: SchemaNode, say: Diagnose): void {
  for (const keyword of REFERENCES) {
    if (keyword !== "$ref" && keyword !== node.dialect.dynamicReference) continue;
    const value = node.schema[keyword];
    if (value === undefined) continue;
    if (typeof value !== "string") {
      const message = `The \`${keyword}\` must be a string: it is ignored.`;
      say(diagnostic("warning", "invalid_reference", node.pathOf(keyword), message));
      continue;
    }
    if (keyword === "$ref") void node.target;
    else node.graph.dynamicTarget(node, []);
    const reason = node.graph.danglingReason(node);
    if (reason === undefined) continue;
    const message = `${reason}: anything is accepted here.`;
    say(diagnostic("warning", "unresolved_reference", node.pathOf(keyword), message));
  }
}

function diagnoseUnsupported(node: SchemaNode, say: Diagnose): void {
  const { dialect } = node;
  for (const keyword in node.schema) {
    if (dialect.keywords.has(keyword) || !keywordDefinitions.has(keyword)) continue;
    if (dialect.swaggerParameter && keyword === "required") continue;
    // nullable is OpenAPI 3.0's own: to JSON Schema it is one of many unknown keywords.
    const severity = keyword === "nullable" && dialect.booleanSchemas ? "info" : "warning";
    const message = `${dialect.name} does not have \`${keyword}\`: it is ignored.`;
    say(diagnostic(severity, "unsupported_keyword", node.pathOf(keyword), message));
  }
}

function diagnoseBounds(node: SchemaNode, used: readonly UsedKeyword[], say: Diagnose): void {
  for (const [low, high] of BOUNDS) {
    const least = valueOf(used, low);
    const most = valueOf(used, high);
    if (typeof least !== "number" || typeof most !== "number") continue;
    const strict = (low.startsWith("exclusive") || high.startsWith("exclusive")) && least === most;
    if (least <= most && !strict) continue;
    const message =
      `\`${low}: ${least}\` and \`${high}: ${most}\` contradict each other: nothing is valid.`;
    say(diagnostic("warning", "contradiction", node.pathOf(low), message));
  }
}

/** Values of `enum` and `const` that the `type` does not allow. */
function diagnoseValues(node: SchemaNode, used: readonly UsedKeyword[], say: Diagnose): void {
  const type = valueOf(used, "type");
  const types = type === undefined ? undefined : typesNamed(type, node);
  if (types === undefined) return;
  const fits = (value: unknown) => (typeOf(value) & types) !== 0;
  const listed = valueOf(used, "enum");
  if (Array.isArray(listed) && listed.length > 0 && !listed.some(fits)) {
    const message = "No value of the `enum` fits the `type`: nothing is valid.";
    say(diagnostic("warning", "contradiction", node.pathOf("enum"), message));
  }
  const constant = used.find(({ definition }) => definition.name === "const");
  if (constant !== undefined && !fits(constant.value)) {
    const message = "The `const` does not fit the `type`: nothing is valid.";
    say(diagnostic("warning", "contradiction", node.pathOf("const"), message));
  }
}

/** How much of a name a message shows. */
const SHOWN = 80;

function shortened(name: string): string {
  return name.length <= SHOWN ? name : `${name.slice(0, SHOWN - 1)}…`;
}

function valueOf(used: readonly UsedKeyword[], name: string): unknown {
  return used.find(({ definition }) => definition.name === name)?.value;
}

function invalid(path: string, message: string): Diagnostic {
  return diagnostic("warning", "invalid_keyword", path, message);
}

function diagnostic(
  severity: Diagnostic["severity"],
  code: string,
  schema_path: string,
  message: string,
): Diagnostic {
  return { severity, code, message, schema_path, line: null, column: null };
}
