import { Global, Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AuditController } from './audit.controller.js';
import { AuditCsv } from './audit-csv.js';
import { AuditQueries } from './audit.queries.js';
import { AuditService } from './audit.service.js';

/** Global: every room to its right keeps what it changes. */
@Global()
@Module({
  imports: [AccessModule],
  controllers: [AuditController],
  providers: [AuditService, AuditQueries, AuditCsv],
  exports: [AuditService],
})
export class AuditModule {}
