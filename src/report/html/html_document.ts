import type { Report } from "../report.ts";
import { escapeHtml, plainText } from "../text/plain_text.ts";

const PAGE_ICON = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">` +
    `<circle cx="8" cy="8" r="6.5" fill="none" stroke="#0f766e" stroke-width="2"/>` +
    `<path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="#0f766e"/></svg>`,
);

export interface HtmlDocument {
  readonly title: string;
  readonly tool: Report["tool"];
  /** The directives of the Content-Security-Policy that allow the page's own style and script. */
  readonly policy: string;
  readonly style: string;
  readonly body: string;
}

/** A page that loads nothing: its style is inline, and its security policy allows only `policy` and data: images. */
export function htmlDocument({ title, tool, policy, style, body }: HtmlDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(`${tool.name} ${tool.version}`)}">
<title>${escapeHtml(plainText(title))}</title>
<link rel="icon" href="${PAGE_ICON}">
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
