import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { preciseNow } from '../clock.ts';
import type { Faults } from '../faults.ts';
import type { TokenClaims } from './tokens.ts';

export interface SavedReportRun {
  id: string;
  accountId: string;
  user: string;
  /** The posted parameters, without secrets. */
  parameters: string;
  /** Milliseconds in the sandbox's time. */
  startedAt: number;
  /** In the account's own calendar. A run has the metrics of its start day. */
  today: number;
}

interface Saved {
  /** By 'user clientId': tokens issued before this time are invalid. */
  revokedAt: Record<string, number>;
  /** By 'user clientId': declined permissions. */
  declined: Record<string, string[]>;
  /** By 'accountId dayNumber': number of restatements of the day. */
  revisions: Record<string, number>;
  /** By client id, as last used at the token endpoint. Used to verify appsecret_proof. */
  appSecrets: Record<string, string>;
  reportRuns: SavedReportRun[];
}

const keptReportRuns = 500;

/** State of the simulated Meta. Stored in a file if there is a data folder, to survive restarts. */
export class MetaAdsState {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly #file: string | null;
  readonly #saved: Saved;

  constructor(clock: Clock, faults: Faults, dataDir: string | undefined) {
    this.clock = clock;
    this.faults = faults;
    this.#file = dataDir ? join(dataDir, 'meta-ads.json') : null;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.#saved = { revokedAt: {}, declined: {}, revisions: {}, appSecrets: {}, reportRuns: [], ...readSaved(this.#file) };
  }

  nowSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1_000);
  }

  /** The subcode of code 190 for an invalid token, or null for a valid one. */
  tokenProblem(claims: TokenClaims): number | null {
    const revokedAt = this.#saved.revokedAt[`${claims.user} ${claims.clientId}`] ?? 0;
    if (claims.issuedAt <= revokedAt) return 458;
    const revoke = this.faults.findForToken('meta-ads', 'revoke', claims.user, claims.issuedAt);
    if (revoke) return typeof revoke.parameters.subcode === 'number' ? revoke.parameters.subcode : 458;
    const isOld = this.nowSeconds() >= Math.min(claims.expiresAt, claims.dataAccessExpiresAt);
    return isOld || this.faults.findForToken('meta-ads', 'expire_token', claims.user, claims.issuedAt) ? 463 : null;
  }

  revoke({ user, clientId }: TokenClaims): void {
    this.#saved.revokedAt[`${user} ${clientId}`] = preciseNow();
    this.#saved.declined[`${user} ${clientId}`] = [];
    this.#save();
  }

  declinedBy(user: string, clientId: string): string[] {
    return this.#saved.declined[`${user} ${clientId}`] ?? [];
  }

  setDeclined(user: string, clientId: string, scopes: string[]): void {
    this.#saved.declined[`${user} ${clientId}`] = scopes;
    this.#save();
  }

  appSecretOf(clientId: string): string | undefined {
    return this.#saved.appSecrets[clientId];
  }

  rememberAppSecret(clientId: string, secret: string): void {
    if (this.#saved.appSecrets[clientId] === secret) return;
    this.#saved.appSecrets[clientId] = secret;
    this.#save();
  }

  addReportRun(run: SavedReportRun): void {
    this.#saved.reportRuns = [...this.#saved.reportRuns, run].slice(-keptReportRuns);
    this.#save();
  }

  findReportRun(id: string): SavedReportRun | undefined {
    return this.#saved.reportRuns.find((run) => run.id === id);
  }

  revisionOf(accountId: string, dayNumber: number): number {
    return this.#saved.revisions[`${accountId} ${dayNumber}`] ?? 0;
  }

  restate(accountId: string, fromDay: number, toDay: number): void {
    for (let day = fromDay; day <= toDay; day++)
      this.#saved.revisions[`${accountId} ${day}`] = this.revisionOf(accountId, day) + 1;
    this.#save();
  }

  #save(): void {
    if (!this.#file) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#saved));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function readSaved(file: string | null): Partial<Saved> {
  try {
    return file ? (JSON.parse(readFileSync(file, 'utf8')) as Saved) : {};
  } catch {
    return {};
  }
}
