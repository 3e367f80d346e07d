import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** Longer than any IP address. A proxy can send any text as the address. */
const MAX_CHARACTERS = 64;

/** The client's IP address. Dual-stack sockets report IPv4 as `::ffff:192.0.2.1`; this returns the plain IPv4 form. */
export function addressOf({ ip }: Pick<Request, 'ip'>): string | null {
  if (ip === undefined) return null;
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip.slice(0, MAX_CHARACTERS);
}

/** The key for rate limits: an IPv4 address, or the /64 network of an IPv6 address, because one machine has the whole /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
