import type { ServerResponse } from 'node:http';
import { createRequire, findPackageJSON } from 'node:module';
import path from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import sirv from 'sirv';
import { errorsPage } from './docs-errors.js';
import type { Env } from '../config/env.js';
import { identityOrigins } from '../http/security-headers.js';

const OWN_FILES = path.join(path.dirname(findPackageJSON(import.meta.url) ?? ''), 'public', 'docs');
const SWAGGER_UI = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FROM_SWAGGER_UI = ['/swagger-ui.css', '/swagger-ui-bundle.js'];

/** The API document, its explorer and the list of errors, all from our own origin. Public, like the product's source. */
export function serveDocs(app: NestExpressApplication, env: Env, createDocument: () => Promise<object>): void {
  const ownFiles = sirv(OWN_FILES, { etag: true, setHeaders: askAgain });
  const swaggerUi = sirv(SWAGGER_UI, { etag: true, setHeaders: askAgain });
  let document: Promise<string> | undefined;
  app.use('/api/openapi.json', async (_request: Request, response: Response) => {
    // Made when first asked for: a process that nobody asks keeps its memory.
    document ??= createDocument().then((made) => JSON.stringify(made));
    askAgain(response);
    response.type('application/json').send(await document);
  });
  app.use('/api/docs', policy(env));
  app.use('/api/docs/errors', (_request: Request, response: Response) => void response.type('html').send(errorsPage()));
  app.use('/api/docs', (request: Request, response: Response, next: NextFunction) =>
    (FROM_SWAGGER_UI.includes(request.path) ? swaggerUi : ownFiles)(request, response, next),
  );
}

const askAgain = (response: ServerResponse): void => void response.setHeader('Cache-Control', 'no-cache');

/** Stricter than the web app's: no pictures from elsewhere, no frames, no pop-up scripts. Swagger UI sets element styles. */
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
