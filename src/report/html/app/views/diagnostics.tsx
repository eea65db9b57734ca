import type { JSX } from "preact";
import type { Diagnostic } from "../../../../values/diagnostic.ts";
import { capitalized } from "../../../wording/amounts.ts";
import { diagnosticPlace } from "../../../wording/place_name.ts";
import { useModel } from "../parts/context.ts";
import { Filtered } from "../parts/filters.tsx";
import { SeverityMark } from "../parts/marks.tsx";
import { Code, Message } from "../parts/names.tsx";
import { ShownList } from "../parts/table.tsx";

const SEVERITIES = ["error", "warning", "info"] as const;

function Row({ diagnostic }: { readonly diagnostic: Diagnostic }): JSX.Element {
  const { severity, message, code, schema_path } = diagnostic;
  const where = diagnosticPlace(diagnostic, useModel().data.schema.location);
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

export function Diagnostics(): JSX.Element {
  const { diagnostics } = useModel().data;
  return (
    <>
      <h1>Diagnostics</h1>
      <p class="muted">
        Invalid or contradictory parts of the description. Everything else still counts.
      </p>
      <Filtered
        noun="diagnostic"
        rows={diagnostics}
        none="None: the whole description could be used."
        label="Severity"
        name="severity"
        kinds={SEVERITIES.map((value) => [value, capitalized(value)])}
        rowKind={({ severity }) => severity}
        rowText={({ message, code, schema_path }) => `${message} ${code} ${schema_path}`}
      >
        {(rows, filter) => (
          <ShownList name={`diagnostics ${filter}`} style="findings rows" rows={rows}>
            {(diagnostic, index) => <Row key={index} diagnostic={diagnostic} />}
          </ShownList>
        )}
      </Filtered>
    </>
  );
}
