/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { PageParameter } from "../../page_data.ts";
import type { Operation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";

/** What a parameter's location is called. */
function locationText(location: string): string {
  return location === "form_data" ? "form" : location;
}

/** A method in its colour. */
export function Method({ name }: { readonly name: string }): JSX.Element {
  return <span class={`method method-${name.toLowerCase().replace(/[^a-z]/g, "")}`}>{name}</span>;
}

/** A path with its templates set apart; isolated, so that no script's direction spills over. */
export function Path({ path }: { readonly path: string }): JSX.Element {
  const parts = path.split(/(\{[^{}]*\})/);
  return (
    <bdi class="path">
      {parts.map((part, index) => index % 2 === 1 ? <i key={index}>{part}</i> : part)}
    </bdi>
  );
}

/** Method and path, as a link to the operation's page. */
export function OperationLink({ operation }: { readonly operation: Operation }): JSX.Element {
  const { method, path } = operation.data;
  return (
    <a class="operation-link" href={routeLink("operation", operation.key)}>
      <Method name={method} /> <Path path={path} />
    </a>
  );
}

/** A parameter's name with its location. */
export function ParameterName({ parameter }: { readonly parameter: PageParameter }): JSX.Element {
  return (
    <span class="parameter-name">
      <span class="location">{locationText(parameter.location)}</span>{" "}
      <code>
        <bdi>{parameter.parameter}</bdi>
      </code>
    </span>
  );
}
