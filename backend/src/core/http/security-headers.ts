import type { NextFunction, Request, Response } from 'express';
import type { Env } from '../config/env.js';
import { inlineScriptSources } from './inline-scripts.js';

const emulatorOrigin = (env: Env): string => (env.FIREBASE_AUTH_EMULATOR_HOST ? `http://${env.FIREBASE_AUTH_EMULATOR_HOST}` : '');

/** Origins that a browser connects to for sign-in. */
export const identityOrigins = (env: Env): string =>
  `https://identitytoolkit.googleapis.com https://securetoken.googleapis.com ${emulatorOrigin(env)}`;

const INTERCOM_IMAGES = [
  ...['intercom.io', 'intercomcdn.com', 'intercomcdn.eu', 'intercomassets.com', 'intercomassets.eu', 'intercomusercontent.com'],
  ...['intercom-attachments.com', 'intercom-attachments.eu'],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `intercom-attachments-${number}.com`),
];

/** Google's host for profile pictures. Pictures on other hosts could track users. */
const PROFILE_PICTURES = 'https://*.googleusercontent.com';

/** Origins of Intercom's messenger, as listed in Intercom's help. Empty when Intercom is not configured. */
const intercom = ({ INTERCOM_APP_ID, INTERCOM_API_BASE }: Env) =>
  INTERCOM_APP_ID
    ? {
        scripts: ' https://app.intercom.io https://widget.intercom.io https://js.intercomcdn.com',
        connections: ` https://*.intercom.io wss://*.intercom.io https://*.intercomcdn.com https://*.intercomusercontent.com ${INTERCOM_API_BASE}`,
        frames: ' https://intercom-sheets.com https://www.intercom-reporting.com https://*.intercom.io',
        media: ' https://*.intercomcdn.com data:',
        images: ` blob: ${INTERCOM_IMAGES.map((domain) => `https://*.${domain}`).join(' ')}`,
      }
    : { scripts: '', connections: '', frames: '', media: '', images: '' };

/** Browser features that the web app does not use. */
const NO_DEVICES = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid', 'magnetometer'],
  ...['microphone', 'midi', 'payment', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Only the product's own scripts run. The browser connects to the product, the identity provider and configured services only.
 */
export function securityHeaders(env: Env) {
  const { scripts, connections, frames, media, images } = intercom(env);
  const policy = [
    `default-src 'self'`,
    ['script-src', `'self'`, ...inlineScriptSources(env.STATIC_DIR), `https://apis.google.com${scripts}`].join(' '),
    // Mantine sets element styles.
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: ${PROFILE_PICTURES}${images}`,
    // A demo offers the keys of its sandbox.
    `connect-src 'self' ${identityOrigins(env)} ${env.BILLING_API_BASE ?? ''} ${(env.IS_DEMO && env.SANDBOX_URL) || ''}${connections}`,
    `frame-src 'self' https://${env.FIREBASE_AUTH_DOMAIN} ${emulatorOrigin(env)}${frames}`,
    `font-src 'self'${media}`,
    `media-src 'self'${media}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `form-action 'self'`,
  ].join('; ');
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
    response.setHeader('Permissions-Policy', NO_DEVICES);
    // Does not block the web app when BILLING_API_BASE is another origin, because it uses CORS.
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    // The sign-in pop-up needs its opener.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
    if (env.PUBLIC_URL.startsWith('https:'))
      response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
}

/** Runs after the static files: all other responses are private or errors. A handler may override it. */
export function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}
