import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AccessModule } from '../access/index.js';
import { AppHistory } from './app-history.service.js';
import { AuditController } from './audit.controller.js';
import { AuditCsv } from './audit-csv.js';
import { AuditQueries } from './audit.queries.js';
import { AuditService } from './audit.service.js';
import { RejectionInterceptor } from './rejection.interceptor.js';

/** Global, because most modules record their changes. */
@Global()
@Module({
  imports: [AccessModule],
  controllers: [AuditController],
  providers: [AppHistory, AuditService, AuditQueries, AuditCsv, { provide: APP_INTERCEPTOR, useClass: RejectionInterceptor }],
  exports: [AppHistory, AuditService],
})
export class AuditModule {}
