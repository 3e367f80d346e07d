import { Body, Controller, Get, Header, HttpCode, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  type Actor,
  assertOwnId,
  CurrentActor,
  CurrentIdentity,
  type Identity,
  RequirePermission,
  SignedIn,
} from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { DeleterService } from './deletion/deleter.service.js';
import { ListOrganizations } from './list-organizations.js';
import { NoNavigationGuard } from './no-navigation.guard.js';
import { OrganizationData } from './deletion/organization-data.js';
import {
  CreateOrganizationAnswer,
  CreateOrganizationBody,
  DeleteAnswer,
  DeleteQuery,
  OrganizationDataAnswer,
  OrganizationDataQuery,
  OrganizationIdsAnswer,
  OrganizationIdsQuery,
} from './organizations.dto.js';
import { OrganizationsService } from './organizations.service.js';

/** Date when the DELETE routes replaced the specified delete endpoint: 2026-11-20, in the format of RFC 9745. */
const DEPRECATED_SINCE = '@1795132800';

@ApiTags('Organizations')
@Controller('api')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly organizationData: OrganizationData,
    private readonly listOrganizations: ListOrganizations,
    private readonly deleters: DeleterService,
  ) {}

  /** Creates an organization. The caller becomes its owner. */
  @Post('createOrganization')
  @HttpCode(200)
  @SignedIn()
  @Answers('access.not_yours', 'not_found', 'organization.limit_reached')
  async createOrganization(
    @CurrentIdentity() identity: Identity,
    @Body() body: CreateOrganizationBody,
  ): Promise<CreateOrganizationAnswer> {
    assertOwnId(identity, { userId: body.userId });
    const organizationId = await this.organizations.create(identity, body);
    return { success: true, message: 'Organization created successfully', organizationId };
  }

  /** Lists the caller's organizations. Platform staff can request all organizations. */
  @Get('getOrganizationIds')
  @SignedIn()
  @Answers('access.not_yours')
  async getOrganizationIds(
    @CurrentIdentity() identity: Identity,
    @Query() query: OrganizationIdsQuery,
  ): Promise<OrganizationIdsAnswer> {
    assertOwnId(identity, { userId: query.userId });
    return { success: true, organizations: await this.listOrganizations.list(identity, query) };
  }

  /** Returns one document of an organization, or the list of a type. Returns 404 to users without access. */
  @Get('getOrganizationData')
  @ApiOkResponse({ type: OrganizationDataAnswer })
  @ApiNotFoundResponse({ type: OrganizationDataAnswer })
  @SignedIn()
  @Answers('auth.second_factor_required')
  async getOrganizationData(
    @CurrentIdentity() identity: Identity,
    @Query() query: OrganizationDataQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OrganizationDataAnswer> {
    const answer = await this.organizationData.read(identity, query);
    response.status(answer.status === 'success' ? 200 : 404);
    return answer;
  }

  /** Deletes one resource. Resources except apps can be restored for 30 days. Browsers cannot navigate here. Use the DELETE routes. */
  @Get('delete')
  @ApiOperation({ deprecated: true, summary: 'Deletes one resource. Resources except apps can be restored for 30 days.' })
  @Header('Deprecation', DEPRECATED_SINCE)
  @UseGuards(NoNavigationGuard)
  @RequirePermission('organization.read', { in: 'query', name: 'documentId' })
  @Answers('access.navigation', 'not_found', 'access.role_too_low')
  async deleteDocument(
    @CurrentActor() actor: Actor,
    @Query() query: DeleteQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeleteAnswer> {
    const { type, key } = query;
    await this.deleters.delete(actor, type, key);
    const successor = `/api/v1/organizations/${actor.organizationId}/${type}s/${key}`;
    response.setHeader('Link', `<${successor}>; rel="successor-version"`);
    return { success: true, message: `The ${type} was deleted` };
  }
}
