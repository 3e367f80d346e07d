import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { FixSettings } from './errors.js';
import { lookUpHost } from './host-lookup.js';

/** Addresses in the operator's own network that users may enter. All others in it are rejected. */
export interface EgressPolicy {
  /** Networks in CIDR form, such as `10.0.0.0/8`; `*` allows every address. */
  allowed: string[];
}

/** Publicly reachable addresses. All other ranges are private, link-local, multicast, reserved or tunnels into them. */
const PUBLIC_RANGE = 'unicast';
/** The IPv6 space assigned so far (RFC 4291 and IANA). Addresses outside are special or unassigned. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');
/**
 * Addresses in the public range that respond only inside a cloud: Azure's platform (metadata, DNS, certificates),
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16. Other clouds use ranges that are rejected
 * anyway.
 */
const CLOUD_PLATFORM = ['168.63.129.16'];
/** IPv6 addresses that embed an IPv4 address. The embedded address is checked (RFC 6052). */
const NAT64_PREFIX = ipaddr.parseCIDR('64:ff9b::/96');

/** Also other spellings of an address: 2130706433, 0x7f.1, 127.1. */
function addressIn(host: string): string[] | null {
  if (isIP(host)) return [host];
  return ipaddr.isValid(host) ? [ipaddr.parse(host).toString()] : null;
}

/**
 * Resolves a host that a user entered. All its addresses must be allowed. The caller connects to the returned address and not to
 * the name, because a second lookup may return another address (DNS rebinding).
 */
export async function resolveAllowed(host: string, policy: EgressPolicy, signal?: AbortSignal): Promise<string> {
  const bare = withoutBrackets(host);
  // Names that only this system knows are in allowed networks only.
  const usesSystem = policy.allowed.length > 0;
  const addresses = addressIn(bare) ?? (await lookUpHost(bare, { usesSystem, signal }));
  const refused = addresses.find((address) => !isAllowed(address, policy));
  const [first] = addresses;
  if (refused !== undefined || first === undefined) throw refusedHost(host);
  return first;
}

export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

export function isAllowed(address: string, policy: EgressPolicy): boolean {
  if (policy.allowed.includes('*')) return true;
  if (!ipaddr.isValid(address)) return false;
  const parsed = unwrapped(address);
  return isPublic(parsed) || policy.allowed.some((network) => contains(network, parsed));
}

type Address = ReturnType<typeof ipaddr.process>;

function isPublic(address: Address): boolean {
  if (CLOUD_PLATFORM.includes(address.toString())) return false;
  return address.range() === PUBLIC_RANGE && (address.kind() === 'ipv4' || address.match(PUBLIC_IPV6));
}

function unwrapped(address: string): Address {
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv6' && parsed.match(NAT64_PREFIX)) return ipaddr.fromByteArray(parsed.toByteArray().slice(12));
  return parsed;
}

function contains(network: string, address: Address): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match([base, bits] as Parameters<Address['match']>[0]);
}

/** One message for all reasons. A specific reason would reveal the internal network. */
const refusedHost = (host: string): FixSettings =>
  new FixSettings({
    code: 'egress.refused',
    message: `${host} is not a public address. This installation connects to public addresses only.`,
    action: 'Use a public host name, or ask the operator to allow the network in EGRESS_ALLOWED_NETWORKS',
  });
