import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  fullyParallel: true,
  reporter: [
    ["list"],
    ["covtool/playwright", {
      schema: "openapi.yaml",
      format: "html", // coverage.html, beside the text that is printed
      failUnderOperations: 75,
      failUnderParameters: 40,
    }],
  ],
  webServer: { command: "npm start", url: "http://localhost:8087/" },
  use: {
    baseURL: "http://localhost:8087",
    // Your own browser, if Playwright's is not installed.
    launchOptions: process.env.CHROMIUM
      ? { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] }
      : {},
  },
});
