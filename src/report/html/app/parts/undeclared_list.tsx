/** @jsxImportSource preact */
import type { JSX } from "preact";
import { undeclaredWording } from "../../../wording/undeclared_wording.ts";
import { type Model, operationOf } from "../model/model.ts";
import { OperationLink } from "./names.tsx";
import { useShown } from "./use_shown.tsx";

/** The properties of responses that the description doesn't declare; nothing unless there are some. */
export function UndeclaredList({ model }: { readonly model: Model }): JSX.Element | null {
  const { undocumented_properties: list = [] } = model.data;
  const shown = useShown("undeclared", list.length);
  return list.length === 0 ? null : (
    <section class="finding-group">
      <h2>Undocumented properties</h2>
      <ul class="rows finding-list">
        {list.slice(0, shown.count).map((one, index) => {
          const operation = operationOf(model, one);
          return operation === undefined ? null : (
            <li key={index} class="finding">
              <OperationLink operation={operation} />
              <p>
                <bdi>{undeclaredWording(one)}</bdi>
              </p>
            </li>
          );
        })}
      </ul>
      {shown.more}
    </section>
  );
}
