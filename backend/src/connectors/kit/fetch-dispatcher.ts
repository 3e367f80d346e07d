/** The part of undici’s Dispatcher, the network layer below fetch, that fetch uses. */
interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/**
 * Where Node’s own undici registers the dispatcher of all fetches of the process: its `lib/global.js`, changed in version 8. A
 * package may contain another version, with its own place.
 */
const GLOBAL_DISPATCHER = Symbol.for(
  `undici.globalDispatcher.${Number.parseInt(process.versions['undici'] ?? '', 10) >= 8 ? 2 : 1}`,
);

/**
 * For fetch: the dispatcher of the process without its own limits. It gives up when the head of an answer, or a part of its body,
 * takes longer than 5 minutes, and fetch has no option for that. The caller must abort requests that take too long.
 *
 * It is looked up for each request: Node creates it at the first fetch, and it may be replaced to use a proxy.
 */
export const withoutTimeLimits = {
  dispatch(options: object, handler: object): boolean {
    const dispatcher = (globalThis as object as Record<symbol, Dispatcher | undefined>)[GLOBAL_DISPATCHER];
    if (!dispatcher) throw new Error('this version of Node has no dispatcher for fetch');
    return dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  },
} as NonNullable<RequestInit['dispatcher']>;
