import type { JSX } from "preact";
import type { Diagnostic } from "../../../../values/diagnostic.ts";
import { formatNumber } from "../../../wording/amounts.ts";
import { diagnosticPlace } from "../../../wording/place_name.ts";
import { useModel, type ViewProps } from "../parts/context.ts";
import { Chips, SearchField } from "../parts/filters.tsx";
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

export function Diagnostics({ route }: ViewProps): JSX.Element {
  const model = useModel();
  const { diagnostics, schema } = model.data;
  const severity = route.query.get("severity") ?? "";
  const search = route.query.get("q") ?? "";
  const needle = search.toLowerCase();
  const list = diagnostics.filter((one) =>
    (severity === "" || one.severity === severity) &&
    (needle === "" ||
      `${one.message} ${one.code} ${one.schema_path}`.toLowerCase().includes(needle))
  );
  const shown = useShown(`diagnostics ${severity} ${search}`, list.length);
  return (
    <>
      <h1>Diagnostics</h1>
      <p class="muted">
        Invalid or contradictory parts of the description. Everything else still counts.
      </p>
      {diagnostics.length === 0
        ? <p class="calm">None: the whole description could be used.</p>
        : (
          <>
            <div class="filters">
              <SearchField label="Search diagnostics" value={search} />
              <Chips
                label="Severity"
                name="severity"
                value={severity}
                options={[
                  { value: "", label: "All", count: formatNumber(diagnostics.length) },
                  ...SEVERITIES.map((value) => ({
                    value,
                    label: value,
                    count: formatNumber(
                      diagnostics.filter((one) => one.severity === value).length,
                    ),
                  })),
                ]}
              />
            </div>
            <ul class="findings rows">
              {list.slice(0, shown.count).map((diagnostic, index) => (
                <Row key={index} diagnostic={diagnostic} location={schema.location} />
              ))}
            </ul>
            {shown.more}
            {list.length === 0 ? <p class="calm">No diagnostic matches.</p> : null}
          </>
        )}
    </>
  );
}
