import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:https';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { X509CertificateGenerator } from '@peculiar/x509';
import { makeAuthority } from './connectors/certificates.js';

/** Where the SDK fetches the certificates that sign ID tokens. */
const HOST = 'www.googleapis.com';
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2_048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** Replaces Google's published certificates. */
export interface GoogleCertificates {
  /** Connects requests to Google's host to this server instead. */
  agent: Agent;
  /** Signs like Google, with the key id `one`. */
  signing: webcrypto.CryptoKey;
  fetches(): number;
  stop(): Promise<void>;
}

export async function startGoogleCertificates(): Promise<GoogleCertificates> {
  const keys = await webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({ name: 'CN=securetoken', keys, signingAlgorithm: RSA });
  const authority = await makeAuthority('Test authority');
  let fetches = 0;
  const server = createServer(await authority.issue({ dns: HOST }), (_request, response) => {
    fetches += 1;
    response.setHeader('Content-Type', 'application/json').setHeader('Cache-Control', 'public, max-age=3600');
    response.end(JSON.stringify({ one: certificate.toString('pem') }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent();
  agent.createConnection = () => connect({ host: '127.0.0.1', port, servername: HOST, ca: authority.cert });
  return {
    agent,
    signing: keys.privateKey,
    fetches: () => fetches,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
