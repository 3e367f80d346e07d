import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { DataKeys } from './data-keys.js';
import { Database } from './database.js';
import { ENV, type Env } from './env.js';
import { Firebase } from './firebase.js';
import { HttpShutdown } from './http-shutdown.js';
import { Jobs } from './jobs.js';
import { KeyEncryption } from './key-encryption.js';
import { LocationInterceptor } from './location.interceptor.js';
import { createLogger, LOGGER } from './logger.js';
import { Mailer } from './mailer.js';
import { Metrics } from './metrics.js';
import { Notifications } from './notifications.js';
import { Outbox } from './outbox.js';
import { RateLimits } from './rate-limits.js';
import { RotateKeys } from './rotate-keys.js';
import { Secrets } from './secrets.js';
import { TenantDoor } from './tenant.js';

/** What every room stands on. */
@Global()
@Module({})
export class PlatformModule {
  static with(env: Env): DynamicModule {
    const shared = [
      { provide: ENV, useValue: env },
      { provide: LOGGER, useFactory: () => createLogger(env.LOG_LEVEL) },
      Database,
      TenantDoor,
      KeyEncryption,
      DataKeys,
      Secrets,
      RotateKeys,
      Firebase,
      Jobs,
      Notifications,
      Metrics,
      Outbox,
      Mailer,
      RateLimits,
    ];
    return {
      module: PlatformModule,
      providers: [...shared, HttpShutdown, { provide: APP_INTERCEPTOR, useClass: LocationInterceptor }],
      exports: shared,
    };
  }
}
