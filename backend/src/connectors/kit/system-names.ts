import { readFile } from 'node:fs/promises';

/** Where this system has its names. https://man7.org/linux/man-pages/man5/hosts.5.html and resolv.conf.5 */
export const systemFiles = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' };

interface SystemNames {
  /** Addresses by name in lower case. */
  hosts: Map<string, string[]>;
  /** Domains that are appended to a name. */
  search: string[];
  /** A name with fewer dots is searched in the domains first. */
  ndots: number;
}

/** Read for each lookup, because Docker and Kubernetes change the files of a running container. */
export async function readSystemNames(): Promise<SystemNames> {
  const [hosts, resolver] = await Promise.all([readLines(systemFiles.hosts), readLines(systemFiles.resolver)]);
  const names: SystemNames = { hosts: new Map(), search: [], ndots: 1 };
  for (const [address = '', ...aliases] of hosts)
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.hosts.set(name, [...(names.hosts.get(name) ?? []), address]);
    }
  for (const [option, ...values] of resolver) {
    // The last of these lines counts.
    if (option === 'search' || option === 'domain') names.search = values;
    const ndots = option === 'options' && values.find((value) => value.startsWith('ndots:'));
    if (ndots) names.ndots = Number(ndots.slice('ndots:'.length)) || 0;
  }
  return names;
}

/** The names to ask the name servers for, in their order. A name that ends with a dot is complete. */
export function candidatesOf(host: string, { search, ndots }: SystemNames): string[] {
  if (host.endsWith('.')) return [host];
  const searched = search.map((domain) => `${host}.${domain}`);
  return host.split('.').length - 1 >= ndots ? [host, ...searched] : [...searched, host];
}

/** The words of each line, without comments. A missing file has none. */
async function readLines(file: string): Promise<string[][]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.replace(/[#;].*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));
}
