import { Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { ConnectionSchema, SchemaChangeEntry, SchemaChangePage, SchemaChangesQuery } from './schema.dto.js';
import { SchemaDecisions } from './schema-decisions.service.js';
import { SchemaQueries } from './schema.queries.js';

@ApiTags('Connections')
@Controller('api/v1/organizations/:organizationId/connections/:connectionId')
export class SchemaController {
  constructor(
    private readonly queries: SchemaQueries,
    private readonly decisions: SchemaDecisions,
  ) {}

  /** Returns the streams and fields that the source offers, and which of them the connection writes. */
  @Get('schema')
  @RequirePermission('connections.read')
  getConnectionSchema(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
  ): Promise<ConnectionSchema> {
    return this.queries.getSchema(organizationId, connectionId);
  }

  /** Lists schema changes of a connection, newest first. */
  @Get('schema-changes')
  @RequirePermission('connections.read')
  listSchemaChanges(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Query() query: SchemaChangesQuery,
  ): Promise<SchemaChangePage> {
    return this.queries.listChanges(organizationId, connectionId, query);
  }

  /** Approves a schema change. A run starts automatically and loads all days of the stream with it. */
  @Post('schema-changes/:schemaChangeId/approve')
  @HttpCode(200)
  @RequirePermission('connections.write')
  @RequireSubscription()
  @Answers('schema_change.decided', 'schema_change.not_decidable')
  async approveSchemaChange(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Param('schemaChangeId', ParseUUIDPipe) schemaChangeId: string,
  ): Promise<SchemaChangeEntry> {
    await this.decisions.approve(actor, connectionId, schemaChangeId);
    return this.queries.getChange(actor.organizationId, connectionId, schemaChangeId);
  }

  /** Ignores a schema change. New columns stay excluded and new streams stay unselected. */
  @Post('schema-changes/:schemaChangeId/ignore')
  @HttpCode(200)
  @RequirePermission('connections.write')
  @RequireSubscription()
  @Answers('schema_change.decided', 'schema_change.not_decidable')
  async ignoreSchemaChange(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Param('schemaChangeId', ParseUUIDPipe) schemaChangeId: string,
  ): Promise<SchemaChangeEntry> {
    await this.decisions.ignore(actor, connectionId, schemaChangeId);
    return this.queries.getChange(actor.organizationId, connectionId, schemaChangeId);
  }
}
