import type { App, Source } from '~/api/types';
import { appCan } from '~/features/apps/app-state';
import { groupAccounts } from '~/domain/accounts/account-tree';

/** Reason why a source cannot be created from these accounts, or null. Does not check the user's role. */
export function whyNoSource(app: App, chosen: readonly string[], name: string): string | null {
  if (appCan.mustReconnect(app)) return 'Reconnect the app first';
  if (chosen.length === 0) return 'Select an account';
  return name.trim() === '' ? 'Enter a source name' : null;
}

/** Default name of a new source: the manager of its accounts, its only account, or else the app. */
export function defaultSourceName(
  app: Pick<App, 'displayName' | 'accounts'>,
  chosen: readonly string[],
  taken: readonly string[],
): string {
  const groups = groupAccounts(app.accounts.filter(({ externalId }) => chosen.includes(externalId)));
  const [only, second] = groups;
  const [account, another] = only?.accounts ?? [];
  const base =
    only === undefined || second !== undefined
      ? app.displayName
      : account && !another
        ? account.name
        : only.managerId === null
          ? app.displayName
          : only.name;
  if (!taken.includes(base)) return base;
  const numbers = Array.from({ length: taken.length + 1 }, (_, index) => `${base} ${index + 2}`);
  return numbers.find((name) => !taken.includes(name)) ?? base;
}

/** Maps each account to the sources that read it: `In Search EU and Brand`. */
export function readBy(sources: Pick<Source, 'name' | 'accounts'>[]): Map<string, string> {
  const names = new Map<string, string[]>();
  for (const { name, accounts } of sources)
    for (const { externalId } of accounts) names.set(externalId, [...(names.get(externalId) ?? []), name]);
  return new Map([...names].map(([id, list]) => [id, `In ${new Intl.ListFormat('en-US').format(list)}`]));
}
