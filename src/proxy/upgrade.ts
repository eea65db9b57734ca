import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { failureSentence } from "./failure_sentence.ts";
import { endToEnd, fieldRecord, fieldValue, withField } from "./header_fields.ts";
import { plainAnswer } from "./plain_answer.ts";
import { forwardedFields } from "./request_fields.ts";
import type { Services } from "./services.ts";
import { endTogether, join } from "./splices.ts";
import type { Target } from "./target.ts";

/** Bytes that the head of an answer may have. */
const LONGEST_HEAD = 64 * 1024;

/**
 * Passes on a request that changes the protocol, as WebSocket does (RFC 6455): from the answer on, bytes flow both
 * ways untouched. The interaction is recorded when the answer comes.
 *
 * @param head What the client sent behind its request.
 */
export function passUpgrade(
  request: IncomingMessage,
  client: Socket,
  head: Uint8Array,
  target: Target,
  services: Services,
): void {
  pass(request, client, head, target, services).catch((error) => {
    services.guard.report(error);
    client.destroy();
  });
}

async function pass(
  request: IncomingMessage,
  client: Socket,
  head: Uint8Array,
  target: Target,
  services: Services,
): Promise<void> {
  const timestamp = Date.now() / 1000;
  const started = performance.now();
  const { fields } = endToEnd(request.rawHeaders);
  const sent = target.hostField === undefined
    ? fields
    : withField(fields, "Host", target.hostField);
  client.on("error", () => {});
  client.setTimeout(0);
  client.setNoDelay(true);
  let server: Socket;
  try {
    const { upstream } = services;
    server = await (target.isSecure ? upstream.connectTls(target) : upstream.connect(target));
  } catch (error) {
    const failure = failureSentence(target, error);
    services.onFailure(target, failure);
    refuse(client, failure.sentence);
    return;
  }
  if (client.destroyed) {
    server.destroy();
    return;
  }
  const end = services.begin(() => {
    client.destroy();
    server.destroy();
  });
  // Once the protocol has changed, nobody knows when it is over: nothing waits for that.
  client.once("close", end);
  endTogether(client, server);
  const lines = [`${request.method} ${target.path} HTTP/1.1`];
  const forwarded = forwardedFields(sent, request, target);
  for (let index = 0; index < forwarded.length; index += 2) {
    lines.push(`${forwarded[index]}: ${forwarded[index + 1]}`);
  }
  const protocol = fieldValue(request.rawHeaders, "upgrade") ?? "websocket";
  lines.push(`Via: ${services.mark.via}`, "Connection: Upgrade", `Upgrade: ${protocol}`, "", "");
  server.write(latin1(lines.join("\r\n")));
  if (head.length > 0) server.write(head);

  let answer = "";
  const fail = (): void => {
    client.destroy();
    server.destroy();
  };
  const onData = services.guard.handler((chunk: Uint8Array) => {
    answer += String.fromCharCode(...chunk.subarray(0, LONGEST_HEAD));
    client.write(chunk);
    const isWhole = answer.includes("\r\n\r\n");
    if (!isWhole && answer.length < LONGEST_HEAD) return;
    server.off("data", onData);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? Number.NaN);
    if (services.isCaptured(target) && status >= 100) {
      services.record({
        request: {
          method: request.method ?? "GET",
          url: target.url,
          headers: fieldRecord(sent, "as_sent"),
        },
        response: {
          status_code: status,
          elapsed: Math.round((performance.now() - started) * 1000) / 1e6,
        },
        timestamp,
      });
    }
    end();
    join(client, server);
  }, fail);
  server.on("data", onData);
}

function refuse(client: Socket, sentence: string): void {
  client.end(plainAnswer("502 Bad Gateway", `covtool proxy: ${sentence}\n`));
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
