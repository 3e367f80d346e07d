import { Injectable } from '@nestjs/common';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { Selection } from '../run/review-schema.js';

export type SaveSelection = (query: TenantQuery, connectionId: string, selection: Selection, isPaused: boolean) => Promise<void>;

/** Stores what a connection writes, in the transaction of its schema changes. This module cannot import `connections`. */
@Injectable()
export class SelectionWriter {
  private write: SaveSelection | undefined;

  register(write: SaveSelection): void {
    this.write = write;
  }

  async save(...change: Parameters<SaveSelection>): Promise<void> {
    if (!this.write) throw new Error('No module stores selections.');
    await this.write(...change);
  }
}
