/** @jsxImportSource preact */
import type { JSX } from "preact";

/** JSON of at most this many characters stands in the line. */
const INLINE = 100;

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

/** A JSON value: in the line where it is short, else behind its beginning. */
export function Value({ json }: { readonly json: string }): JSX.Element {
  if (json.length <= INLINE) {
    return (
      <code class="value">
        <bdi>{json}</bdi>
      </code>
    );
  }
  return (
    <details class="value-long">
      <summary>
        <code class="value">
          <bdi>{`${json.slice(0, INLINE).toWellFormed()}…`}</bdi>
        </code>
      </summary>
      <pre tabIndex={0}><bdi>{pretty(json)}</bdi></pre>
    </details>
  );
}
