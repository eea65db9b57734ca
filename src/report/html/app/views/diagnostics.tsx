import type { JSX } from "preact";
import type { Diagnostic } from "../../../../values/diagnostic.ts";
import { diagnosticPlace } from "../../../wording/place_name.ts";
import { useModel } from "../parts/context.ts";
import { Filtered } from "../parts/filters.tsx";
import { SeverityMark } from "../parts/marks.tsx";
import { Code, Message } from "../parts/names.tsx";
import { useShown } from "../parts/table.tsx";

const SEVERITIES = ["error", "warning", "info"] as const;

function Row(
  { diagnostic, location }: { readonly diagnostic: Diagnostic; readonly location: string },
): JSX.Element {
  const { severity, message, code, schema_path } = diagnostic;
  const where = diagnosticPlace(diagnostic, location);
  return (
    <li>
      <SeverityMark severity={severity} />
      <div>
        <p>
          <Message text={message} />
        </p>
        <p class="muted small">
          <code>{code}</code>
          {where === null ? null : (
            <>
              {" · "}
              <Code text={where} />
            </>
          )}
          {schema_path === "" ? null : (
            <>
              {" · "}
              <Code text={schema_path} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}

function List({ rows, filter }: {
  readonly rows: readonly Diagnostic[];
  readonly filter: string;
}): JSX.Element {
  const { location } = useModel().data.schema;
  const shown = useShown(`diagnostics ${filter}`, rows.length);
  return (
    <>
      <ul class="findings rows">
        {rows.slice(0, shown.count).map((diagnostic, index) => (
          <Row key={index} diagnostic={diagnostic} location={location} />
        ))}
      </ul>
      {shown.more}
    </>
  );
}

export function Diagnostics(): JSX.Element {
  const { diagnostics } = useModel().data;
  return (
    <>
      <h1>Diagnostics</h1>
      <p class="muted">
        Invalid or contradictory parts of the description. Everything else still counts.
      </p>
      {diagnostics.length === 0
        ? <p class="calm">None: the whole description could be used.</p>
        : (
          <Filtered
            noun="diagnostic"
            rows={diagnostics}
            label="Severity"
            name="severity"
            kinds={SEVERITIES.map((value) => [value, value])}
            kindOf={({ severity }) => severity}
            textOf={({ message, code, schema_path }) => `${message} ${code} ${schema_path}`}
          >
            {(rows, filter) => <List rows={rows} filter={filter} />}
          </Filtered>
        )}
    </>
  );
}
