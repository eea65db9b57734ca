// The load of the proxy benchmark, in a process of its own: keeps connections busy and prints a line of JSON.
import process from "node:process";
import { print } from "../../scripts/print.ts";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

const [proxyPort = "0", address = "", seconds = "3", connections = "16"] = process.argv.slice(2);
const url = new URL(address);
const isSecure = url.protocol === "https:";
const isDirect = proxyPort === "0";
const target = isSecure || isDirect ? url.pathname + url.search : address;
const request = `GET ${target} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: */*\r\n\r\n`;
const end = performance.now() + Number(seconds) * 1000;
const latencies: number[] = [];
let bytes = 0;
let errors = 0;

function drive(socket: Socket): void {
  let head = "";
  let left = -1;
  let sent = 0;
  const send = (): void => {
    if (performance.now() > end) {
      socket.destroy();
      return;
    }
    sent = performance.now();
    socket.write(request);
  };
  socket.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (left >= 0) left -= chunk.length;
    else {
      head += String.fromCharCode(...chunk.subarray(0, 8192));
      const stop = head.indexOf("\r\n\r\n");
      if (stop < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1]);
      const before = head.length - Math.min(chunk.length, 8192);
      left = length - (before + chunk.length - stop - 4);
      head = "";
    }
    if (left > 0) return;
    left = -1;
    latencies.push(performance.now() - sent);
    send();
  });
  send();
}

function open(): void {
  const socket = connect(isDirect ? Number(url.port) : Number(proxyPort), "127.0.0.1", () => {
    socket.setNoDelay(true);
    if (isDirect) drive(socket);
    else if (!isSecure) drive(socket);
    else {
      socket.write(`CONNECT ${url.host} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
      socket.once("data", () => {
        const secure = connectTls(
          { socket, servername: "localhost", rejectUnauthorized: false },
          () => drive(secure),
        );
        secure.on("error", () => errors++);
      });
    }
  });
  socket.on("error", () => errors++);
}

for (let index = 0; index < Number(connections); index++) open();
process.on("exit", () => {
  latencies.sort((one, other) => one - other);
  print(JSON.stringify({
    perSecond: latencies.length / Number(seconds),
    median: latencies[latencies.length >> 1] ?? null,
    megabytes: bytes / 1e6 / Number(seconds),
    errors,
  }));
});
