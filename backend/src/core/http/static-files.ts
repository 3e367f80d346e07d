import type { NextFunction, Request, Response } from 'express';
import sirv from 'sirv';

const SERVER_PATHS = /^\/(api|billing|reconnect|config\.json|healthz|readyz)(\/|$)/;

/** Serves the built web app, pre-compressed. All paths of its router return the same page. */
export function staticFiles(folder: string) {
  const serve = sirv(folder, {
    single: true,
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: (response, path) => {
      // Asset names contain a hash of the content. Everything else must be revalidated.
      response.setHeader('Cache-Control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    const isOurs = (request.method === 'GET' || request.method === 'HEAD') && !SERVER_PATHS.test(request.path);
    if (isOurs) serve(request, response, next);
    else next();
  };
}
