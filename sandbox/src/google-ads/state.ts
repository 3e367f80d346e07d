import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { preciseNow } from '../clock.ts';
import type { Fault, Faults } from '../faults.ts';
import type { ProviderParts } from '../provider.ts';
import type { ConversionStore } from './conversion-store.ts';
import type { Revocations } from './revocations.ts';
import { accessTokenSeconds, type TokenClaims } from './tokens.ts';

interface Saved {
  /** By 'user clientId': tokens issued before this time are invalid. */
  revokedAt: Record<string, number>;
  /** By 'customerId dayNumber': number of restatements of the day. */
  revisions: Record<string, number>;
}

export type TokenProblem = 'OAUTH_TOKEN_EXPIRED' | 'OAUTH_TOKEN_REVOKED' | 'ACCESS_TOKEN_EXPIRED';

/** State of the simulated Google. Stored in a file if there is a data folder, to survive restarts. */
export class GoogleAdsState {
  readonly clock: Clock;
  readonly faults: Faults;
  /** 'user clientId' of earlier consents. Google returns a refresh token only the first time, unless requested. */
  readonly consents = new Set<string>();
  readonly conversions: ConversionStore;
  readonly #revocations: Revocations;
  readonly #file: string | null;
  readonly #saved: Saved;

  constructor({ clock, faults, dataDir }: ProviderParts, revocations: Revocations, conversions: ConversionStore) {
    this.clock = clock;
    this.faults = faults;
    this.conversions = conversions;
    conversions.open(dataDir);
    this.#file = dataDir ? join(dataDir, 'google-ads.json') : null;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.#saved = readSaved(this.#file);
    this.#revocations = revocations;
    this.#saved.revokedAt = Object.assign(revocations.revokedAt, this.#saved.revokedAt);
  }

  revoke(claims: TokenClaims): void {
    this.#revocations.add(claims);
    this.consents.delete(`${claims.user} ${claims.clientId}`);
    this.#save();
  }

  tokenProblem(claims: TokenClaims): TokenProblem | null {
    if (this.#revocations.isRevoked(claims) || this.#find('revoke', claims)) return 'OAUTH_TOKEN_REVOKED';
    if (claims.kind === 'refresh') return null;
    if (preciseNow() > claims.issuedAt + accessTokenSeconds * 1_000) return 'OAUTH_TOKEN_EXPIRED';
    const expired = this.#find('expire_token', claims);
    if (!expired) return null;
    return expired.parameters.frontDoor === true ? 'ACCESS_TOKEN_EXPIRED' : 'OAUTH_TOKEN_EXPIRED';
  }

  revisionOf(customerId: string, dayNumber: number): number {
    return this.#saved.revisions[`${customerId} ${dayNumber}`] ?? 0;
  }

  restate(customerId: string, fromDay: number, toDay: number): void {
    for (let day = fromDay; day <= toDay; day++)
      this.#saved.revisions[`${customerId} ${day}`] = this.revisionOf(customerId, day) + 1;
    this.#save();
  }

  #find(fault: string, claims: TokenClaims): Fault | undefined {
    return this.faults.findForToken('google-ads', fault, claims.user, claims.issuedAt);
  }

  #save(): void {
    if (!this.#file) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#saved));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function readSaved(file: string | null): Saved {
  try {
    return file ? (JSON.parse(readFileSync(file, 'utf8')) as Saved) : { revokedAt: {}, revisions: {} };
  } catch {
    return { revokedAt: {}, revisions: {} };
  }
}
