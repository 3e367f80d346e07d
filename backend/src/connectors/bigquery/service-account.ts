import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { AccessTokenProvider } from '../kit/contract.js';
import { sendRequest } from '../kit/http.js';
import { toDestinationError } from './errors.js';
import { BigQueryFailure } from './failure.js';
import { readKeyFile, type BigQuerySettings, type DestinationSettings, type ServiceAccountKey } from './settings.js';

const SCOPE = 'https://www.googleapis.com/auth/bigquery';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Google's limit for the lifetime of an assertion. */
const ASSERTION_SECONDS = 3_600;
/** A token that expires within this time is not used for another request. */
const MARGIN_MS = 60_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().default(ASSERTION_SECONDS) });
const refusal = z.object({ error: z.string(), error_description: z.string().default('') });

/** Tokens of a service account: an assertion signed with its key is exchanged for a token that is valid for an hour. */
export class ServiceAccount implements AccessTokenProvider {
  private readonly settings: BigQuerySettings;
  private readonly destination: DestinationSettings;
  private readonly keyFile: string;
  private token: { value: string; expiresAt: number } | null = null;
  /** Shared by concurrent callers. */
  private pending: Promise<string> | null = null;

  constructor(settings: BigQuerySettings, destination: DestinationSettings, keyFile: string) {
    this.settings = settings;
    this.destination = destination;
    this.keyFile = keyFile;
  }

  async accessToken(signal: AbortSignal, options?: { refused: string }): Promise<string> {
    const isFresh = this.token !== null && this.token.expiresAt - MARGIN_MS > this.settings.now().getTime();
    if (this.token && isFresh && this.token.value !== options?.refused) return this.token.value;
    this.pending ??= this.requestToken(signal).finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  private async requestToken(signal: AbortSignal): Promise<string> {
    try {
      const key = this.readKey();
      const form = new URLSearchParams({ grant_type: GRANT_TYPE, assertion: await this.sign(key) });
      const context = { signal, onRequest: () => undefined };
      const answer = await sendRequest({ baseUrl: this.settings.tokenUrl, serviceName: 'Google' }, context, {
        method: 'POST',
        path: '',
        form,
      });
      const body = parseOrNull(await answer.text());
      const parsed = tokenAnswer.safeParse(body);
      if (answer.status !== 200 || !parsed.success) throw toTokenFailure(answer.status, body);
      const expiresAt = this.settings.now().getTime() + parsed.data.expires_in * 1_000;
      this.token = { value: parsed.data.access_token, expiresAt };
      return this.token.value;
    } catch (error) {
      throw toDestinationError(error, this.destination);
    }
  }

  /** Rejects a key file with another token address: a manipulated file could redirect the signature or the requests. */
  private readKey(): ServiceAccountKey {
    const key = readKeyFile(this.keyFile);
    if (!key) throw failure('keyUnreadable');
    if (key.tokenUri !== this.settings.tokenUrl) throw failure('tokenUriRefused');
    return key;
  }

  private async sign({ clientEmail, privateKey, privateKeyId }: ServiceAccountKey): Promise<string> {
    const key = await importPKCS8(privateKey, 'RS256').catch((cause: unknown) => {
      throw failure('keyUnreadable', cause);
    });
    const nowSeconds = Math.floor(this.settings.now().getTime() / 1_000);
    return new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: privateKeyId })
      .setIssuer(clientEmail)
      .setAudience(this.settings.tokenUrl)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + ASSERTION_SECONDS)
      .sign(key);
  }
}

/** Google returns `invalid_grant` for every cause. Only the description distinguishes a deleted key from a wrong clock. */
function toTokenFailure(status: number, body: unknown): BigQueryFailure {
  const parsed = refusal.safeParse(body);
  const { error, error_description: description } = parsed.success ? parsed.data : { error: '', error_description: '' };
  if (status >= 500 || status === 429 || error === '') return new BigQueryFailure({ status, reason: '', message: description });
  const reason = /signature/i.test(description)
    ? 'token.signature'
    : /account not found/i.test(description)
      ? 'token.account_not_found'
      : /short-lived|iat and exp/i.test(description)
        ? 'token.clock'
        : 'token.refused';
  return new BigQueryFailure({ status, reason, message: description });
}

function failure(reason: string, cause?: unknown): BigQueryFailure {
  return Object.assign(new BigQueryFailure({ status: 0, reason, message: '' }), { cause });
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
