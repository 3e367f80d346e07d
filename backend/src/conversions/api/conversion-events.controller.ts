import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission, RequireSubscription } from '../../access/index.js';
import {
  ConversionEventDetail,
  ConversionEventPage,
  ConversionEventsQuery,
  ConversionFunnel,
  OrderSearch,
  OrderSearchQuery,
  ReplayBody,
  Replayed,
} from './conversion-events.dto.js';
import { ConversionEventsQueries } from './conversion-events.queries.js';
import { ReplayEvents } from './replay-events.js';

@ApiTags('Conversions')
@Controller('api/v1/organizations/:organizationId')
export class ConversionEventsController {
  constructor(
    private readonly queries: ConversionEventsQueries,
    private readonly replays: ReplayEvents,
  ) {}

  /** Finds an order in all conversions, with its whole life: eligibility, requests, answers and adjustments. */
  @Get('conversion-orders')
  @RequirePermission('conversions.read')
  searchOrders(@CurrentActor() actor: Actor, @Query() { search }: OrderSearchQuery): Promise<OrderSearch> {
    return this.queries.searchOrders(actor.organizationId, search);
  }

  /** Counts the events of the last 30 days from their arrival to the decision of the platform. */
  @Get('conversions/:conversionId/funnel')
  @RequirePermission('conversions.read')
  getConversionFunnel(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
  ): Promise<ConversionFunnel> {
    return this.queries.getFunnel(actor.organizationId, conversionId);
  }

  /** Lists the events of a conversion, newest first. */
  @Get('conversions/:conversionId/events')
  @RequirePermission('conversions.read')
  listConversionEvents(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
    @Query() query: ConversionEventsQuery,
  ): Promise<ConversionEventPage> {
    return this.queries.listEvents(actor.organizationId, conversionId, query);
  }

  /** Returns one event with its whole life. */
  @Get('conversions/:conversionId/events/:eventId')
  @RequirePermission('conversions.read')
  getConversionEvent(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
    @Param('eventId', ParseUUIDPipe) eventId: string,
  ): Promise<ConversionEventDetail> {
    return this.queries.getEvent(actor.organizationId, conversionId, eventId);
  }

  /** Sends rejected events again, for example after the conversion action was corrected. */
  @Post('conversions/:conversionId/replay')
  @HttpCode(202)
  @RequirePermission('conversions.write')
  @RequireSubscription()
  async replayConversionEvents(
    @CurrentActor() actor: Actor,
    @Param('conversionId', ParseUUIDPipe) conversionId: string,
    @Body() body: ReplayBody,
  ): Promise<Replayed> {
    return { events: await this.replays.replay(actor, conversionId, body) };
  }
}
