import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from '../core/http/problem.js';

/**
 * Protects a GET endpoint that changes data. Rejects requests that a browser sends when it opens, embeds or prefetches an address
 * (detected by Fetch Metadata, Purpose and Sec-Purpose), and HEAD requests, which must not change data.
 */
@Injectable()
export class NoNavigationGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    context.switchToHttp().getResponse<Response>().setHeader('Cache-Control', 'no-store');
    const mode = request.get('sec-fetch-mode');
    const destination = request.get('sec-fetch-dest');
    const isOpened = mode !== undefined && mode !== 'cors' && mode !== 'same-origin';
    const isEmbedded = destination !== undefined && destination !== 'empty';
    const isPrefetched = [request.get('purpose'), request.get('sec-purpose'), request.get('x-moz')].some((value) =>
      /prefetch|prerender|preview/i.test(value ?? ''),
    );
    const isCrossSite = request.get('sec-fetch-site') === 'cross-site';
    if (request.method === 'GET' && !isOpened && !isEmbedded && !isPrefetched && !isCrossSite) return true;
    throw new Problem('access.navigation', {
      detail: 'This address deletes data, so browsers cannot open, embed or prefetch it.',
      action: 'Call it with fetch, or use the DELETE route',
    });
  }
}
