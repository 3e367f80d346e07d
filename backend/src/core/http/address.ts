import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** Longer than any address. A proxy may send any text as the address. */
const MOST_CHARACTERS = 64;

/** The client's IP address. IPv4 is written as IPv4, because dual-stack sockets report it as `::ffff:192.0.2.1`. */
export function addressOf({ ip }: Pick<Request, 'ip'>): string | null {
  if (ip === undefined) return null;
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip.slice(0, MOST_CHARACTERS);
}

/** What rate limits count by: an IPv4 address, or the /64 network of an IPv6 address, because one machine has all of it. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
