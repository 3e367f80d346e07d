import { Injectable } from '@nestjs/common';
import { type Actor, assertAllowed, type Permission } from '../../access/index.js';
import { notFound } from '../../core/http/problem.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { DeletableType } from '../organizations.dto.js';

export interface Deleter {
  /** The permission that deletion requires. */
  permission: Permission;
  /** Soft-deletes one resource, with the same rules as its DELETE route. */
  delete(actor: Actor, id: string): Promise<void>;
}

type TransactionHook = (query: TenantQuery, organizationId: string) => Promise<void>;

/**
 * Registry for the specified delete endpoint. This module cannot import the modules of the resources, so they register deleters.
 */
@Injectable()
export class DeleterService {
  private readonly deleters = new Map<DeletableType, Deleter>();
  private readonly beforePurgeHooks: ((organizationId: string) => Promise<void>)[] = [];
  private readonly deleteTransactionHooks: TransactionHook[] = [];
  private readonly restoreTransactionHooks: TransactionHook[] = [];

  register(type: DeletableType, deleter: Deleter): void {
    this.deleters.set(type, deleter);
  }

  /**
   * The hook runs in the transaction that deletes an organization. It stops running work, and can queue jobs, which then run even
   * if this process crashes.
   */
  inDeleteTransaction(hook: TransactionHook): void {
    this.deleteTransactionHooks.push(hook);
  }

  /** The hook runs in the transaction that restores an organization. It can queue jobs. */
  inRestoreTransaction(hook: TransactionHook): void {
    this.restoreTransactionHooks.push(hook);
  }

  /**
   * The hook ends the organization's access to external services before its rows are purged. Unreachable services are skipped.
   */
  beforePurge(hook: (organizationId: string) => Promise<void>): void {
    this.beforePurgeHooks.push(hook);
  }

  async runBeforePurge(organizationId: string): Promise<void> {
    for (const hook of this.beforePurgeHooks) await hook(organizationId);
  }

  async runInDeleteTransaction(query: TenantQuery, organizationId: string): Promise<void> {
    for (const hook of this.deleteTransactionHooks) await hook(query, organizationId);
  }

  async runInRestoreTransaction(query: TenantQuery, organizationId: string): Promise<void> {
    for (const hook of this.restoreTransactionHooks) await hook(query, organizationId);
  }

  async delete(actor: Actor, type: DeletableType, id: string): Promise<void> {
    const deleter = this.deleters.get(type);
    if (!deleter) throw notFound(`The ${type}`);
    assertAllowed(actor, deleter.permission);
    await deleter.delete(actor, id);
  }
}
