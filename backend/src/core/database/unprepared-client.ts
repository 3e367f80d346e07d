import type pg from 'pg';
import { LimitedClient } from './limited-client.js';
import { ScopedQuery } from './organization-scope.js';

type Query = (...given: unknown[]) => unknown;

/**
 * Sends named statements without their names. A pooler in transaction mode executes a statement in another session than the one that
 * prepared it, where the name is unknown or belongs to another statement.
 */
export class UnpreparedClient extends LimitedClient {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this) as Query;
    this.query = ((given: unknown, ...rest: unknown[]) => send(withoutName(given), ...rest)) as typeof this.query;
  }
}

function withoutName(given: unknown): unknown {
  if (given instanceof ScopedQuery) return Object.assign(given, { name: undefined });
  // Other objects with `submit` are statements in progress, such as COPY.
  return typeof given === 'object' && given !== null && 'name' in given && !('submit' in given)
    ? { ...given, name: undefined }
    : given;
}
