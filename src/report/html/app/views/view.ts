import type { JSX } from "preact";
import type { Model } from "../model/model.ts";
import type { Route } from "../model/route.ts";

/** The properties of every view. */
export interface ViewProps {
  readonly model: Model;
  readonly route: Route;
}

/** A view of the page: adding one to the list in `views.ts` is all it takes. */
export interface View {
  /** Its name in the address. */
  readonly name: string;
  /** Its name in the navigation; null keeps it out of there. */
  readonly label: string | null;
  /** True if a report has it in the navigation (default: every report has). */
  readonly isShown?: (model: Model) => boolean;
  /** The number next to the label; null if it has none. */
  readonly count: (model: Model) => number | null;
  /** The title of the window. */
  readonly title: (props: ViewProps) => string;
  readonly render: (props: ViewProps) => JSX.Element;
}
