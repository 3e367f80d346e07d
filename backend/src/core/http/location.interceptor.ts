import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';

/**
 * Adds a Location header to 201 responses, which only POST has: the path of the collection plus the id of the new resource, if it can
 * be read there.
 */
@Injectable()
export class LocationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method !== 'POST') return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap((body: unknown) => {
        const id = idOf(body);
        const collection = readableCollectionOf(request.path);
        if (response.statusCode === 201 && id && collection) response.setHeader('Location', `${collection}/${id}`);
      }),
    );
  }
}

/** They have lists, and no operation that reads one of them. A badge and a share link have no id. */
const WITHOUT_READ = /\/(api-keys|invitations|notification-rules|badge|share-link)$/;

/** A copy is created beside its original: `/connections/{id}/clone`. A re-sync is read as a backfill. */
export const readableCollectionOf = (path: string): string | null =>
  WITHOUT_READ.test(path) ? null : path.replace(/\/[^/]+\/clone$/, '').replace(/\/resyncs$/, '/backfills');

/** The responses for a new API key and webhook wrap the entry in `apiKey` and `endpoint`, next to the key or secret itself. */
function idOf(body: unknown): string | undefined {
  if (body === null || typeof body !== 'object') return undefined;
  if ('id' in body && typeof body.id === 'string') return body.id;
  if ('apiKey' in body) return idOf(body.apiKey);
  return 'endpoint' in body ? idOf(body.endpoint) : undefined;
}
