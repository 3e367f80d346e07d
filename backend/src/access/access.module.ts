import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { AccessWatch } from './access-watch.service.js';
import { Firebase } from './firebase.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotentCalls } from './idempotent-calls.js';
import { PublicController } from './public.controller.js';
import { AccessQueries } from './access.queries.js';
import { OpenResponseGuard } from './open-response-guard.js';
import { TokenVerifier } from './token-verifier.js';

@Module({
  controllers: [PublicController],
  providers: [
    Firebase,
    TokenVerifier,
    AccessQueries,
    AccessWatch,
    OpenResponseGuard,
    IdempotentCalls,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
  exports: [AccessWatch, Firebase, OpenResponseGuard],
})
export class AccessModule {}
