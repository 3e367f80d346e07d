import { Injectable } from '@nestjs/common';
import { type Actor, assertAllowed, type Permission } from '../../access/index.js';
import { notFound } from '../../core/http/problem.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { DeletableType } from '../organizations.dto.js';

export interface Deleter {
  /** What it takes to delete such a thing. */
  permission: Permission;
  /** Soft-deletes one, by the same rules as its own route. */
  delete(actor: Actor, id: string): Promise<void>;
}

/** The documented delete reaches things of rooms to the right, which cannot be called from here: they register what they can delete. */
@Injectable()
export class DeleterService {
  private readonly deleters = new Map<DeletableType, Deleter>();
  private readonly stoppers: ((organizationId: string) => Promise<void>)[] = [];
  private readonly leavers: ((organizationId: string) => Promise<void>)[] = [];
  private readonly promises: ((query: TenantQuery) => Promise<void>)[] = [];

  register(type: DeletableType, deleter: Deleter): void {
    this.deleters.set(type, deleter);
  }

  /** Stops what moves in an organization when it is deleted. */
  beforeDelete(stop: (organizationId: string) => Promise<void>): void {
    this.stoppers.push(stop);
  }

  /** Queues, in the transaction that deletes an organization, what must come of it however that ends for this process. */
  inDeleteTransaction(promise: (query: TenantQuery) => Promise<void>): void {
    this.promises.push(promise);
  }

  /** Ends outside what an organization holds, before its rows go for good; what cannot be reached is left. */
  beforePurge(leave: (organizationId: string) => Promise<void>): void {
    this.leavers.push(leave);
  }

  async runBeforePurge(organizationId: string): Promise<void> {
    for (const leave of this.leavers) await leave(organizationId);
  }

  async runInDeleteTransaction(query: TenantQuery): Promise<void> {
    for (const promise of this.promises) await promise(query);
  }

  async runBeforeDelete(organizationId: string): Promise<void> {
    for (const stop of this.stoppers) await stop(organizationId);
  }

  async delete(actor: Actor, type: DeletableType, id: string): Promise<void> {
    const deleter = this.deleters.get(type);
    if (!deleter) throw notFound(`The ${type}`);
    assertAllowed(actor, deleter.permission);
    await deleter.delete(actor, id);
  }
}
