import type { DynamicModule, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { default as express, type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { billingOrigin } from './core/http/billing-origin.js';
import { bodyParser } from './core/http/body-parser.js';
import { compressResponses } from './core/http/compress-responses.js';
import { serveDocs } from './core/api-docs/docs.js';
import { ENV, type Env } from './core/config/env.js';
import { LOGGER } from './core/observability/logger.js';
import { Metrics } from './core/observability/metrics.js';
import { logRequests } from './core/observability/request-log.js';
import { ProblemFilter } from './core/http/problem-filter.js';
import { RateLimits } from './core/http/rate-limits.js';
import { requestContext } from './core/http/request-context.js';
import { noStore, securityHeaders } from './core/http/security-headers.js';
import { staticFiles } from './core/http/static-files.js';
import { storableOnly, validationPipe } from './core/http/validation.js';

/**
 * Longer than the idle timeout of load balancers (60 s). If the server closed first, a request sent at that moment would fail.
 */
const KEEP_ALIVE_MS = 65_000;

/** Creates the Nest application of a module. Tests do it with other waits (`test/app.ts`). */
type Create = (
  module: DynamicModule,
  adapter: ExpressAdapter,
  options: NestApplicationOptions,
) => Promise<NestExpressApplication>;

/**
 * Creates the application with its HTTP middleware. The caller calls `listen`, or `init` in a process without an HTTP server.
 * @param source environment variables
 */
export async function createApp(
  source: NodeJS.ProcessEnv,
  create: Create = (...parameters) => NestFactory.create<NestExpressApplication>(...parameters),
): Promise<NestExpressApplication> {
  const server = express();
  // Must be set before Nest creates the router. Paths are case-sensitive, so that masking and limits by path cannot be bypassed.
  server.set('case sensitive routing', true);
  const module = await AppModule.with(source);
  const app = await create(module, new ExpressAdapter(server), { logger: ['error', 'warn'], bodyParser: false });
  app.getHttpServer().keepAliveTimeout = KEEP_ALIVE_MS;
  const env = app.get<Env>(ENV);
  const limits = app.get(RateLimits);
  app.set('etag', false);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  if (env.TRUSTED_PROXIES !== undefined) app.set('trust proxy', env.TRUSTED_PROXIES);
  const logger = app.get<Logger>(LOGGER);
  app.use(logRequests(logger));
  app.use(timing(app.get(Metrics)));
  app.use(securityHeaders(env));
  app.use(compressResponses());
  app.use('/billing', billingOrigin(env));
  if (env.STATIC_DIR) app.use(staticFiles(env.STATIC_DIR));
  app.use(noStore);
  app.use((request: Request, response: Response, next: NextFunction) => limits.countAddress(request, response, next));
  // Loaded on demand, with the metadata of all DTOs: processes that serve no documentation use less memory.
  serveDocs(app, env, async () => (await import('./openapi.js')).createDocument(app));
  app.use(bodyParser());
  app.use(requestContext);
  app.use(storableOnly);
  app.useGlobalPipes(validationPipe());
  app.useGlobalFilters(new ProblemFilter(logger));
  app.enableShutdownHooks();
  return app;
}

function timing(metrics: Metrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const stop = metrics.httpSeconds.startTimer({ method: request.method });
    response.on('finish', () => stop({ status: String(response.statusCode) }));
    next();
  };
}
