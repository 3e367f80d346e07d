import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler } from 'express';

/** Smaller responses fit into one network packet anyway. */
const MIN_BYTES = 1_024;

/**
 * Compresses JSON and text, with Brotli or gzip. Fast levels: lists are 8 to 10 times smaller, for about a millisecond. Events are
 * sent as they occur and are not compressed. Static files are compressed when they are built.
 */
export function compressResponses(): RequestHandler {
  return compression({
    threshold: MIN_BYTES,
    level: 1,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    filter: (request, response) =>
      !String(response.getHeader('Content-Type')).startsWith('text/event-stream') && compression.filter(request, response),
  });
}
