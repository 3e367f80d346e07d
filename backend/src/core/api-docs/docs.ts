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

/** Serves the OpenAPI document, its explorer and the list of errors, all from the product's origin. Public, like the source. */
export function serveDocs(app: NestExpressApplication, env: Env, createDocument: () => Promise<object>): void {
  const ownFiles = sirv(OWN_FILES, { etag: true, setHeaders: requireRevalidation });
  const swaggerUi = sirv(SWAGGER_UI, { etag: true, setHeaders: requireRevalidation });
  let document: Promise<string> | undefined;
  app.use('/api/openapi.json', async (_request: Request, response: Response) => {
    // Created on the first request, to save memory in processes without such requests.
    document ??= createDocument().then((created) => JSON.stringify(created));
    requireRevalidation(response);
    response.type('application/json').send(await document);
  });
  app.use('/api/docs', policy(env));
  app.use('/api/docs/errors', (_request: Request, response: Response) => void response.type('html').send(errorsPage()));
  app.use('/api/docs', (request: Request, response: Response, next: NextFunction) =>
    (FROM_SWAGGER_UI.includes(request.path) ? swaggerUi : ownFiles)(request, response, next),
  );
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
