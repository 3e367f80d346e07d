import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { accessTokenSeconds, issueToken } from '../google-ads/tokens.ts';
import { InvalidFault } from '../faults.ts';
import { serviceAccounts, type Principal } from './principals.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const maximumLifeSeconds = 3_600;
/** Allowed clock difference between client and Google. */
const skewSeconds = 300;
const shortLived =
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.';

/** An error of the token endpoint, in the format of RFC 6749. */
export class TokenRefused extends Error {
  readonly body: { error: string; error_description: string };

  constructor(error: string, description: string) {
    super(description);
    this.body = { error, error_description: description };
  }
}

/** One key pair for all accounts. It is public, because it gives access only to the sandbox. */
export class ServiceAccounts {
  readonly #clock: Clock;
  readonly #dataDir: string | undefined;
  #key: KeyObject | undefined;

  constructor(clock: Clock, dataDir: string | undefined) {
    this.#clock = clock;
    this.#dataDir = dataDir;
  }

  /** The key file as downloaded from the Cloud console, with the sandbox's addresses. */
  keyFile(name: string, baseUrl: string): Record<string, string> {
    const account = serviceAccounts.get(name);
    if (!account) throw new InvalidFault(`Unknown service account ${name}`, { known: [...serviceAccounts.keys()] });
    return {
      type: 'service_account',
      project_id: 'northwind-marketing',
      private_key_id: this.#keyId(),
      private_key: this.#privateKey().export({ type: 'pkcs8', format: 'pem' }).toString(),
      client_email: account.email,
      client_id: String(BigInt(`0x${createHash('sha256').update(account.email).digest('hex').slice(0, 16)}`)),
      auth_uri: `${baseUrl}/google-ads/oauth/auth`,
      token_uri: `${baseUrl}/bigquery-api/token`,
      universe_domain: 'googleapis.com',
    };
  }

  /** Exchanges a signed assertion for an access token. `tokenUrl`: the requested address. */
  token(form: URLSearchParams, tokenUrl: string, isDeleted: (account: Principal) => boolean): Record<string, unknown> {
    if (form.get('grant_type') !== grantType)
      throw new TokenRefused('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`);
    const [head = '', payload = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const header = decode(head);
    const claims = decode(payload);
    const account = [...serviceAccounts.values()].find(({ email }) => email === claims.iss);
    if (!account || isDeleted(account)) throw new TokenRefused('invalid_grant', 'Invalid grant: account not found');
    if (header.alg !== 'RS256' || header.kid !== this.#keyId() || !this.#isSigned(`${head}.${payload}`, signature))
      throw new TokenRefused('invalid_grant', 'Invalid JWT Signature.');
    if (claims.aud !== tokenUrl) throw new TokenRefused('invalid_grant', 'Invalid JWT: Failed audience check.');
    this.#proveTime(claims.iat, claims.exp);
    if (typeof claims.scope !== 'string' || claims.scope.trim() === '')
      throw new TokenRefused('invalid_scope', 'Invalid OAuth scope or ID token audience provided.');
    const scopes = claims.scope.trim().split(/\s+/);
    const access_token = issueToken({ kind: 'access', user: account.email, clientId: 'service-account', scopes });
    return { access_token, expires_in: accessTokenSeconds, token_type: 'Bearer' };
  }

  /** Uses real time: tests move the clock of the data, while assertions have real timestamps. */
  #proveTime(iat: unknown, exp: unknown): void {
    const now = (this.#clock.now().getTime() - this.#clock.offsetDays * 86_400_000) / 1_000;
    const isSound =
      typeof iat === 'number' &&
      typeof exp === 'number' &&
      exp > now - skewSeconds &&
      iat < now + skewSeconds &&
      exp > iat &&
      exp - iat <= maximumLifeSeconds;
    if (!isSound) throw new TokenRefused('invalid_grant', shortLived);
  }

  #isSigned(text: string, signature: string): boolean {
    return verify('RSA-SHA256', Buffer.from(text), createPublicKey(this.#privateKey()), Buffer.from(signature, 'base64url'));
  }

  #keyId(): string {
    const key = createPublicKey(this.#privateKey()).export({ type: 'spki', format: 'der' });
    return createHash('sha1').update(key).digest('hex');
  }

  /**
   * Created on first use, because it takes a tenth of a second. Stored in the data folder, so that key files stay valid after a
   * restart.
   */
  #privateKey(): KeyObject {
    this.#key ??= this.#savedKey() ?? this.#newKey();
    return this.#key;
  }

  #savedKey(): KeyObject | undefined {
    try {
      return this.#dataDir ? createPrivateKey(readFileSync(join(this.#dataDir, 'service-account.pem'))) : undefined;
    } catch {
      return undefined;
    }
  }

  #newKey(): KeyObject {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    if (this.#dataDir) {
      mkdirSync(this.#dataDir, { recursive: true });
      writeFileSync(join(this.#dataDir, 'service-account.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), {
        mode: 0o600,
      });
    }
    return privateKey;
  }
}

function decode(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Falls through to the rejection below.
  }
  throw new TokenRefused('invalid_grant', 'Invalid JWT: the assertion could not be decoded.');
}
