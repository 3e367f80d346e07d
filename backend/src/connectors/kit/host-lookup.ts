import { lookup, Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { orAborted } from './or-aborted.js';

/** One name server that does not answer is asked twice, then the next one. */
const QUERY = { timeout: 2_000, tries: 2 };
const LOOKUP_MS = 5_000;
/** Codes of name servers that were not reached, or that know no such name. https://nodejs.org/api/dns.html#error-codes */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
const UNREACHED = new Set(['ECONNREFUSED']);

interface HostLookup {
  /** Whether the system is asked for names that the name servers do not know: /etc/hosts, and search domains. */
  usesSystem: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * The addresses of a host that a user entered. The name servers are asked over sockets and not with getaddrinfo: Node runs at most
 * two lookups of that kind at a time in a process, they cannot be cancelled, and a user's name server can delay its answer. Errors
 * have the codes of getaddrinfo.
 */
export async function lookUpHost(host: string, { usesSystem, signal: outer }: HostLookup): Promise<string[]> {
  const signal = AbortSignal.any([AbortSignal.timeout(LOOKUP_MS), ...(outer ? [outer] : [])]);
  try {
    signal.throwIfAborted();
    return await askNameServers(host, signal);
  } catch (error) {
    outer?.throwIfAborted();
    const code = codeOf(error);
    if (usesSystem && (UNKNOWN.has(code) || UNREACHED.has(code))) return await askSystem(host, signal, outer);
    throw failed(host, UNKNOWN.has(code) ? 'ENOTFOUND' : 'EAI_AGAIN', error);
  }
}

async function askNameServers(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver(QUERY);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = (hasIpv4() ? [v4, v6] : [v6, v4]).flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const reasons = [v4, v6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    throw reasons.find((reason) => !UNKNOWN.has(codeOf(reason))) ?? reasons[0] ?? failed(host, 'ENOTFOUND');
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** At most one such lookup at a time, so that threads remain for the lookups of the product's own hosts. */
let lastSystemLookup: Promise<unknown> = Promise.resolve();

async function askSystem(host: string, signal: AbortSignal, outer: AbortSignal | undefined): Promise<string[]> {
  const turn = lastSystemLookup.then(async () => {
    // A caller that has stopped waiting asks for nothing.
    signal.throwIfAborted();
    return lookup(host, { all: true });
  });
  lastSystemLookup = turn.catch(() => undefined);
  try {
    return (await orAborted(turn, signal)).map(({ address }) => address);
  } catch (error) {
    outer?.throwIfAborted();
    throw signal.aborted ? failed(host, 'EAI_AGAIN', error) : error;
  }
}

/** A host with IPv6 only must not be given IPv4 addresses first. */
const hasIpv4 = (): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some(({ family, internal }) => family === 'IPv4' && !internal));

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const failed = (host: string, code: 'ENOTFOUND' | 'EAI_AGAIN', cause?: unknown): Error =>
  Object.assign(new Error(`${host} could not be looked up`, { cause }), { code });
