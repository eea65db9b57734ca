import { fromJsonSchema, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import { describeTests } from "../coverage_map/describe_tests.ts";
import { digestCoverage, explainOperation } from "../coverage_map/explain_operation.ts";
import { listGaps } from "../coverage_map/list_gaps.ts";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { suggestFor } from "../coverage_map/suggest_for.ts";
import { GapVerification } from "../coverage_map/verify_gaps.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { GAP_KIND_NAMES, type GapKindName } from "../map/results.ts";
import { gapsJson } from "../report/gap_list.ts";
import type { Report } from "../report/report.ts";
import { verifiedJson } from "../report/verified_gaps.ts";
import { CommandError, usageError } from "../run/command_error.ts";
import { errorSentences } from "../run/error_sentences.ts";
import type { Host } from "../run/host.ts";
import { measureKeepingRequests } from "../run/measure.ts";
import { inputState, localFiles } from "../run/watch/input_watcher.ts";
import { TEST_FORMATS } from "../suggest/formats/tests/test_formats.ts";
import { decodeUri } from "../values/escapes.ts";
import { operationName } from "../values/operation_name.ts";
import { VERSION } from "../values/version.ts";
import type { Configured } from "./command_groups.ts";
import { gapKinds, suggestError } from "./suggest.ts";

const USUAL_GAPS = 10;

export async function mcp(options: Configured<"mcp">, host: Host): Promise<number> {
  if (options.traffic.includes(STANDARD_INPUT)) {
    throw usageError(
      "Standard input has the messages of the protocol. Name files, folders or patterns.",
    );
  }
  const api = new ReloadedApi(options, host);
  await api.current();
  // Explicit streams, because the library has no default ones when bundled for all platforms.
  const transport = new StdioServerTransport(process.stdin, process.stdout);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  const served = serveStdio(() => makeServer(api, options), { transport });
  await ended;
  await served.close();
  return 0;
}

/** An API with its recorded traffic. Reads the inputs again after one of them has changed. */
class ReloadedApi {
  readonly #options: Configured<"mcp">;
  readonly #host: Host;
  #api: MeasuredApi | undefined;
  #report: Report | undefined;
  #state = "";
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: Configured<"mcp">, host: Host) {
    this.#options = options;
    this.#host = host;
  }

  /**
   * Answers after all earlier calls, since measuring again replaces the API.
   *
   * @throws {Error} with a message for the user. The server continues.
   */
  async answer<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    try {
      return await result;
    } catch (error) {
      throw new Error(errorSentences(suggestError(error)), { cause: error });
    }
  }

  async current(): Promise<MeasuredApi> {
    const state = await this.#look();
    if (this.#api === undefined || state !== this.#state) await this.measure();
    return this.#api!; // measured by this call or an earlier one
  }

  report(): Report {
    return this.#report ??= this.#api!.report(); // `current()` was awaited before
  }

  /** Reads the inputs. Calls `onLoaded` with the API before its traffic is recorded. */
  async measure(onLoaded?: (api: MeasuredApi) => void): Promise<void> {
    const { traffic } = this.#options;
    const there = await Promise.all(traffic.map(isThere));
    const options = {
      ...this.#options,
      traffic: traffic.filter((_, index) => there[index]),
      onLoaded,
    };
    const before = await inputState(traffic);
    this.#api = undefined;
    const { map } = await measureKeepingRequests(options, this.#host, new OutputGuard([]));
    this.#api = map;
    this.#report = map.report();
    const after = await inputState(traffic);
    // Inputs that changed during the measurement are read again at the next call.
    this.#state = before.text === after.text ? await this.#look() : "";
  }

  async #look(): Promise<string> {
    const files = localFiles(this.#api?.documentUrls ?? []);
    return (await inputState([...files, ...this.#options.traffic])).text;
  }
}

async function isThere(name: string): Promise<boolean> {
  const { text, lacksAny } = await inputState([name]);
  return text !== "" && !lacksAny;
}

const GAP = { type: "string", description: "The id of a gap: g-7f3k2p0c." } as const;
const OPERATION = {
  type: "string",
  description: "An operation: its operationId, or method and path as in `GET /books/{id}`.",
} as const;

function makeServer(api: ReloadedApi, { server: url, testFormat }: Configured<"mcp">): McpServer {
  const server = new McpServer({ name: "covtool", version: VERSION });
  const addTool = <Arguments>(
    name: string,
    description: string,
    properties: Readonly<Record<string, object>>,
    required: readonly string[],
    run: (given: Arguments) => Promise<string>,
  ): void => {
    const inputSchema = fromJsonSchema<Arguments>(
      {
        type: "object",
        properties,
        required: [...required],
        additionalProperties: false,
      } as Parameters<typeof fromJsonSchema>[0],
    );
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { description, inputSchema, annotations }, async (given) => {
      return { content: [{ type: "text", text: await api.answer(() => run(given as Arguments)) }] };
    });
  };

  addTool<{ operation?: string }>(
    "coverage",
    "How much of the API its tests exercise: the five dimensions and values in percent, and the operations with most gaps, or one operation.",
    { operation: OPERATION },
    [],
    async ({ operation }) => {
      const current = await api.current();
      return JSON.stringify(digestCoverage(current, api.report(), operation));
    },
  );
  addTool<{ limit?: number; operation?: string; kinds?: readonly GapKindName[] }>(
    "gaps",
    "What no test has shown yet, the gaps worth closing first, each with its id, its place in the description, and a request that closes it.",
    {
      limit: { type: "integer", minimum: 1, maximum: 1000, default: USUAL_GAPS },
      operation: OPERATION,
      kinds: { type: "array", items: { enum: GAP_KIND_NAMES } },
    },
    [],
    async ({ limit = USUAL_GAPS, operation, kinds = [] }) => {
      const current = await api.current();
      return gapsJson(listGaps(current, {
        limit,
        operations: operation === undefined ? undefined : [operation],
        kinds: gapKinds(current, [kinds]),
        server: url,
        workingDirectory: process.cwd(),
      }));
    },
  );
  addTool<{ gaps: readonly string[]; format?: string }>(
    "suggest_test",
    "A test that closes gaps, as code for a test framework. Its request was recorded before it is shown.",
    {
      gaps: { type: "array", items: GAP, minItems: 1 },
      format: { enum: TEST_FORMATS.map(({ name }) => name), default: testFormat },
    },
    ["gaps"],
    async ({ gaps, format = testFormat }) => suggestTest(await api.current(), gaps, format, url),
  );
  addTool<{ gaps: readonly string[] }>(
    "verify",
    "Whether the recorded traffic closes gaps: by which request and test, or what came nearest. Run the tests first, with their traffic recorded.",
    { gaps: { type: "array", items: GAP, minItems: 1 } },
    ["gaps"],
    async ({ gaps }) => {
      let verification: GapVerification | undefined;
      await api.measure((loaded) => verification = new GapVerification(loaded, gaps));
      return verifiedJson(verification?.result() ?? []);
    },
  );
  addTool<{ operation: string }>(
    "explain_operation",
    "An operation as the description has it, with the components that it refers to, and what tests have shown of it.",
    { operation: OPERATION },
    ["operation"],
    async ({ operation }) => {
      const current = await api.current();
      const excerpt = explainOperation(current, operation);
      const shown = digestCoverage(current, api.report(), excerpt.operation);
      return JSON.stringify({ ...excerpt, ...shown });
    },
  );
  server.registerResource(
    "operation",
    new ResourceTemplate("covtool://operation/{name}", {
      list: async () => ({
        resources: (await api.answer(() => api.current())).plan.operations.map(({ model }) => ({
          name: operationName(model),
          uri: `covtool://operation/${encodeURIComponent(operationName(model))}`,
          mimeType: "application/json",
        })),
      }),
    }),
    { description: "An operation of the description, with the components that it refers to." },
    async (uri, { name }) => {
      const text = await api.answer(async () =>
        JSON.stringify(explainOperation(await api.current(), decodeUri(String(name))))
      );
      return { contents: [{ uri: uri.href, mimeType: "application/json", text }] };
    },
  );
  return server;
}

function suggestTest(
  api: MeasuredApi,
  gaps: readonly string[],
  name: string,
  server: string | undefined,
): string {
  const format = TEST_FORMATS.find((one) => one.name === name);
  if (format === undefined) throw new CommandError(`Unknown format ${JSON.stringify(name)}.`);
  const { requests, unreachable } = suggestFor(api, { gaps, server, serverPlaceholder: true });
  const tests = describeTests(api, requests).filter((test) => format.refuses?.(test) !== true);
  if (tests.length > 0) return format.write(tests, "api");
  if (requests.length > 0) {
    throw new CommandError(`${name} cannot send such a request. Choose another format.`);
  }
  const [reason = "The traffic closes them already, so there is nothing to test."] = unreachable
    .map(({ reason }) => reason);
  throw new CommandError(reason);
}
