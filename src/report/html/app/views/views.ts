import { Definitions } from "./definitions.tsx";
import { Diagnostics } from "./diagnostics.tsx";
import { Excluded } from "./excluded.tsx";
import { Findings } from "./findings.tsx";
import { Gaps } from "./gaps.tsx";
import { OperationPage } from "./operation_page.tsx";
import { Operations } from "./operations.tsx";
import { Overview } from "./overview.tsx";
import { Unmatched } from "./unmatched.tsx";
import type { View } from "./view.ts";

/** The views in the order of the navigation; the first one is shown where the address names none. */
export const VIEWS: readonly View[] = [
  {
    name: "overview",
    label: "Overview",
    count: () => null,
    title: () => "Overview",
    render: Overview,
  },
  {
    name: "operations",
    label: "Operations",
    count: (model) => model.data.summary.operations.total,
    title: () => "Operations",
    render: Operations,
  },
  {
    name: "operation",
    label: null,
    count: () => null,
    title: ({ route }) => route.target.replace(":", " "),
    render: OperationPage,
  },
  {
    name: "definitions",
    label: null,
    count: () => null,
    title: () => "How coverage is counted",
    render: Definitions,
  },
  {
    name: "findings",
    label: "Findings",
    isShown: ({ data: { findings = [], undocumented_properties = [] } }) =>
      findings.length + undocumented_properties.length > 0,
    count: ({ data }) => data.findings?.length ?? 0,
    title: () => "Findings",
    render: Findings,
  },
  {
    name: "gaps",
    label: "Gaps",
    count: (model) => model.gaps.total,
    title: () => "Gaps",
    render: Gaps,
  },
  {
    name: "excluded",
    label: "Excluded",
    isShown: ({ data }) => data.exclusions !== undefined,
    count: ({ data }) => data.exclusions?.length ?? 0,
    title: () => "Excluded",
    render: Excluded,
  },
  {
    name: "unmatched",
    label: "Unmatched",
    count: (model) => model.data.traffic.unmatched,
    title: () => "Unmatched traffic",
    render: Unmatched,
  },
  {
    name: "diagnostics",
    label: "Diagnostics",
    count: (model) => model.data.diagnostics.length,
    title: () => "Diagnostics",
    render: Diagnostics,
  },
];
