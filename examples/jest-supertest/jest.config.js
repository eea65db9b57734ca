module.exports = {
  setupFilesAfterEnv: ["covtool/jest-setup"],
  reporters: [
    "default",
    ["covtool/jest", {
      schema: "openapi.yaml",
      format: "html", // coverage.html, beside the text that is printed
      failUnderOperations: 75,
      failUnderResponses: 60,
    }],
  ],
};
