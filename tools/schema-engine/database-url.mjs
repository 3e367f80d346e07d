/**
 * Prisma's URLs contain a parameter for the schema, which the driver does not accept.
 * @param {string} databaseUrl
 */
export function parseDatabaseUrl(databaseUrl) {
  const url = new URL(databaseUrl);
  const schema = url.searchParams.get('schema') ?? undefined;
  url.searchParams.delete('schema');
  return {
    connectionString: url.toString(),
    schema,
    database: decodeURIComponent(url.pathname.slice(1)),
    server: `${url.hostname}:${url.port || 5432}`,
  };
}

/**
 * @param {string} connectionString
 * @param {string} database
 */
export function withDatabase(connectionString, database) {
  const url = new URL(connectionString);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.toString();
}
