interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
  close(): Promise<void>;
}

const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const registry = globalThis as object as Record<symbol, Dispatcher>;

/** Far below the 5 minutes that fetch waits by default. Node checks such limits once a second. */
const LIMITS = { headersTimeout: 200, bodyTimeout: 200 };

/**
 * Runs `work` while all fetches of the process give up after about a second.
 * @param isStrict the limit applies even to requests that ask for another one
 */
export async function withShortFetches<Result>(isStrict: boolean, work: () => Promise<Result>): Promise<Result> {
  const usual = registry[GLOBAL_DISPATCHER];
  if (!usual) throw new Error('no fetch has created the dispatcher yet');
  const Agent = usual.constructor as new (limits: typeof LIMITS) => Dispatcher;
  const agent = new Agent(LIMITS);
  const strict = { dispatch: (options: object, handler: object) => agent.dispatch({ ...options, ...LIMITS }, handler) };
  registry[GLOBAL_DISPATCHER] = isStrict ? { ...strict, close: () => agent.close() } : agent;
  try {
    return await work();
  } finally {
    registry[GLOBAL_DISPATCHER] = usual;
    await agent.close();
  }
}
