import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { filter, type Subscription } from 'rxjs';
import { type Actor, OpenResponseGuard } from '../../access/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { LOGGER } from '../../core/observability/logger.js';
import { type AccessChange, Notifications } from '../../core/database/notifications.js';
import { Problem } from '../../core/http/problem.js';
import type { EventsQuery } from './runs.dto.js';

/**
 * Streams of one user over all tabs, organizations and API keys, in one process. Each stream costs a query at every keep-alive.
 */
const MAX_STREAMS_PER_USER = 10;
const RETRY_AFTER_SECONDS = 60;
/** Bytes buffered for a client that does not read. */
const MAX_UNREAD_BYTES = 1_000_000;

export interface StreamRequest {
  actor: Actor;
  /** The caller's credential. It is checked again as long as the stream is open. */
  token: string;
  query: EventsQuery;
}

interface OpenStream extends StreamRequest {
  response: Response;
  isChecking: boolean;
}

/**
 * Open event streams of this process. Each is checked like a request: at every keep-alive, and immediately when a process reports
 * a change of the user's access. A stream is closed if its check fails or returns no result, and when events may have been lost.
 */
@Injectable()
export class EventStreams implements OnModuleInit, OnModuleDestroy {
  private readonly byUser = new Map<string, Set<OpenStream>>();
  private subscriptions: Subscription[] = [];

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly notifications: Notifications,
    private readonly access: OpenResponseGuard,
  ) {}

  onModuleInit(): void {
    this.subscriptions = [
      this.notifications.accessChanges.subscribe((change) => this.checkAffected(change)),
      this.notifications.restarted.subscribe(() => this.endAll()),
    ];
  }

  onModuleDestroy(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
  }

  /** Rejects the request before the response begins if the user has too many streams. */
  open(request: StreamRequest, response: Response): void {
    // The client may have disconnected while the guard ran. 'close' has fired then, so nothing would remove the stream.
    if (response.destroyed) return;
    const stream: OpenStream = { ...request, response, isChecking: false };
    this.add(stream);
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    response.write(': connected\n\n');
    const keepAlive = setInterval(() => void this.keepAlive(stream), this.env.LIVE_KEEP_ALIVE_SECONDS * 1_000);
    const events = this.notifications.live
      .pipe(
        filter((event) => event.organizationId === request.actor.organizationId && isWanted(event.connectionId, request.query)),
      )
      .subscribe({
        next: (event) => send(stream, `event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`),
        complete: () => response.end(),
      });
    response.on('close', () => {
      clearInterval(keepAlive);
      events.unsubscribe();
      this.remove(stream);
    });
  }

  private add(stream: OpenStream): void {
    const { uid } = stream.actor;
    const streams = this.byUser.get(uid) ?? new Set();
    if (streams.size >= MAX_STREAMS_PER_USER) throw tooMany();
    this.byUser.set(uid, streams.add(stream));
  }

  private remove(stream: OpenStream): void {
    const streams = this.byUser.get(stream.actor.uid);
    streams?.delete(stream);
    if (streams?.size === 0) this.byUser.delete(stream.actor.uid);
  }

  /** Clients open a new stream and load again what they may have missed. */
  private endAll(): void {
    for (const streams of this.byUser.values()) for (const { response } of streams) response.end();
  }

  private checkAffected({ organizationId, userId }: AccessChange): void {
    const people = userId === null ? [...this.byUser.values()] : [this.byUser.get(userId) ?? new Set<OpenStream>()];
    for (const stream of people.flatMap((streams) => [...streams]))
      if (organizationId === null || organizationId === stream.actor.organizationId) void this.check(stream);
  }

  /** A check that still waits for the database at the next keep-alive counts as failed. */
  private async keepAlive(stream: OpenStream): Promise<void> {
    if (stream.isChecking) return void stream.response.end();
    stream.isChecking = true;
    if (await this.check(stream)) send(stream, ': keep-alive\n\n');
    stream.isChecking = false;
  }

  private async check({ actor, token, response }: OpenStream): Promise<boolean> {
    try {
      if (await this.access.isAllowed(token, actor.organizationId, 'runs.read')) return true;
    } catch (error) {
      this.logger.warn(
        { err: error, organizationId: actor.organizationId },
        'closed an event stream: its access could not be checked',
      );
    }
    response.end();
    return false;
  }
}

function send({ response }: OpenStream, text: string): void {
  if (response.writableEnded) return;
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  else response.write(text);
}

const isWanted = (connectionId: string | null, query: EventsQuery): boolean =>
  !query.connectionId || query.connectionId === connectionId;

const tooMany = (): Problem =>
  new Problem('events.too_many', {
    detail: `A user can have at most ${MAX_STREAMS_PER_USER} event streams open at a time.`,
    action: 'Close a Tributary tab',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
