import type { Request } from 'express';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Longer than any IP address. A proxy can send any text as the address. */
const MAX_CHARACTERS = 64;
/** Dual-stack sockets report IPv4 addresses with this prefix. */
const IPV4_IN_IPV6 = '::ffff:';

/** The client's IP address; an IPv4 address in its plain form. */
export function addressOf({ ip }: Pick<Request, 'ip'>): string | null {
  if (ip === undefined) return null;
  // The usual forms, without the cost of the parser.
  const plain = ip.startsWith(IPV4_IN_IPV6) ? ip.slice(IPV4_IN_IPV6.length) : ip;
  if (isIPv4(plain)) return plain;
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip.slice(0, MAX_CHARACTERS);
}

/** The key for rate limits: an IPv4 address, or the /64 network of an IPv6 address, because one machine has the whole /64. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
