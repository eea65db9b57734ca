/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatNumber } from "../../../wording/amounts.ts";
import { gapLink, nextGap } from "../model/gaps.ts";
import type { Model } from "../model/model.ts";
import { parseRoute, type Route, routeLink } from "../model/route.ts";
import { useModel } from "../parts/context.ts";
import { focusSearch, useInSight } from "../parts/filters.tsx";
import { Brand } from "../parts/marks.tsx";
import { type Shortcut, Shortcuts } from "../parts/shortcuts.tsx";
import { ThemeSwitch } from "../parts/theme_switch.tsx";
import { enterView, useRoute } from "../parts/use_route.ts";
import { AccessMatrix } from "./access.tsx";
import { Definitions } from "./definitions.tsx";
import { Diagnostics } from "./diagnostics.tsx";
import { Excluded } from "./excluded.tsx";
import { Findings } from "./findings.tsx";
import { Gaps } from "./gaps.tsx";
import { OperationPage } from "./operation_page.tsx";
import { Operations } from "./operations.tsx";
import { Overview } from "./overview.tsx";
import { Unmatched } from "./unmatched.tsx";

interface View {
  readonly name: string;
  readonly label: string | null;
  readonly isShown?: (model: Model) => boolean;
  readonly count?: (model: Model) => number | null;
  /** The title of the page (default: `label`). */
  readonly title?: (route: Route) => string;
  readonly render: () => JSX.Element;
}

function Navigation({ current }: { readonly current: string }): JSX.Element {
  const model = useModel();
  const shown = current === "operation" ? "operations" : current;
  const row = useInSight<HTMLElement>("[aria-current]", shown);
  return (
    <nav aria-label="Views" ref={row}>
      <ul>
        {VIEWS.filter(({ label, isShown }) => label !== null && isShown?.(model) !== false).map(
          ({ name, label, count }) => {
            const number = count?.(model) ?? null;
            return (
              <li key={name}>
                <a href={routeLink(name)} aria-current={name === shown ? "page" : undefined}>
                  {label}
                  {number === null ? null : <span class="nav-count">{formatNumber(number)}</span>}
                </a>
              </li>
            );
          },
        )}
      </ul>
    </nav>
  );
}

function Footer(): JSX.Element {
  const { tool, generated_at, schema } = useModel().data;
  return (
    <footer>
      <bdi>{schema.location}</bdi> · {tool.name} {tool.version} · generated {generated_at} ·{" "}
      <a href={routeLink("definitions")}>How coverage is counted</a>
    </footer>
  );
}

function step(model: Model, direction: 1 | -1): void {
  const route = parseRoute(location.hash);
  const operation = route.view === "operation" ? model.byKey.get(route.target) ?? null : null;
  const stop = nextGap(model, operation, route.query.get("at") ?? "", direction);
  if (stop !== null) location.hash = gapLink(stop, route.query.get("missing") ?? "");
}

function listShortcuts(model: Model): Shortcut[] {
  const go = (view: string) => () => void (location.hash = routeLink(view));
  return [
    { keys: ["n", "j"], text: "next gap", run: () => step(model, 1) },
    { keys: ["p", "k"], text: "previous gap", run: () => step(model, -1) },
    { keys: ["/"], text: "search", run: focusSearch },
    { keys: ["o"], text: "operations", run: go("operations") },
    { keys: ["g"], text: "gaps", run: go("gaps") },
    { keys: ["h"], text: "overview", run: go("overview") },
  ];
}

export function Page({ all, isEntered = false }: {
  /** The title of the overview of several APIs. Undefined if there is only one API. */
  readonly all?: string;
  /** True if the user navigated here from another view. */
  readonly isEntered?: boolean;
}): JSX.Element {
  const model = useModel();
  const route = useRoute();
  const view = VIEWS.find(({ name }) => name === route.view) ?? VIEWS[0] as View;
  const main = useRef<HTMLElement>(null);
  const drawn = useRef(isEntered);
  const heading = `${view.title?.(route) ?? view.label} · ${model.data.title}`;
  useEffect(() => void (document.title = `${heading} · API coverage`), [heading]);
  useLayoutEffect(() => {
    // The browser positions the first view itself, for example after a reload. Later views take the focus.
    if (drawn.current) enterView(main.current);
    drawn.current = true;
  }, [route.view, route.target]);
  const View = view.render;
  const shortcuts = useMemo(() => listShortcuts(model), [model]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address after # holds the route, so the link can't use it and the jump is scripted.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <div class="top-inner">
          {all === undefined ? null : (
            <a class="all-apis" href="#/" title={all}>
              <span aria-hidden="true">‹</span> All APIs
            </a>
          )}
          <a class="brand" href={routeLink("overview")}>
            <Brand />
            <bdi>{model.data.title}</bdi>
          </a>
          <Navigation current={view.name} />
          <span class="top-buttons">
            <Shortcuts shortcuts={shortcuts} />
            <ThemeSwitch />
          </span>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1} key={`${route.view} ${route.target}`}>
        <View />
      </main>
      <Footer />
    </>
  );
}

/** The views in the order of the navigation. The first one is the default. */
const VIEWS: readonly View[] = [
  { name: "overview", label: "Overview", render: Overview },
  {
    name: "operations",
    label: "Operations",
    count: (model) => model.data.summary.operations.total,
    render: Operations,
  },
  {
    name: "operation",
    label: null,
    title: ({ target }) => target.replace(":", " "),
    render: OperationPage,
  },
  { name: "definitions", label: null, title: () => "How coverage is counted", render: Definitions },
  {
    name: "findings",
    label: "Findings",
    isShown: ({ data: { findings = [], undocumented_properties = [] } }) =>
      findings.length + undocumented_properties.length > 0,
    count: ({ data }) => data.findings?.length ?? 0,
    render: Findings,
  },
  { name: "gaps", label: "Gaps", count: (model) => model.gaps.total, render: Gaps },
  {
    name: "access",
    label: "Access",
    isShown: ({ data }) => data.access !== undefined,
    count: ({ data: { summary: { access } } }) =>
      access === undefined ? 0 : access.total - access.tried,
    title: () => "Who may do what",
    render: AccessMatrix,
  },
  {
    name: "excluded",
    label: "Excluded",
    isShown: ({ data }) => data.exclusions !== undefined,
    count: ({ data }) => data.exclusions?.length ?? 0,
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
    render: Diagnostics,
  },
];
