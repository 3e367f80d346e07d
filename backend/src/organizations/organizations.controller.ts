import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  type Actor,
  CurrentActor,
  CurrentIdentity,
  type Identity,
  RequirePermission,
  SignedIn,
} from '../access/access.decorator.js';
import { assertOwnId } from '../access/own-id.guard.js';
import { Answers } from '../platform/answers.decorator.js';
import { OrganizationData } from './organization-data.js';
import {
  CreateOrganizationAnswer,
  CreateOrganizationBody,
  Organization,
  OrganizationDataAnswer,
  OrganizationDataQuery,
  OrganizationIdsAnswer,
  OrganizationIdsQuery,
} from './organizations.dto.js';
import { OrganizationsQueries } from './organizations.queries.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller('api')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly organizationData: OrganizationData,
    private readonly queries: OrganizationsQueries,
  ) {}

  /** Makes an organization; the caller becomes its owner. */
  @Post('createOrganization')
  @HttpCode(200)
  @SignedIn()
  @Answers('access.not_yours', 'not_found')
  async createOrganization(
    @CurrentIdentity() identity: Identity,
    @Body() body: CreateOrganizationBody,
  ): Promise<CreateOrganizationAnswer> {
    assertOwnId(identity, { userId: body.userId });
    const organizationId = await this.organizations.create(identity, body);
    return { success: true, message: 'Organization created successfully', organizationId };
  }

  /** The organizations the caller belongs to. */
  @Get('getOrganizationIds')
  @SignedIn()
  @Answers('access.not_yours')
  async getOrganizationIds(
    @CurrentIdentity() identity: Identity,
    @Query() query: OrganizationIdsQuery,
  ): Promise<OrganizationIdsAnswer> {
    assertOwnId(identity, { userId: query.userId });
    return { success: true, organizations: await this.queries.listOfUser(identity.uid) };
  }

  /** One document of an organization, or the list of a type. What is not the caller's answers as missing. */
  @Get('getOrganizationData')
  @ApiOkResponse({ type: OrganizationDataAnswer })
  @ApiNotFoundResponse({ type: OrganizationDataAnswer })
  @SignedIn()
  async getOrganizationData(
    @CurrentIdentity() identity: Identity,
    @Query() query: OrganizationDataQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OrganizationDataAnswer> {
    const answer = await this.organizationData.read(identity.uid, query);
    response.status(answer.status === 'success' ? 200 : 404);
    return answer;
  }

  /** The organization and the caller's role in it. */
  @Get('v1/organizations/:organizationId')
  @RequirePermission('organization.read')
  getOrganization(@CurrentActor() actor: Actor): Promise<Organization> {
    return this.queries.getOrganization(actor.uid, actor.organizationId);
  }
}
