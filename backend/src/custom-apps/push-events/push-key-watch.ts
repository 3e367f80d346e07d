import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../core/database/tenant-database.js';

type Listener = (transaction: TenantTransaction, appId: string, state: 'connected' | 'draft') => Promise<void>;

/** Called in the transaction that changes a push key. This module cannot import `apps`, which stores the state of the app. */
@Injectable()
export class PushKeyWatch {
  private listener: Listener = () => Promise.resolve();

  inTransaction(listener: Listener): void {
    this.listener = listener;
  }

  notify: Listener = (transaction, appId, state) => this.listener(transaction, appId, state);
}
