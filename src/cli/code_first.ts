import { readProjectFile } from "./test_setups.ts";

export interface CodeFirst {
  readonly framework: string;
  readonly command: string;
  readonly file: string;
}

interface Framework extends CodeFirst {
  readonly manifests: readonly string[];
  readonly mark: RegExp;
}

const PYTHON = ["pyproject.toml", "requirements.txt", "setup.cfg", "Pipfile"];
const NODE = ["package.json"];

function node(code: string): string {
  return `node --input-type=module -e '${code}' > openapi.json`;
}

const GIVEN = '{ openapi: "3.1.0", info: { title: "API", version: "1" } }';

/** docs/code-first.md shows the same commands. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    framework: "FastAPI",
    manifests: PYTHON,
    mark: /\bfastapi\b/i,
    command: "python -c 'import json, main; print(json.dumps(main.app.openapi()))' > openapi.json",
    file: "openapi.json",
  },
  {
    framework: "NestJS",
    manifests: NODE,
    mark: /"@nestjs\/swagger"/,
    command:
      "a script that writes SwaggerModule.createDocument(app, new DocumentBuilder().build()) to openapi.json",
    file: "openapi.json",
  },
  {
    framework: "tRPC",
    manifests: NODE,
    mark: /"trpc-to-openapi"/,
    command: node(
      'import { generateOpenApiDocument } from "trpc-to-openapi"; import { appRouter } from "./router.js"; console.log(JSON.stringify(generateOpenApiDocument(appRouter, { title: "API", version: "1", baseUrl: "http://localhost:3000" })))',
    ),
    file: "openapi.json",
  },
  {
    framework: "Hono",
    manifests: NODE,
    mark: /"@hono\/zod-openapi"/,
    command: node(
      `import { app } from "./app.js"; console.log(JSON.stringify(app.getOpenAPI31Document(${GIVEN})))`,
    ),
    file: "openapi.json",
  },
  {
    framework: "zod-to-openapi",
    manifests: NODE,
    mark: /"@asteasolutions\/zod-to-openapi"/,
    command: node(
      `import { OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi"; import { registry } from "./registry.js"; console.log(JSON.stringify(new OpenApiGeneratorV31(registry.definitions).generateDocument(${GIVEN})))`,
    ),
    file: "openapi.json",
  },
  {
    framework: "Elysia",
    manifests: NODE,
    mark: /"@elysiajs\/openapi"/,
    command: node(
      'import { app } from "./app.js"; const answer = await app.handle(new Request("http://localhost/openapi/json")); console.log(await answer.text())',
    ),
    file: "openapi.json",
  },
  {
    framework: "Fastify",
    manifests: NODE,
    mark: /"@fastify\/swagger"/,
    command: node(
      'import { app } from "./app.js"; await app.ready(); console.log(JSON.stringify(app.swagger()))',
    ),
    file: "openapi.json",
  },
  {
    framework: "tsoa",
    manifests: NODE,
    mark: /"tsoa"/,
    command: "npx tsoa spec",
    file: "swagger.json",
  },
  {
    framework: "springdoc",
    manifests: ["pom.xml"],
    mark: /springdoc-openapi/,
    command: "mvn verify (with the springdoc-openapi-maven-plugin)",
    file: "target/openapi.json",
  },
  {
    framework: "springdoc",
    manifests: ["build.gradle", "build.gradle.kts"],
    mark: /springdoc-openapi/,
    command: "./gradlew generateOpenApiDocs (with the org.springdoc.openapi-gradle-plugin)",
    file: "build/openapi.json",
  },
  {
    framework: "swaggo",
    manifests: ["go.mod"],
    mark: /github\.com\/swaggo\//,
    command: "go run github.com/swaggo/swag/cmd/swag@latest init",
    file: "docs/swagger.json",
  },
];

export function findCodeFirst(folder: string): CodeFirst | undefined {
  return FRAMEWORKS.find(({ manifests, mark }) =>
    manifests.some((name) => mark.test(readProjectFile(folder, name)))
  );
}
