import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { candidatesOf, readSystemNames } from './system-names.js';

/** One name server that does not answer is asked twice, then the next one. */
const QUERY = { timeout: 2_000, tries: 2 };
const LOOKUP_MS = 5_000;
/** Codes of answers that a name does not exist. https://nodejs.org/api/dns.html#error-codes */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

interface HostLookup {
  /** Whether names count that only this system knows: those of /etc/hosts, and search domains. */
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
  const system = usesSystem ? await readSystemNames() : null;
  const addresses = system?.hosts.get(host.toLowerCase());
  if (addresses) return addresses;
  let failure: unknown;
  for (const name of system ? candidatesOf(host, system) : [host]) {
    try {
      signal.throwIfAborted();
      return await askNameServers(name, signal);
    } catch (error) {
      outer?.throwIfAborted();
      failure = error;
      // A later name may be one of another owner. It is asked for only if the earlier ones do not exist.
      if (!UNKNOWN.has(codeOf(error))) break;
    }
  }
  throw failed(host, UNKNOWN.has(codeOf(failure)) ? 'ENOTFOUND' : 'EAI_AGAIN', failure);
}

async function askNameServers(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver(QUERY);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = (prefersIpv6() ? [v6, v4] : [v4, v6]).flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const reasons = [v4, v6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    throw reasons.find((reason) => !UNKNOWN.has(codeOf(reason))) ?? reasons[0] ?? failed(name, 'ENOTFOUND');
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** A global unicast address, 2000::/3. Only the first address of a host is used, and getaddrinfo prefers IPv6 then (RFC 6724). */
const GLOBAL_IPV6 = /^[23][0-9a-f]{3}:/i;

const prefersIpv6 = (): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some(({ address, internal }) => !internal && GLOBAL_IPV6.test(address)));

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const failed = (host: string, code: 'ENOTFOUND' | 'EAI_AGAIN', cause?: unknown): Error =>
  Object.assign(new Error(`${host} could not be looked up`, { cause }), { code });
