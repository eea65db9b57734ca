// An Express server whose requests express-openapi-validator validates against the description.
const process = require("node:process");
const express = require("express");
const OpenApiValidator = require("express-openapi-validator");

const app = express();
app.use(express.json({ type: ["application/json", "application/merge-patch+json"] }));
app.use(express.urlencoded({ extended: true }));
app.use(express.text());
app.get("/openapi.json", (_, response) => response.sendFile(`${__dirname}/openapi.json`));
app.use(
  OpenApiValidator.middleware({
    apiSpec: `${__dirname}/openapi.json`,
    validateRequests: { coerceTypes: true },
    validateResponses: false,
    fileUploader: { storage: require("multer").memoryStorage() },
  }),
);
app.use((request, response) => {
  const emails = (app.locals.emails ??= new Set());
  if (request.method === "POST" && request.path === "/v1/users") {
    if (emails.has(request.body.email)) return response.status(409).json({ message: "taken" });
    emails.add(request.body.email);
    return response.status(201).json({ id: emails.size });
  }
  response.status(request.method === "DELETE" ? 204 : 200).json({});
});
app.use((error, _request, response, _next) =>
  response.status(error.status ?? 500).json({ message: error.message, errors: error.errors })
);
const server = app.listen(
  Number(process.env.PORT ?? 0),
  "127.0.0.1",
  () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`),
);
