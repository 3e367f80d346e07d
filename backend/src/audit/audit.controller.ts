import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Actor, CurrentActor, RequirePermission } from '../access/index.js';
import { AuditCsv } from './audit-csv.js';
import { AuditPage, AuditQuery } from './audit.dto.js';
import { AuditQueries } from './audit.queries.js';

@ApiTags('Audit')
@Controller('api/v1/organizations/:organizationId')
export class AuditController {
  constructor(
    private readonly queries: AuditQueries,
    private readonly csv: AuditCsv,
  ) {}

  /** Lists actions and rejected requests, newest first. */
  @Get('audit-events')
  @RequirePermission('audit.read')
  listAuditEvents(@CurrentActor() actor: Actor, @Query() query: AuditQuery): Promise<AuditPage> {
    return this.queries.listAuditEvents(actor.organizationId, query);
  }

  /** Exports the audit trail as a CSV file without a row limit. */
  @Get('audit-events.csv')
  @ApiProduces('text/csv')
  @ApiOkResponse({ content: { 'text/csv': { schema: { type: 'string' } } } })
  @RequirePermission('audit.read')
  async exportAuditEvents(@CurrentActor() actor: Actor, @Query() query: AuditQuery, @Res() response: Response): Promise<void> {
    const lines = await this.csv.lines(actor.organizationId, query);
    response.setHeader('Content-Type', 'text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', 'attachment; filename="audit-events.csv"');
    response.setHeader('Cache-Control', 'no-store');
    await pipeline(Readable.from(lines), response);
  }
}
