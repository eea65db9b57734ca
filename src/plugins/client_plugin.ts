import {
  type PluginSink,
  type ReceivedContent,
  recordSent,
  type SentRequest,
} from "./plugin_sink.ts";

/**
 * A request and its response, as whoever sent it hands them over.
 *
 * @internal
 */
export interface HandedOver {
  readonly sent: SentRequest;
  readonly status: number | undefined;
  readonly content?: ReceivedContent | undefined;
}

/** Records what one client sends. */
export abstract class ClientPlugin<Request, Response> {
  /** The place that interactions go to. */
  protected readonly sink: PluginSink;
  /** What diagnostics call the client. */
  protected readonly client: string;

  /** Records into the sink. */
  constructor(sink: PluginSink, client: string) {
    this.sink = sink;
    this.client = client;
  }

  /** Reads a request and its response. */
  protected abstract read(request: Request, response: Response | undefined): HandedOver;

  /** Does something that must not disturb the client: a fault becomes a diagnostic, and undefined. */
  protected guard<Result>(work: () => Result): Result | undefined {
    return this.sink.guard(this.client, work);
  }

  /**
   * Records one request.
   *
   * @param timestamp Seconds since 1970.
   * @param elapsed Seconds from sending the request to its response.
   * @returns when its body was read; never rejects.
   */
  async record(
    request: Request,
    response?: Response | null,
    timestamp?: number,
    elapsed?: number,
  ): Promise<void> {
    await this.guard(() => {
      const { sent, status, content } = this.read(request, response ?? undefined);
      const answer = status === undefined ? undefined : { status_code: status, elapsed };
      const when = { timestamp, test: this.sink.testName };
      return recordSent(this.sink, this.client, sent, answer, when, content);
    });
  }
}
