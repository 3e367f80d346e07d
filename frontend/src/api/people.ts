import useSWRInfinite from 'swr/infinite';
import { client, unwrap } from './http/client';
import { dropOtherPages, filtered } from './http/filtered-pages';
import type { PersonPage } from './types';

const PAGE_SIZE = 50;

const listUsers = (email: string, cursor: string | undefined) =>
  unwrap(
    client.GET('/api/v1/users', { params: { query: { email: email === '' ? undefined : email, limit: PAGE_SIZE, cursor } } }),
  );

/** Users whose email address contains a text, page by page. For platform staff only. */
export const usePeople = (email: string) =>
  dropOtherPages(
    useSWRInfinite(
      (index, previous: PersonPage | null) =>
        index > 0 && !previous?.nextCursor ? null : (['people', email, previous?.nextCursor ?? undefined] as const),
      ([, text, cursor]) => filtered(text, listUsers(text, cursor)),
      { keepPreviousData: true },
    ),
    email,
  );

const parametersOf = (userId: string, note: string) => ({ params: { path: { userId } }, body: { note } });

export const disablePerson = (userId: string, note: string) =>
  unwrap(client.POST('/api/v1/users/{userId}/disable', parametersOf(userId, note)));

export const enablePerson = (userId: string, note: string) =>
  unwrap(client.POST('/api/v1/users/{userId}/enable', parametersOf(userId, note)));
