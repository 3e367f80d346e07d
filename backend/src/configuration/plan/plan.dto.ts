import { Matches } from 'class-validator';

/** What an import does with one entry of the file. */
export class PlanItem {
  kind: 'app' | 'source' | 'destination' | 'connection' | 'conversion' | 'payment' | 'webhook' | 'notification_rule';
  /** Place in the file, such as `connections.3`. */
  place: string;
  name: string;
  /** `conflict`: it exists and cannot be changed by an import. `not_importable`: it cannot be created here. Both are skipped. */
  action: 'create' | 'change' | 'unchanged' | 'conflict' | 'not_importable';
  /** What a user has to enter before it works: a sign-in, credentials or a secret; null: nothing. */
  needs: string | null;
  /** One line for each difference or consequence. */
  changes: string[];
  /** Why it is skipped; null: it is not. */
  reason: string | null;
}

export class PlanCounts {
  create: number;
  change: number;
  unchanged: number;
  conflict: number;
  notImportable: number;
  /** Entries that need a sign-in, credentials or a secret. */
  needsCredentials: number;
}

export class ImportResult {
  counts: PlanCounts;
  /** In the order of the file. */
  items: PlanItem[];
}

export class ConfigurationPlan extends ImportResult {
  /** Identifies the file and the state of the organization. The import is applied only if both are unchanged. */
  digest: string;
}

export class ApplyQuery {
  /**
   * `digest` of the plan.
   * @example '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'
   */
  @Matches(/^[0-9a-f]{64}$/, { message: 'digest must be the digest of a plan' })
  digest: string;
}

export type Kind = PlanItem['kind'];
export type PlanAction = PlanItem['action'];
