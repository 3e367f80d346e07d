import type { NextFunction, Request, Response } from 'express';
import type { Env } from '../config/env.js';

const emulatorOrigin = (env: Env): string => (env.FIREBASE_AUTH_EMULATOR_HOST ? `http://${env.FIREBASE_AUTH_EMULATOR_HOST}` : '');

/** Where a browser signs in. */
export const identityOrigins = (env: Env): string =>
  `https://identitytoolkit.googleapis.com https://securetoken.googleapis.com ${emulatorOrigin(env)}`;

const INTERCOM_IMAGES = [
  ...['intercom.io', 'intercomcdn.com', 'intercomcdn.eu', 'intercomassets.com', 'intercomassets.eu', 'intercomusercontent.com'],
  ...['intercom-attachments.com', 'intercom-attachments.eu'],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `intercom-attachments-${number}.com`),
];

/** Where Google keeps profile pictures. Pictures on other hosts could track who opens a page. */
const PROFILE_PICTURES = 'https://*.googleusercontent.com';

/** Where Intercom's messenger comes from and talks to, as its help lists them; nothing where it is not used. */
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

/** What a browser may do beyond showing a page. The web app uses none of these. */
const NO_DEVICES = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid', 'magnetometer'],
  ...['microphone', 'midi', 'payment', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Only our own scripts run; the browser talks to us, to the identity provider, and to what the operator has switched on. */
export function securityHeaders(env: Env) {
  const { scripts, connections, frames, media, images } = intercom(env);
  const policy = [
    `default-src 'self'`,
    `script-src 'self' https://apis.google.com${scripts}`,
    // Mantine sets element styles.
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: ${PROFILE_PICTURES}${images}`,
    `connect-src 'self' ${identityOrigins(env)} ${env.BILLING_API_BASE ?? ''}${connections}`,
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
    // Does not hinder the web app at another origin than BILLING_API_BASE: it reads by CORS.
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    // The sign-in pop-up must keep its opener.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
    if (env.PUBLIC_URL.startsWith('https:'))
      response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
}

/** Runs after the static files: all remaining responses are private or errors. A handler may override it. */
export function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}
