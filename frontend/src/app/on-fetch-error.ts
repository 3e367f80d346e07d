import { mutate } from 'swr';
import { isOrganizationDocument } from '~/api/http/keys';
import { isSecondFactorRequired } from '~/api/http/problem';
import { onFailed } from '~/api/read-cache/read-cache';
import { logFailure } from '~/lib/log-failure';

/** The first word of SWR's text of a key. The rest is left out of the log, because it can contain email addresses. */
const kindOf = (key: string): string => /@"(\w[\w-]*)"/.exec(key)?.[1] ?? 'data';

/** An organization can start to require a second factor while its pages are open. Its document is reloaded for the guard. */
export function onFetchError(error: unknown, key: string): void {
  logFailure(`Loading ${kindOf(key)}`, error);
  const isDocument = key.startsWith('@"organization"');
  if (isSecondFactorRequired(error) && !isDocument) void mutate(isOrganizationDocument);
  onFailed(error, key, (cached, data) => void mutate(cached, data, { revalidate: false }));
}
