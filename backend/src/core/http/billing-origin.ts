import type { NextFunction, Request, Response } from 'express';
import type { Env } from '../config/env.js';

const HEADERS: Record<string, string> = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': '600',
};

/**
 * CORS for /billing. With BILLING_API_BASE the web app calls /billing at another origin. Only the web app's origin is allowed.
 * Requests authenticate with a bearer token, so CORS allows no cookies.
 */
export function billingOrigin({ PUBLIC_URL }: Env) {
  const { origin } = new URL(PUBLIC_URL);
  return (request: Request, response: Response, next: NextFunction): void => {
    response.vary('Origin');
    if (request.headers.origin !== origin) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
    if (request.method !== 'OPTIONS') return next();
    response.set(HEADERS).status(204).end();
  };
}
