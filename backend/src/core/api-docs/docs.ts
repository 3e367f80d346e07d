import type { ServerResponse } from 'node:http';
import { createRequire, findPackageJSON } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import sirv from 'sirv';
import { errorsPage } from './docs-errors.js';
import type { Env } from '../config/env.js';
import { identityOrigins } from '../http/security-headers.js';

const OWN_FILES = path.join(path.dirname(findPackageJSON(import.meta.url) ?? ''), 'public', 'docs');
const SWAGGER_UI = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FROM_SWAGGER_UI = ['/swagger-ui.css', '/swagger-ui-bundle.js'];

/** Serves the OpenAPI document, its explorer and the list of errors, all from the product's origin. Public, like the source. */
export function serveDocs(app: NestExpressApplication, env: Env, createDocument: () => Promise<object>): void {
  const ownFiles = sirv(OWN_FILES, { etag: true, setHeaders: requireRevalidation });
  const swaggerUi = sirv(SWAGGER_UI, { etag: true, setHeaders: requireRevalidation });
  let document: Promise<Encoded> | undefined;
  app.use('/api/openapi.json', async (request: Request, response: Response) => {
    // Created on the first request, to save memory in processes without such requests.
    document ??= createDocument().then(encode);
    const encoding = request.acceptsEncodings('br') || request.acceptsEncodings('gzip') || 'identity';
    requireRevalidation(response);
    response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type('application/json').send((await document)[encoding as keyof Encoded]);
  });
  app.use('/api/docs', policy(env));
  // Also for 304 responses, for which sirv sets no headers.
  app.use('/api/docs', (_request: Request, response: Response, next: NextFunction) => {
    requireRevalidation(response);
    next();
  });
  app.use('/api/docs/errors', (_request: Request, response: Response) => void response.type('html').send(errorsPage()));
  app.use('/api/docs', (request: Request, response: Response, next: NextFunction) =>
    (FROM_SWAGGER_UI.includes(request.path) ? swaggerUi : ownFiles)(request, response, next),
  );
}

interface Encoded {
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
}

/** The highest level takes seconds. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Compressed once: the document is large, and requests need no sign-in. */
async function encode(document: object): Promise<Encoded> {
  const identity = Buffer.from(JSON.stringify(document));
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity, QUALITY), promisify(gzip)(identity)]);
  return { identity, br, gzip: zipped };
}

const requireRevalidation = (response: ServerResponse): void => void response.setHeader('Cache-Control', 'no-cache');

/** Stricter than the web app's policy: no external images, no frames, no pop-up scripts. Swagger UI sets element styles. */
function policy(env: Env): RequestHandler {
  const value = [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `connect-src 'self' ${identityOrigins(env)}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `form-action 'self'`,
  ].join('; ');
  return (_request, response, next) => {
    response.setHeader('Content-Security-Policy', value);
    next();
  };
}
