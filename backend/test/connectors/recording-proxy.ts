import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  path: string;
  body: unknown;
}

export interface RecordingProxy {
  url: string;
  /** The requests with a JSON body, in order. */
  requests: RecordedRequest[];
  stop(): Promise<void>;
}

/** Forwards every request to the sandbox unchanged and records whole bodies, because the sandbox's own log truncates them. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const chunks: Buffer[] = [];
    const upstream = request(target + path, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      if (headers['content-type']?.startsWith('application/json') && chunks.length > 0)
        requests.push({ method, path, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
    });
    incoming.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
