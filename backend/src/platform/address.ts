import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** A proxy may write what it likes; longer than any address is none. */
const MOST_CHARACTERS = 64;

/** Who calls, with IPv4 in its own form: a socket of both families names it `::ffff:192.0.2.1`. */
export function addressOf({ ip }: Pick<Request, 'ip'>): string | null {
  if (ip === undefined) return null;
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip.slice(0, MOST_CHARACTERS);
}

/** What a limit counts: an IPv4 address, and of an IPv6 address the first 64 bits, because one machine has them all. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
