import { Body, Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { ConnectionTest, TestConnectionBody } from './test-bench.dto.js';
import { TestBench } from './test-bench.service.js';

@ApiTags('Connections')
@Controller('api/v1/organizations/:organizationId/connections')
export class TestBenchController {
  constructor(private readonly bench: TestBench) {}

  /**
   * Tests a connection with one day of one account, for at most 60 seconds: checks source and destination, reads the rows, and
   * returns what a run would send to the destination. Writes nothing. Its requests count against the daily budget. Paused
   * connections can be tested too. A part that fails is a failed item.
   */
  @Post(':connectionId/test-bench')
  @HttpCode(200)
  @RequirePermission('connections.write')
  @RequireSubscription()
  @Answers('connection.unknown_stream', 'source.unknown_account')
  testConnection(
    @CurrentActor() actor: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Body() body: TestConnectionBody,
  ): Promise<ConnectionTest> {
    return this.bench.test(actor.organizationId, connectionId, body);
  }
}
