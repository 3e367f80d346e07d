import type { NextFunction, Request, Response } from 'express';
import type { Env } from './env.js';

const emulatorOrigin = (env: Env): string => (env.FIREBASE_AUTH_EMULATOR_HOST ? `http://${env.FIREBASE_AUTH_EMULATOR_HOST}` : '');

/** Where a browser signs in. */
export const identityOrigins = (env: Env): string =>
  `https://identitytoolkit.googleapis.com https://securetoken.googleapis.com ${emulatorOrigin(env)}`;

/** Only our own scripts run; the browser talks to us and to the identity provider. */
export function securityHeaders(env: Env) {
  const policy = [
    `default-src 'self'`,
    `script-src 'self' https://apis.google.com`,
    // Mantine sets element styles.
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: https:`,
    `connect-src 'self' ${identityOrigins(env)}`,
    `frame-src 'self' https://${env.FIREBASE_AUTH_DOMAIN} ${emulatorOrigin(env)}`,
    `object-src 'none'`,
    `base-uri 'self'`,
    `frame-ancestors 'none'`,
    `form-action 'self'`,
  ].join('; ');
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
    // The sign-in pop-up must keep its opener.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
    if (env.PUBLIC_URL.startsWith('https:'))
      response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
}
