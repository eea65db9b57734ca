import type { JSX } from "preact";
import type { Model } from "../model/model.ts";
import type { Route } from "../model/route.ts";

/** What every view is given. */
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
  /** Tells whether a report has it in the navigation (default: every report has). */
  readonly isShown?: (model: Model) => boolean;
  /** The number beside the label; null where it has none. */
  readonly count: (model: Model) => number | null;
  /** What the window is called. */
  readonly title: (props: ViewProps) => string;
  readonly render: (props: ViewProps) => JSX.Element;
}
