import { BODY_BOUNDS, type JsonBounds } from './json-bounds.js';

/** Default limit of a JSON body, in bytes. */
export const BODY_BYTES = 64_000;

/** Limit of a push request, in bytes. The handler reads the body itself, after it has verified the push key. */
export const PUSH_BODY_BYTES = 1_000_000;
/** Limit of a Stripe webhook request, in bytes. The body must be read before its signature can be verified. */
export const WEBHOOK_BODY_BYTES = 1_000_000;

/** A logo of 200 kB as a data URL is 267 kB of text. */
const LOGO_BODY_BYTES = 300_000;

/** A configuration of 1,000 connections with the days that they have loaded. */
export const CONFIGURATION_BODY_BYTES = 2_000_000;
/** More values in total, and the accounts of an app in one list. */
export const CONFIGURATION_BOUNDS: JsonBounds = { ...BODY_BOUNDS, items: 10_000, values: 60_000 };

interface LargerBody {
  method: 'post' | 'patch';
  /** Path template as in the OpenAPI document. */
  path: string;
  bytes: number;
  /** Of the JSON text, if more than usual. */
  bounds?: JsonBounds;
}

/** Endpoints that accept a larger JSON body. */
export const LARGER_BODIES: readonly LargerBody[] = [
  { method: 'post', path: '/api/createOrganization', bytes: LOGO_BODY_BYTES },
  { method: 'patch', path: '/api/v1/organizations/{organizationId}', bytes: LOGO_BODY_BYTES },
  ...['plan', 'apply'].map((step) => ({
    method: 'post' as const,
    path: `/api/v1/organizations/{organizationId}/configuration/${step}`,
    bytes: CONFIGURATION_BODY_BYTES,
    bounds: CONFIGURATION_BOUNDS,
  })),
];

const PATTERNS = LARGER_BODIES.map(({ method, path, bytes, bounds }) => ({
  method,
  bytes,
  bounds,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}));

const findPattern = (method: string, path: string) =>
  PATTERNS.find((entry) => entry.method === method.toLowerCase() && entry.pattern.test(path));

export const bodyBytesOf = (method: string, path: string): number => findPattern(method, path)?.bytes ?? BODY_BYTES;

export const bodyBoundsOf = (method: string, path: string): JsonBounds => findPattern(method, path)?.bounds ?? BODY_BOUNDS;

/** `64 kB`, `1 MB`. */
export const sizeText = (bytes: number): string => (bytes < 1_000_000 ? `${bytes / 1_000} kB` : `${bytes / 1_000_000} MB`);
