import type { Diagnostic } from "../diagnostic.ts";
import { typeOf } from "../json_type.ts";
import { keywordDefinitions } from "./keywords/keyword_definitions.ts";
import { typesNamed } from "./keywords/type.ts";
import type { SchemaNode } from "./schema_node.ts";
import { usableKeywords } from "./usable_keywords.ts";
import { escapeToken } from "./json_pointer.ts";

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

/** What can't be used in a schema, or contradicts itself there; subschemas are not looked at. */
export function diagnoseSchema(node: SchemaNode): Diagnostic[] {
  const found: Diagnostic[] = [];
  const add = (severity: Diagnostic["severity"], code: string, keyword: string, message: string) =>
    found.push({
      severity,
      code,
      message,
      schema_path: node.pathOf(keyword),
      line: null,
      column: null,
    });
  for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
    if (keyword !== "$ref" && keyword !== node.dialect.dynamicReference) continue;
    const value = node.schema[keyword];
    if (value === undefined) continue;
    if (typeof value !== "string") {
      add(
        "warning",
        "invalid_reference",
        keyword,
        `The \`${keyword}\` must be a string: it is ignored.`,
      );
      continue;
    }
    if (keyword === "$ref") void node.target;
    else node.graph.dynamicTarget(node, []);
    const reason = node.graph.danglingReason(node);
    if (reason !== undefined) {
      add("warning", "unresolved_reference", keyword, `${reason}: anything is accepted here.`);
    }
  }
  if (node.isReferenceOnly) return found;
  const dialect = node.dialect;
  for (const keyword in node.schema) {
    if (!keywordDefinitions.has(keyword) || dialect.keywords.has(keyword)) continue;
    if (dialect.swaggerParameter && keyword === "required") continue;
    add(
      // nullable is OpenAPI 3.0's own: to JSON Schema it is one of many unknown keywords.
      keyword === "nullable" && dialect.booleanSchemas ? "info" : "warning",
      "unsupported_keyword",
      keyword,
      `${dialect.name} does not have \`${keyword}\`: it is ignored.`,
    );
  }
  const used = usableKeywords(
    node,
    (keyword, problem) =>
      add("warning", "invalid_keyword", keyword, `The \`${keyword}\` ${problem}: it is ignored.`),
  );
  for (const { definition, value } of used) {
    for (const { name, problem } of definition.flaws?.(value, node) ?? []) {
      found.push({
        severity: "warning",
        code: "invalid_keyword",
        message: `The member \`${name}\` of \`${definition.name}\` ${problem}: it is ignored.`,
        schema_path: `${node.pathOf(definition.name)}/${escapeToken(name)}`,
        line: null,
        column: null,
      });
    }
  }
  const valueOf = (name: string): unknown =>
    used.find(({ definition }) => definition.name === name)?.value;
  const hasBounds = used.filter(({ value }) => typeof value === "number").length > 1;
  for (const [low, high] of hasBounds ? BOUNDS : []) {
    const least = valueOf(low);
    const most = valueOf(high);
    if (typeof least !== "number" || typeof most !== "number") continue;
    const strict = (low.startsWith("exclusive") || high.startsWith("exclusive")) && least === most;
    if (least > most || strict) {
      const message =
        `\`${low}: ${least}\` and \`${high}: ${most}\` contradict each other: nothing is valid.`;
      add("warning", "contradiction", low, message);
    }
  }
  const constant = used.find(({ definition }) => definition.name === "const");
  const listed = valueOf("enum");
  if (constant === undefined && listed === undefined) return found;
  const type = valueOf("type");
  const types = type === undefined ? undefined : typesNamed(type, node);
  if (types === undefined) return found;
  const fits = (value: unknown) => (typeOf(value) & types) !== 0;
  if (Array.isArray(listed) && listed.length > 0 && !listed.some(fits)) {
    add(
      "warning",
      "contradiction",
      "enum",
      "No value of the `enum` fits the `type`: nothing is valid.",
    );
  }
  if (constant !== undefined && !fits(constant.value)) {
    add(
      "warning",
      "contradiction",
      "const",
      "The `const` does not fit the `type`: nothing is valid.",
    );
  }
  return found;
}
