import { Global, Module } from '@nestjs/common';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { CustomerIo } from './customer-io.js';
import { Intercom } from './intercom.js';

/** Global, because most modules raise events with their changes. */
@Global()
@Module({ controllers: [AnalyticsController], providers: [AnalyticsService, CustomerIo, Intercom], exports: [AnalyticsService] })
export class AnalyticsModule {}
