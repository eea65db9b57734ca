import { type Diagnostic, diagnostic } from "../values/diagnostic.ts";
import { keywordTable } from "../values/keyword_table.ts";
import { jsonType } from "../values/json_type.ts";
import { keywordDefinitions } from "./keywords/keyword_definitions.ts";
import { namedTypes } from "./keywords/type.ts";
import type { SchemaNode } from "./schema_node.ts";
import { type UsableKeyword, usableKeywords } from "./usable_keywords.ts";
import { escapeToken } from "../values/json_pointer.ts";

export type Diagnose = (found: Diagnostic) => void;

/** Reports what is unusable or contradictory in a schema, but not in its subschemas; returns the usable keywords. */
export function diagnoseSchema(node: SchemaNode, report: Diagnose): readonly UsableKeyword[] {
  diagnoseReferences(node, report);
  if (!node.isReferenceOnly) diagnoseUnsupported(node, report);
  const keywords = usableKeywords(
    node,
    (keyword, problem, invalidItem) => {
      const path = node.schemaPath(keyword) + (invalidItem === undefined ? "" : `/${invalidItem}`);
      report(invalid(path, `\`${keyword}\` ${problem}, so it is ignored.`));
    },
  );
  for (const { definition: { name, flaws, admitted }, value } of keywords) {
    if (typeof value === "number") diagnoseLimit(node, name, value, keywords, report);
    if (admitted !== undefined) diagnoseValues(node, name, admitted(value), keywords, report);
    if (flaws === undefined) continue;
    for (const flaw of flaws(value, node)) {
      const path = `${node.schemaPath(name)}/${escapeToken(flaw.name)}`;
      const message = `Member \`${
        shorten(flaw.name)
      }\` of \`${name}\` ${flaw.problem}, so it is ignored.`;
      report(invalid(path, message));
    }
  }
  return keywords;
}

function diagnoseReferences(node: SchemaNode, report: Diagnose): void {
  for (const keyword of ["$ref", node.dialect.dynamicReference]) {
    if (keyword === undefined) continue;
    const value = node.schema[keyword];
    if (value === undefined) continue;
    if (typeof value !== "string") {
      const message = `\`${keyword}\` must be a string, so it is ignored.`;
      report(diagnostic("warning", "invalid_reference", node.schemaPath(keyword), message));
      continue;
    }
    if (keyword === "$ref") void node.target;
    else node.graph.dynamicTarget(node, []);
    const reason = node.graph.danglingReason(node);
    if (reason === undefined) continue;
    const message = `${reason}, so any value is accepted here.`;
    report(diagnostic("warning", "unresolved_reference", node.schemaPath(keyword), message));
  }
}

function diagnoseUnsupported(node: SchemaNode, report: Diagnose): void {
  const { dialect } = node;
  for (const keyword in node.schema) {
    if (dialect.keywords.has(keyword) || !keywordDefinitions.has(keyword)) continue;
    if (dialect.swaggerParameter && keyword === "required") continue;
    // `nullable` exists only in OpenAPI 3.0; in JSON Schema it is an unknown keyword, and these are allowed.
    const severity = keyword === "nullable" && dialect.booleanSchemas ? "info" : "warning";
    const message = `${dialect.name} does not support \`${keyword}\`, so it is ignored.`;
    report(diagnostic(severity, "unsupported_keyword", node.schemaPath(keyword), message));
  }
}

function diagnoseLimit(
  node: SchemaNode,
  low: string,
  least: number,
  keywords: readonly UsableKeyword[],
  report: Diagnose,
): void {
  const { atMost, lessThan } = keywordTable.get(low) ?? {};
  const check = (high: string, isStrict: boolean): void => {
    const most = keywordValue(keywords, high);
    if (typeof most !== "number" || least < most || (least === most && !isStrict)) return;
    const message =
      `\`${low}: ${least}\` and \`${high}: ${most}\` contradict each other, so no value is valid.`;
    report(diagnostic("warning", "contradiction", node.schemaPath(low), message));
  };
  atMost?.forEach((high) => check(high, false));
  lessThan?.forEach((high) => check(high, true));
}

function diagnoseValues(
  node: SchemaNode,
  keyword: string,
  values: readonly unknown[],
  keywords: readonly UsableKeyword[],
  report: Diagnose,
): void {
  const type = keywordValue(keywords, "type");
  const types = type === undefined ? undefined : namedTypes(type, node);
  if (types === undefined || values.length === 0) return;
  if (values.some((value) => (jsonType(value) & types) !== 0)) return;
  const message = `\`${keyword}\` and \`type\` contradict each other, so no value is valid.`;
  report(diagnostic("warning", "contradiction", node.schemaPath(keyword), message));
}

const MAX_SHOWN = 80;

function shorten(name: string): string {
  return name.length <= MAX_SHOWN ? name : `${name.slice(0, MAX_SHOWN - 1)}…`;
}

function keywordValue(keywords: readonly UsableKeyword[], name: string): unknown {
  return keywords.find(({ definition }) => definition.name === name)?.value;
}

function invalid(path: string, message: string): Diagnostic {
  return diagnostic("warning", "invalid_keyword", path, message);
}
