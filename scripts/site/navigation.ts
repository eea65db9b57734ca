/** A group of pages in the sidebar. */
export interface NavigationGroup {
  readonly title: string;
  /** Pages of the repository, in the order to read them, each with a short name. */
  readonly pages: readonly (readonly [path: string, name: string])[];
}

/** The overview page of the library's reference. */
export const REFERENCE_TARGET = "reference.html";

/** The pages of the manual, in order. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: "Begin",
    pages: [
      ["README.md", "What covtool is"],
      ["docs/quick-start.md", "Quick start"],
      ["docs/concepts.md", "Concepts"],
      ["docs/enforcement.md", "What your API doesn't enforce"],
      ["docs/suggest.md", "Closing the gaps"],
      ["docs/agents.md", "Programs that write tests"],
      ["docs/mutate.md", "Would a test notice?"],
      ["docs/access.md", "Who may do what"],
      ["docs/install.md", "Installing"],
      ["docs/troubleshooting.md", "Troubleshooting"],
    ],
  },
  {
    title: "Record",
    pages: [
      ["docs/recording/README.md", "Recording traffic"],
      ["docs/test-runners.md", "Test runners"],
      ["docs/python.md", "Tests in Python"],
      ["docs/java.md", "Tests in Java and Kotlin"],
      ["docs/go.md", "Tests in Go"],
      ["docs/ruby.md", "Tests in Ruby"],
      ["docs/php.md", "Tests in PHP"],
      ["docs/dotnet.md", "Tests in C#"],
      ["docs/protocol.md", "The protocol of recorders"],
      ["docs/plugins.md", "Plugins"],
      ["docs/proxy.md", "The proxy"],
      ["docs/clients.md", "Clients and the proxy"],
      ["docs/secrets.md", "Secrets"],
      ["docs/recording/browsers.md", "Browsers"],
      ["docs/recording/playwright.md", "Playwright"],
      ["docs/recording/postman.md", "Postman"],
      ["docs/recording/newman.md", "Newman"],
      ["docs/recording/mitmproxy.md", "mitmproxy"],
      ["docs/recording/ruby-vcr.md", "Ruby VCR"],
      ["docs/recording/go-vcr.md", "go-vcr and php-vcr"],
      ["docs/recording/vcrpy.md", "vcrpy"],
      ["docs/recording/nock.md", "nock"],
      ["docs/recording/polly.md", "Polly.js"],
      ["docs/recording/schemathesis.md", "Schemathesis"],
      ["docs/recording/access-logs.md", "Access logs"],
    ],
  },
  {
    title: "Measure and report",
    pages: [
      ["docs/commands.md", "Commands"],
      ["docs/config.md", "Config file"],
      ["docs/apis.md", "Several APIs"],
      ["docs/ci.md", "Build servers"],
      ["docs/team.md", "Coverage in a team"],
      ["docs/compare.md", "Used, and not tested"],
      ["docs/engines.md", "More than one machine reads"],
      ["docs/scale.md", "Scale"],
      ["docs/recipes.md", "Recipes"],
      ["docs/code-first.md", "Code-first projects"],
      ["docs/formats.md", "Formats"],
      ["docs/report-formats.md", "Report formats"],
      ["docs/semantics.md", "What is counted"],
      ["docs/evidence.md", "What the numbers mean"],
      ["docs/scope.md", "Leaving things out"],
      ["docs/overlay.md", "Overlays"],
      ["examples/bookshop/README.md", "The bookshop"],
    ],
  },
  {
    title: "How it is built",
    pages: [
      ["docs/architecture.md", "Architecture"],
      ["docs/decisions.md", "Decisions"],
      ["docs/performance.md", "Performance"],
      ["docs/testing.md", "Testing"],
      ["CONTRIBUTING.md", "Contributing"],
      ["CHANGELOG.md", "Changelog"],
    ],
  },
];

/** Returns the navigation without pages that don't exist yet. */
export function presentNavigation(present: ReadonlySet<string>): NavigationGroup[] {
  return NAVIGATION.map(({ title, pages }) => ({
    title,
    pages: pages.filter(([path]) => present.has(path)),
  }));
}

/** Returns the path in the manual of a page of the repository. */
export function pageTarget(path: string): string {
  return path.replace(/^docs\//, "").replace(/README\.md$/, "index.html").replace(/\.md$/, ".html")
    .replace(/^[A-Z]+(?=\.html$)/, (name) => name.toLowerCase());
}
