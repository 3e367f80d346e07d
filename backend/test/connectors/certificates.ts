import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

const DAY_MS = 24 * 60 * 60 * 1_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A server's certificate and key, as PEM. */
export interface ServerCertificate {
  cert: string;
  key: string;
}

export interface Authority {
  /** PEM, for clients that trust it. */
  cert: string;
  issue(names: { dns?: string; ip?: string; isExpired?: boolean }): Promise<ServerCertificate>;
}

export async function makeAuthority(name: string): Promise<Authority> {
  const keys = await makeKeys();
  const root = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    ...validity(false),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    cert: root.toString('pem'),
    issue: async ({ dns, ip, isExpired = false }) => {
      const ownKeys = await makeKeys();
      const certificate = await X509CertificateGenerator.create({
        subject: `CN=${dns ?? ip}`,
        issuer: root.subject,
        ...validity(isExpired),
        signingAlgorithm: algorithm,
        publicKey: ownKeys.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new SubjectAlternativeNameExtension([
            ...(dns === undefined ? [] : [{ type: 'dns' as const, value: dns }]),
            ...(ip === undefined ? [] : [{ type: 'ip' as const, value: ip }]),
          ]),
        ],
      });
      return { cert: certificate.toString('pem'), key: await toPem(ownKeys.privateKey) };
    },
  };
}

function validity(isExpired: boolean): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - 2 * DAY_MS), notAfter: new Date(now + (isExpired ? -DAY_MS : DAY_MS)) };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function toPem(key: webcrypto.CryptoKey): Promise<string> {
  const base64 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
