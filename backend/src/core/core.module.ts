import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { DataKeys } from './encryption/data-keys.js';
import { Database } from './database/database.js';
import { type DeclaredSettings, ENV, type Env } from './config/env.js';
import { loadSettings, SETTINGS } from './config/load-settings.js';
import { productWaits, WAITS } from './config/waits.js';
import { DomainEvents } from './jobs/domain-events.js';
import { HttpShutdown } from './http/http-shutdown.js';
import { Jobs } from './jobs/jobs.js';
import { KeyEncryption } from './encryption/key-encryption.js';
import { LocationInterceptor } from './http/location.interceptor.js';
import { createLogger, LOGGER } from './observability/logger.js';
import { Mailer } from './outbox/mailer.js';
import { Metrics } from './observability/metrics.js';
import { Notifications } from './database/notifications.js';
import { Outbox } from './outbox/outbox.js';
import { OutboxMetrics } from './outbox/outbox-metrics.js';
import { QueueMetrics } from './jobs/queue-metrics.js';
import { RateLimits } from './http/rate-limits.js';
import { RotateKeys } from './encryption/rotate-keys.js';
import { Secrets } from './encryption/secrets.js';
import { TenantDatabase } from './database/tenant-database.js';

/** Infrastructure that all other modules use. */
@Global()
@Module({})
export class CoreModule {
  static async with(source: NodeJS.ProcessEnv, declared: DeclaredSettings): Promise<DynamicModule> {
    const shared = [
      { provide: ENV, useExisting: SETTINGS },
      { provide: WAITS, useValue: productWaits },
      { provide: LOGGER, inject: [ENV], useFactory: ({ LOG_LEVEL }: Env) => createLogger(LOG_LEVEL) },
      Database,
      TenantDatabase,
      KeyEncryption,
      DataKeys,
      Secrets,
      RotateKeys,
      Jobs,
      DomainEvents,
      Notifications,
      Metrics,
      Outbox,
      QueueMetrics,
      OutboxMetrics,
      Mailer,
      RateLimits,
      HttpShutdown,
    ];
    return {
      module: CoreModule,
      imports: [await loadSettings(source, declared)],
      providers: [...shared, { provide: APP_INTERCEPTOR, useClass: LocationInterceptor }],
      exports: shared,
    };
  }
}
