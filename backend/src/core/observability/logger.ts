import { pino, type Logger } from 'pino';

/** Injection token of the process's logger. */
export const LOGGER = Symbol('LOGGER');

/** Whatever stands under one of these names is a secret, wherever it turns up. */
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
