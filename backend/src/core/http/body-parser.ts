import { json, type NextFunction, raw, type Request, type RequestHandler, type Response } from 'express';
import { BODY_BYTES, bodyBoundsOf, bodyBytesOf, LARGER_BODIES, WEBHOOK_BODY_BYTES } from './body-limits.js';
import { assertBounded } from './json-bounds.js';
import { Problem } from './problem.js';

const WEBHOOK = /^\/webhooks\/(stripe|payments\/[^/]+)$/;
const PUSH = /^\/push\//;

/** Parses JSON within the limits of its route. A webhook body is not parsed, because the signature covers the raw bytes. */
export function bodyParser(): RequestHandler {
  const webhook = raw({ limit: WEBHOOK_BODY_BYTES, type: () => true });
  const parsers = new Map([BODY_BYTES, ...LARGER_BODIES.map(({ bytes }) => bytes)].map((limit) => [limit, jsonUpTo(limit)]));
  return (request, response, next) => {
    if (PUSH.test(request.path)) return next();
    const parse = WEBHOOK.test(request.path) ? webhook : parsers.get(bodyBytesOf(request.method, request.path));
    if (!parse) throw new Error('no parser for this body limit');
    // The parser would ignore the body, and each required field would be reported as missing.
    if (parse !== webhook && hasBytes(request) && request.is('json') === false)
      throw new Problem('request.malformed', 'Send JSON with the header Content-Type: application/json.');
    return parse(request, response, next);
  };
}

/** Without a body, clients send no length or 0. */
const hasBytes = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** `verify` receives the bytes before they are parsed. */
const jsonUpTo = (limit: number): RequestHandler =>
  json({
    limit,
    strict: true,
    verify: ({ method, url }, _response, bytes, encoding) => {
      if (encoding !== 'utf-8') throw unsupported();
      const [path = ''] = (url ?? '').split('?');
      assertBounded(bytes, bodyBoundsOf(method ?? '', path));
    },
  });

/** The raw bytes of a body of any content type. */
export async function readBytes(request: Request, response: Response, limit: number): Promise<Uint8Array> {
  await new Promise<void>((resolve, reject) => {
    const next: NextFunction = (error?: unknown) => (error ? reject(error as Error) : resolve());
    void raw({ limit, type: () => true })(request, response, next);
  });
  return request.body instanceof Uint8Array ? request.body : new Uint8Array();
}

const unsupported = (): Problem => new Problem('request.unsupported_encoding', 'Send JSON in UTF-8.');
