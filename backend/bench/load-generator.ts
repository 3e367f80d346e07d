/**
 * node load-generator.ts <url>: sends requests over CONNECTIONS persistent connections, each as soon as the response has arrived,
 * for SECONDS. Prints {"perSecond","p50Ms","p99Ms"}. Writes HTTP directly to the socket to use little CPU.
 */
import { connect } from 'node:net';

const target = new URL(process.argv[2] ?? '');
const connections = Number(process.env['CONNECTIONS'] ?? 16);
const seconds = Number(process.env['SECONDS'] ?? 3);
const request = Buffer.from(
  `GET ${target.pathname}${target.search} HTTP/1.1\r\nHost: ${target.host}\r\nAccept: application/json\r\n` +
    `Authorization: Bearer ${process.env['TOKEN']}\r\n\r\n`,
);
const latenciesMs: number[] = [];
const startedAt = performance.now();
await Promise.all(Array.from({ length: connections }, callAgainAndAgain));
const took = (performance.now() - startedAt) / 1_000;
latenciesMs.sort((left, right) => left - right);
const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)];
console.log(JSON.stringify({ perSecond: latenciesMs.length / took, p50Ms: at(0.5), p99Ms: at(0.99) }));

function callAgainAndAgain(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(target.port), target.hostname);
    let received = Buffer.alloc(0);
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      if (sentAt - startedAt > seconds * 1_000) socket.end();
      else socket.write(request);
    };
    socket.on('connect', send);
    socket.on('data', (part) => {
      received = received.length === 0 ? part : Buffer.concat([received, part]);
      if (received.length < answerLength(received)) return;
      latenciesMs.push(performance.now() - sentAt);
      received = Buffer.alloc(0);
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

/** Length of head and body; infinite while the head is incomplete. */
function answerLength(received: Buffer): number {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return Infinity;
  const head = received.toString('latin1', 0, headEnd);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200') || length === undefined)
    throw new Error(`unexpected response: ${received.toString('utf8').slice(0, 500)}`);
  return headEnd + 4 + Number(length);
}
