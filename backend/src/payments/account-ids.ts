import { accountsColumn } from '../apps/index.js';
import type { App } from '../generated/prisma/client.js';

export const accountIdsOf = ({ accounts }: Pick<App, 'accounts'>): string[] =>
  accountsColumn.get(accounts).map(({ externalId }) => externalId);
