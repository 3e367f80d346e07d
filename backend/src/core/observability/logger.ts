import { pino, type Logger } from 'pino';

/** Injection token of the process's logger. */
export const LOGGER = Symbol('LOGGER');

/** Names of secret values. They are redacted at the top level of a log entry and one level below. */
const SECRET_PATHS = [
  'password',
  'credentials',
  'accessToken',
  'refreshToken',
  'clientSecret',
  'authorization',
  'headers.authorization',
  'req.headers.authorization',
  'req.headers.cookie',
];

export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: '***' },
  });
