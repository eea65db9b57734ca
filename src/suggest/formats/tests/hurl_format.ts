import { fillTemplate } from "../placeholder_names.ts";
import {
  statusTexts,
  type SuggestedTest,
  type TestBody,
  type TestFormat,
  testVariables,
  textHeaders,
  writeForm,
} from "./test_format.ts";
import { escapePattern } from "../../../values/escapes.ts";

export const hurlFormat: TestFormat = {
  name: "hurl",
  extension: ".hurl",
  fileName: (group) => `${group}.hurl`,
  // In Hurl, two braces begin a variable wherever they are, and methods consist of letters.
  refuses: (test) => JSON.stringify(test).includes("{{") || !/^[A-Z]+$/.test(test.method),
  write(tests, group) {
    const variables = testVariables(tests).map(({ name, value = "…" }) =>
      ` --variable ${name}=${value}`
    );
    const command = `# hurl --test --continue-on-error${variables.join("")} ${group}.hurl\n`;
    return [command, ...tests.map(entry)].join("\n");
  },
};

function entry(test: SuggestedTest): string {
  const { title, method, base, target, body, placeholders } = test;
  const { statuses, mediaTypes, required } = test;
  const fill = (value: string, escape: (piece: string) => string) =>
    fillTemplate(value, placeholders, (name) => `{{${name}}}`, escape);
  const [status, ...more] = statuses.exact;
  const isSingle = status !== undefined && more.length === 0 && statuses.classes.length === 0;
  const types = mediaTypes.map(escapePattern);
  const assertions = [
    ...isSingle ? [] : [`status toString matches /^(${statusTexts(statuses, "..").join("|")})$/`],
    ...mediaTypes.length === 1
      ? [`header "Content-Type" startsWith ${JSON.stringify(mediaTypes[0])}`]
      : types.length === 0
      ? []
      : [`header "Content-Type" matches /^(${types.join("|")})/`],
    ...required.filter((name) => /^[A-Za-z_]\w*$/.test(name))
      .map((name) => `jsonpath "$.${name}" exists`),
  ];
  const fields = Object.entries(textHeaders(test))
    .map(([name, value]) => `${name}: ${fill(value, escapeText)}\n`);
  return `# ${title}
${method} {{${base.name}}}${fill(target, (piece) => piece)}
${fields.join("")}${body === undefined ? "" : bodyText(body)}HTTP ${isSingle ? status : "*"}
${assertions.length === 0 ? "" : `[Asserts]\n${assertions.join("\n")}\n`}`;
}

/** Writes a body: JSON as it is, other text on one line. */
function bodyText(body: TestBody): string {
  if ("json" in body) return `${JSON.stringify(body.json, null, 2)}\n`;
  const text = "text" in body ? body.text : writeForm(body.parts).body;
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("`", "\\`");
  // Hurl writes character escapes with braces: `\u{e9}`.
  return `\`${
    escaped.replaceAll(/\\(?:\\|u([\da-f]{4}))/g, (found, unit?: string) =>
      unit === undefined ? found : `\\u{${unit}}`)
  }\`\n`;
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\#]/g, "\\$&");
}
