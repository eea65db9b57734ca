import { covtool } from "covtool/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [
    covtool({
      schema: "openapi.yaml",
      format: "html", // coverage.html, beside the text that is printed
      failUnderOperations: 75,
      failUnderKeywords: 30,
    }),
  ],
});
