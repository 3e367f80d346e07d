/**
 * Forwards each request to TARGET_URL once and then answers it from memory, because the sandbox generates its rows during the
 * response, which would be measured instead of the product. Prints {"url"} when ready.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Recorded {
  status: number;
  headers: Record<string, string>;
  parts: Buffer[];
}

const PART_BYTES = 64 * 1024;
const recorded = new Map<string, Promise<Recorded>>();

const server = createServer((request, response) => {
  void answer(request).then(async ({ status, headers, parts }) => {
    response.writeHead(status, headers);
    for (const part of parts) if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve));
    response.end();
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
);
process.once('SIGTERM', () => process.exit(0));

async function answer(request: IncomingMessage): Promise<Recorded> {
  const body = Buffer.concat(await request.toArray()).toString();
  const key = `${request.method} ${request.url} ${body}`;
  const known = recorded.get(key) ?? record(request, body);
  recorded.set(key, known);
  return known;
}

async function record(request: IncomingMessage, body: string): Promise<Recorded> {
  const { authorization = '' } = request.headers;
  const isPost = request.method === 'POST';
  const headers = { authorization, 'content-type': 'application/json' };
  const answered = await fetch(`${process.env['TARGET_URL']}${request.url}`, {
    method: request.method,
    headers,
    body: isPost ? body : null,
  });
  const whole = Buffer.from(await answered.arrayBuffer());
  const parts = Array.from({ length: Math.ceil(whole.length / PART_BYTES) }, (_, index) =>
    whole.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
  return { status: answered.status, headers: { 'content-type': 'application/json', 'request-id': 'replayed' }, parts };
}
