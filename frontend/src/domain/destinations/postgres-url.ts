/**
 * Parses a PostgreSQL connection URL, `postgresql://user:password@host:port/database?sslmode=require`.
 * Returns null for other text. https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export function parsePostgresUrl(text: string): Record<string, string> | null {
  const trimmed = text.trim();
  if (!/^postgres(ql)?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  if (url.hostname === '') return null;
  const fields = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || '5432',
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    sslMode: url.searchParams.get('sslmode') ?? '',
    schema: url.searchParams.get('schema') ?? '',
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
