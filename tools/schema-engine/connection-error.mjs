import { parseDatabaseUrl } from './database-url.mjs';

/**
 * Error codes that the Prisma CLI has messages for (P1000 password, P1001 unreachable, P1003 no database).
 * @param {unknown} error
 * @param {string | undefined} databaseUrl
 */
export function describeConnectionError(error, databaseUrl) {
  const { code, message } = /** @type {Error & { code?: string }} */ (error);
  if (!databaseUrl) return { errorCode: 'P1013', message };
  const { database, server } = parseDatabaseUrl(databaseUrl);
  if (code === '3D000') return { errorCode: 'P1003', message: `Database \`${database}\` does not exist` };
  if (code === '28P01' || code === '28000') {
    return { errorCode: 'P1000', message: `Authentication failed against database server at \`${server}\`` };
  }
  return { errorCode: 'P1001', message: `Can't reach database server at \`${server}\` (${code ?? message})` };
}
