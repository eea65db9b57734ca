import type { ApiContextLike, PageLike } from "../plugins/playwright_plugin.ts";
import { testName } from "./running_tests.ts";
import { TrafficCollector } from "./traffic_collector.ts";

/** The part of Playwright's `test`, plain or extended, that covtool uses. */
export interface TestLike {
  /** Returns a `test` with additional fixtures. */
  extend(fixtures: never): unknown;
}

interface TestInfoLike {
  readonly file: string;
  readonly titlePath: readonly string[];
}

interface BrowserContextLike extends PageLike {
  readonly request: ApiContextLike;
}

/** Passes a fixture to the test. Resolves when the test no longer needs it. */
type Use<T> = (value: T) => Promise<void>;

/**
 * Returns a `test` that behaves like the given one and also records what is sent through its `request`, its `page` and
 * all pages of its `context`. The given `test`, which may have fixtures of its own, isn't changed. Outside a run, it is
 * returned as it is.
 *
 * @param test `test` of `@playwright/test`, or an extended one.
 * @param collector Records the requests (default: the collector of this process).
 */
export function trackTest<T extends TestLike>(
  test: T,
  collector: TrafficCollector = TrafficCollector.shared(),
): T {
  if (!collector.isActive) return test;
  // Playwright finds out which fixtures are needed by parsing the source text of these functions.
  const fixtures = {
    covtool: [
      // deno-lint-ignore no-empty-pattern
      async ({}, use: Use<undefined>, { file, titlePath }: TestInfoLike): Promise<void> => {
        const end = collector.tests.start(testName(file, titlePath.slice(1)));
        await use(undefined);
        await collector.flush();
        end();
      },
      { auto: true, box: true },
    ],
    request: async (
      { request }: { readonly request: ApiContextLike },
      use: Use<ApiContextLike>,
    ): Promise<void> => {
      await use(collector.playwright.trackClient(request));
    },
    context: async (
      { context }: { readonly context: BrowserContextLike },
      use: Use<BrowserContextLike>,
    ): Promise<void> => {
      collector.playwright.trackPage(context);
      collector.playwright.trackClient(context.request);
      await use(context);
      // Once pages are closed, the bodies of their requests can no longer be read.
      await collector.flush();
    },
  };
  return test.extend(fixtures as never) as T;
}
