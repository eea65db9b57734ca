import {
  type PluginSink,
  type ReceivedContent,
  recordWhenComplete,
  type SentRequest,
} from "./plugin_sink.ts";

/**
 * A request and its response, as passed to `record()`.
 *
 * @internal
 */
export interface RecordedCall {
  readonly sent: SentRequest;
  readonly status: number | undefined;
  readonly content?: ReceivedContent | undefined;
}

/** Records what a client sends. */
export abstract class ClientPlugin<Request, Response> {
  /** The sink to which interactions go. */
  protected readonly sink: PluginSink;
  /** The name of the client in diagnostics. */
  protected readonly client: string;

  /** Creates a plugin that records into a sink. */
  constructor(sink: PluginSink, client: string) {
    this.sink = sink;
    this.client = client;
  }

  /** Reads the request and the response that were passed to `record()`. */
  protected abstract read(request: Request, response: Response | undefined): RecordedCall;

  /** Runs code that must not disturb the client. An error becomes a diagnostic, and the result is undefined. */
  protected guard<Result>(work: () => Result): Result | undefined {
    return this.sink.guard(this.client, work);
  }

  /**
   * Records one request.
   *
   * @param timestamp Seconds since 1970.
   * @param elapsed Seconds from sending the request to its response.
   * @returns a promise that resolves when the body was read; it never rejects.
   */
  async record(
    request: Request,
    response?: Response | null,
    timestamp?: number,
    elapsed?: number,
  ): Promise<void> {
    await this.guard(() => {
      const { sent, status, content } = this.read(request, response ?? undefined);
      const received = status === undefined ? undefined : { status_code: status, elapsed };
      const context = { timestamp, test: this.sink.testName };
      return recordWhenComplete(this.sink, this.client, sent, received, context, content);
    });
  }
}
