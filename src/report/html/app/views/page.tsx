/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { nextGap } from "../model/gap_walk.ts";
import type { Model } from "../model/model.ts";
import { parseRoute, routeLink } from "../model/route.ts";
import { formatNumber } from "../../../wording/amounts.ts";
import { type Shortcut, Shortcuts } from "../parts/shortcuts.tsx";
import { ThemeSwitch } from "../parts/theme_switch.tsx";
import { useInSight } from "../parts/use_in_sight.ts";
import { scrollForView, useRoute } from "../parts/use_route.ts";
import { gapLink } from "./gap_bar.tsx";
import type { View } from "./view.ts";
import { VIEWS } from "./views.ts";

interface NavigationProps {
  readonly model: Model;
  readonly current: string;
}

function Navigation({ model, current }: NavigationProps): JSX.Element {
  const shown = current === "operation" ? "operations" : current;
  const row = useInSight<HTMLElement>("[aria-current]", shown);
  return (
    <nav aria-label="Views" ref={row}>
      <ul>
        {VIEWS.filter(({ label, isShown }) => label !== null && isShown?.(model) !== false).map(
          ({ name, label, count }) => {
            const number = count(model);
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

function Footer({ model }: { readonly model: Model }): JSX.Element {
  const { tool, generated_at, schema } = model.data;
  return (
    <footer>
      <bdi>{schema.location}</bdi> · {tool.name} {tool.version} · generated {generated_at} ·{" "}
      <a href={routeLink("definitions")}>How coverage is counted</a>
    </footer>
  );
}

/** Goes to the next or the previous gap from wherever the address is. */
function step(model: Model, direction: 1 | -1): void {
  const route = parseRoute(location.hash);
  const operation = route.view === "operation" ? model.byKey.get(route.target) ?? null : null;
  const stop = nextGap(model, operation, route.query.get("at"), direction);
  if (stop !== null) location.hash = gapLink(stop);
}

function shortcutsOf(model: Model): Shortcut[] {
  const go = (view: string) => () => void (location.hash = routeLink(view));
  return [
    { keys: ["n", "j"], text: "next gap", run: () => step(model, 1) },
    { keys: ["p", "k"], text: "previous gap", run: () => step(model, -1) },
    {
      keys: ["/"],
      text: "search",
      run: () => document.querySelector<HTMLInputElement>("input[type=search]")?.focus(),
    },
    { keys: ["o"], text: "operations", run: go("operations") },
    { keys: ["g"], text: "gaps", run: go("gaps") },
    { keys: ["h"], text: "overview", run: go("overview") },
  ];
}

interface PageProps {
  readonly model: Model;
  /** Links to the overview of several APIs, and its title (default: there is only one). */
  readonly all?: { readonly link: string; readonly title: string } | undefined;
}

/** The whole page: navigation, the view that the address names, and where the report is from. */
export function Page({ model, all }: PageProps): JSX.Element {
  const route = useRoute();
  const view = VIEWS.find(({ name }) => name === route.view) ?? VIEWS[0] as View;
  const main = useRef<HTMLElement>(null);
  const drawn = useRef(false);
  const heading = `${view.title({ model, route })} · ${model.data.title}`;
  useEffect(() => void (document.title = `${heading} · API coverage`), [heading]);
  useLayoutEffect(() => {
    // The first view is where the browser put the reader; a later one takes the focus.
    if (drawn.current) {
      main.current?.focus({ preventScroll: true });
      scrollForView();
    }
    drawn.current = true;
  }, [route.view, route.target]);
  const View = view.render;
  const shortcuts = useMemo(() => shortcutsOf(model), [model]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address is the route, so the jump is made by hand.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <div class="top-inner">
          {all === undefined ? null : (
            <a class="all-apis" href={all.link} title={all.title}>
              <span aria-hidden="true">‹</span> All APIs
            </a>
          )}
          <a class="brand" href={routeLink("overview")}>
            <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
              <circle cx="8" cy="8" r="6" class="mark-ring" />
              <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
            </svg>
            <bdi>{model.data.title}</bdi>
          </a>
          <Navigation model={model} current={view.name} />
          <span class="top-buttons">
            <Shortcuts shortcuts={shortcuts} />
            <ThemeSwitch />
          </span>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1} key={`${route.view} ${route.target}`}>
        <View model={model} route={route} />
      </main>
      <Footer model={model} />
    </>
  );
}
