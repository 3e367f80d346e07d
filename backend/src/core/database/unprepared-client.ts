import pg from 'pg';

type Query = (...given: unknown[]) => unknown;

/**
 * Sends named statements without their names. A pooler in transaction mode executes a statement in another session than the one that
 * prepared it, where the name is unknown or belongs to another statement.
 */
export class UnpreparedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this) as Query;
    this.query = ((given: unknown, ...rest: unknown[]) => send(withoutName(given), ...rest)) as typeof this.query;
  }
}

/** Objects with `submit` are statements in progress, such as COPY. */
const withoutName = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && 'name' in given && !('submit' in given) ? { ...given, name: undefined } : given;
