/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { PageParameter } from "../../page_data.ts";
import type { Model, Operation } from "../model/model.ts";
import type { Route } from "../model/route.ts";
import { parameterOfSpot, type Spot } from "../model/spot.ts";
import { formatAmount } from "../../../wording/amounts.ts";
import { Toggle } from "../parts/filters.tsx";
import { changeQuery } from "../parts/use_route.ts";
import type { SourceState } from "../parts/use_source.ts";
import { ParameterSection } from "./parameter_section.tsx";

/** Operations with at most this many keywords open all that was sent. */
const OPEN_LIMIT = 150;

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  readonly route: Route;
  /** Where the address leads; null where it leads to the operation as a whole. */
  readonly spot: Spot | null;
  readonly source: SourceState;
}

function naturallyOpen(parameters: readonly PageParameter[]): ReadonlySet<number> {
  const sent = parameters.flatMap(({ hits }, index) => hits > 0 ? [index] : []);
  const keywords = parameters.reduce((sum, { keyword_total }) => sum + keyword_total, 0);
  return new Set(keywords <= OPEN_LIMIT ? sent : []);
}

/** The parameters that the address opens: as it says, else as suits the operation. */
function openOf(
  parameters: readonly PageParameter[],
  route: Route,
  spot: Spot | null,
): Set<number> {
  const said = route.query.get("open");
  const open = new Set(
    said === null
      ? naturallyOpen(parameters)
      : said.split(".").filter((text) => /^\d+$/.test(text)).map(Number),
  );
  const at = parameterOfSpot(spot);
  if (at !== null) open.add(at);
  return open;
}

/** The parameters of an operation; those that are open show their keywords and examples. */
export function ParameterList(props: Props): JSX.Element {
  const { model, operation, route, spot, source } = props;
  const { parameters } = operation.data;
  const open = openOf(parameters, route, spot);
  const toggle = (index: number): void => {
    const next = new Set(open);
    if (!next.delete(index)) next.add(index);
    const list = [...next].sort((left, right) => left - right);
    // The absent entry is the natural state, so nothing open needs a word of its own.
    changeQuery({ open: list.length === 0 ? "none" : list.join("."), at: "" });
  };
  const missing = route.query.get("missing") ?? "";
  return (
    <section>
      <div class="section-head">
        <h2>Parameters</h2>
        {parameters.length === 0
          ? null
          : <Toggle label="Gaps only" name="missing" value={missing} />}
      </div>
      {(operation.data.undocumented_bodies ?? []).map(({ media_type, hits }) => (
        <p key={media_type} class="remarks">
          {formatAmount(hits, "body", "bodies")} sent{" "}
          {media_type === "" ? "without a Content-Type" : (
            <>
              as{" "}
              <code>
                <bdi>{media_type}</bdi>
              </code>
            </>
          )}, which the description doesn't document.
        </p>
      ))}
      {parameters.length === 0 ? <p class="calm">None documented.</p> : (
        <div class="parameters">
          {parameters.map((parameter, index) => (
            <ParameterSection
              key={index}
              model={model}
              operation={operation}
              parameter={parameter}
              index={index}
              open={open.has(index)}
              spot={parameterOfSpot(spot) === index ? spot : null}
              source={source}
              onlyMissing={missing === "1"}
              onToggle={() => toggle(index)}
            />
          ))}
        </div>
      )}
    </section>
  );
}
