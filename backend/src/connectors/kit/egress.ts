import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { FixSettings } from './errors.js';

/** Which addresses of the operator's own network users may name; everything in it is refused unless it stands here. */
export interface EgressPolicy {
  /** Networks in CIDR form, such as `10.0.0.0/8`; `*` allows every address. */
  allowed: string[];
}

/** Only what anybody on the internet reaches. All other ranges are private, link-local, multicast, reserved or tunnels into them. */
const PUBLIC_RANGE = 'unicast';
/** What is handed out of IPv6 so far (RFC 4291 and IANA): whatever lies outside is special, or not yet anybody's. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');
/**
 * What answers only inside of a cloud although its address is one of the internet's: Azure's platform (metadata, DNS, certificates),
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16. The others' lie in ranges that are refused anyway.
 */
const CLOUD_PLATFORM = ['168.63.129.16'];
/** Addresses of IPv6 that carry one of IPv4, which is what counts (RFC 6052). */
const NAT64_PREFIX = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * The address to connect to for a host that a user has named. Every address of the name must be allowed, and the caller
 * connects to the address and not to the name: a second look-up may answer otherwise (DNS rebinding).
 */
export async function resolveAllowed(host: string, policy: EgressPolicy): Promise<string> {
  const bare = withoutBrackets(host);
  // Other spellings of an address (2130706433, 0x7f.1, 127.1) are read by the look-up, and judged by what they mean.
  const addresses = isIP(bare) ? [bare] : (await lookup(bare, { all: true })).map(({ address }) => address);
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

/** The same words for every reason: which of them it was would tell a stranger about the inside of the network. */
const refusedHost = (host: string): FixSettings =>
  new FixSettings({
    code: 'egress.refused',
    message: `${host} is not a public address, so this installation does not connect to it.`,
    action: 'Use a public host name, or ask the operator to allow the network in EGRESS_ALLOWED_NETWORKS',
  });
