import { SettingsError, type Env } from './core/config/env.js';
import { isConnectionLost } from './core/database/connection-lost.js';

/** Errors of name servers, which `isConnectionLost` leaves to a second attempt. */
const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN']);

interface SystemError {
  code?: unknown;
  port?: unknown;
  severity?: unknown;
  errors?: unknown;
}

/**
 * What an operator reads when the start failed: one line for what they can fix, the whole error for anything else.
 * @param env unset: the settings were not read
 */
export function describeStartFailure(error: unknown, env?: Env): unknown {
  if (error instanceof SettingsError) return error.message;
  if (!env || !(error instanceof Error)) return error;
  const { code, port, severity } = error as SystemError;
  if (code === 'EADDRINUSE') return `${port === env.METRICS_PORT ? 'METRICS_PORT' : 'PORT'} ${String(port)} is in use.`;
  // PostgreSQL rejects a session with FATAL: a wrong password, an unknown database, too many connections.
  const isRejected = severity === 'FATAL' || UNKNOWN_HOST.has(String(code));
  return isRejected || isConnectionLost(error) ? `${databaseOf(env)}: ${reasonOf(error)}` : error;
}

function databaseOf(env: Env): string {
  if (env.ROLE !== 'migrate' && env.DIRECT_DATABASE_URL) return 'DATABASE_URL or DIRECT_DATABASE_URL: cannot connect';
  const names = ['MIGRATION_DATABASE_URL', 'DIRECT_DATABASE_URL'] as const;
  const name = (env.ROLE === 'migrate' && names.find((candidate) => env[candidate])) || 'DATABASE_URL';
  const { username, host, pathname } = new URL(env[name] ?? '');
  return `${name}: cannot connect to ${host}${pathname} as ${decodeURIComponent(username) || 'the default role'}`;
}

/** Node reports all addresses of a host in one error without a message. */
function reasonOf(error: Error): string {
  const { errors } = error as SystemError;
  if (error.message !== '' || !Array.isArray(errors)) return error.message;
  return errors.map((each) => (each instanceof Error ? each.message : String(each))).join(', ');
}
