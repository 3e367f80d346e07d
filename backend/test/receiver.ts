import { randomUUID, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { makeAuthority } from './connectors/certificates.js';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An HTTPS server of a user, with a certificate that this process trusts. */
export interface Receiver {
  url: string;
  /** Received requests, oldest first. */
  received: Received[];
  /** How it answers from now on; a status of 0 never answers. */
  answer: { status: number; body?: string; location?: string };
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const authority = await makeAuthority(`Receiver ${randomUUID()}`);
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.cert]);
  const received: Received[] = [];
  const server = createServer(await authority.issue({ dns: 'localhost', ip: '127.0.0.1' }), (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, body: text = 'ok', location } = receiver.answer;
      if (status > 0) response.writeHead(status, location ? { location } : {}).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: { status: 200 },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Standard Webhooks as its specification describes it, with the browser's cryptography. */
export async function isSigned({ headers, body }: Received, secret: string): Promise<boolean> {
  const data = new TextEncoder().encode(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`);
  const raw = Uint8Array.from(atob(secret.replace('whsec_', '')), (character) => character.charCodeAt(0));
  const key = await webcrypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signatures = String(headers['webhook-signature']).split(' ');
  const verified = signatures.map((signature) => {
    const [version, digest = ''] = signature.split(',');
    const bytes = Uint8Array.from(atob(digest), (character) => character.charCodeAt(0));
    return version === 'v1' ? webcrypto.subtle.verify('HMAC', key, bytes, data) : Promise.resolve(false);
  });
  return (await Promise.all(verified)).includes(true);
}
