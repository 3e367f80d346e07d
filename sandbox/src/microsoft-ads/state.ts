import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preciseNow, type Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import { accessTokenSeconds, type TokenClaims } from './tokens.ts';

interface Saved {
  /** Ids of refresh tokens that were already used. */
  rotatedTokens: string[];
  /** By 'accountId dayNumber': number of restatements of the day. */
  revisions: Record<string, number>;
}

const rotatedTokensKept = 5_000;

/** State of the simulated Microsoft. Stored in a file if there is a data folder, to survive restarts. */
export class MicrosoftAdsState {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly #file: string | null;
  readonly #saved: Saved;
  readonly #rotated: Set<string>;

  constructor(clock: Clock, faults: Faults, dataDir: string | undefined) {
    this.clock = clock;
    this.faults = faults;
    this.#file = dataDir ? join(dataDir, 'microsoft-ads.json') : null;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.#saved = readSaved(this.#file);
    this.#rotated = new Set(this.#saved.rotatedTokens);
  }

  rotate({ id }: TokenClaims): void {
    this.#rotated.add(id);
    this.#saved.rotatedTokens = [...this.#rotated].slice(-rotatedTokensKept);
    this.#save();
  }

  /** Why a refresh token is invalid. Both reasons give the same answer. */
  isSpent(claims: TokenClaims): boolean {
    return this.#rotated.has(claims.id) || this.#fallsUnder('revoke', claims);
  }

  mustSignInAgain(claims: TokenClaims): boolean {
    return this.#fallsUnder('interaction_required', claims);
  }

  isExpired(claims: TokenClaims): boolean {
    const isOld = preciseNow() > claims.issuedAt + accessTokenSeconds * 1_000;
    return isOld || this.#fallsUnder('expire_token', claims);
  }

  /** Microsoft accepts an access token until it expires, even after the consent was revoked. The fault ends it immediately. */
  isRevoked(claims: TokenClaims): boolean {
    return this.#fallsUnder('revoke', claims);
  }

  revisionOf(accountId: string, dayNumber: number): number {
    return this.#saved.revisions[`${accountId} ${dayNumber}`] ?? 0;
  }

  restate(accountId: string, fromDay: number, toDay: number): void {
    for (let day = fromDay; day <= toDay; day++)
      this.#saved.revisions[`${accountId} ${day}`] = this.revisionOf(accountId, day) + 1;
    this.#save();
  }

  #fallsUnder(fault: string, claims: TokenClaims): boolean {
    return this.faults.findForToken('microsoft-ads', fault, claims.user, claims.issuedAt) !== undefined;
  }

  #save(): void {
    if (!this.#file) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#saved));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function readSaved(file: string | null): Saved {
  const nothing: Saved = { rotatedTokens: [], revisions: {} };
  try {
    return file ? { ...nothing, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Saved>) } : nothing;
  } catch {
    return nothing;
  }
}
