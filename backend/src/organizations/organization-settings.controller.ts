import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, CurrentIdentity, type Identity, RequirePermission, SignedIn } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { DeleteOrganization } from './deletion/delete-organization.js';
import {
  DeletedOrganizationList,
  DeleteOrganizationQuery,
  Organization,
  UpdateMembershipBody,
  UpdateOrganizationBody,
  UpdateSecurityBody,
} from './organization-settings.dto.js';
import { OrganizationSecurity } from './organization-security.js';
import { OrganizationsQueries } from './organizations.queries.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller('api/v1')
export class OrganizationSettingsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly security: OrganizationSecurity,
    private readonly deleteService: DeleteOrganization,
    private readonly queries: OrganizationsQueries,
  ) {}

  /** Returns the organization with the caller's role and permissions. */
  @Get('organizations/:organizationId')
  @RequirePermission('organization.read')
  getOrganization(@CurrentActor() actor: Actor): Promise<Organization> {
    return this.queries.getOrganization(actor);
  }

  /** Changes name, logo, currency or time zone. */
  @Patch('organizations/:organizationId')
  @RequirePermission('organization.write')
  @Answers('conflict.version')
  async updateOrganization(@CurrentActor() actor: Actor, @Body() body: UpdateOrganizationBody): Promise<Organization> {
    await this.organizations.update(actor, body);
    return this.queries.getOrganization(actor);
  }

  /** Makes the organization the caller's default, or ends that: it is listed first and opens when a link names no organization. */
  @Patch('organizations/:organizationId/membership')
  @RequirePermission('membership.write')
  async updateMembership(@CurrentActor() actor: Actor, @Body() body: UpdateMembershipBody): Promise<Organization> {
    await this.organizations.setDefault(actor, body.isDefault);
    return this.queries.getOrganization(actor);
  }

  /** Turns the second factor requirement for owners and admins on or off. API keys are not affected. */
  @Patch('organizations/:organizationId/security')
  @RequirePermission('organization.secure')
  @Answers('access.person_needed', 'conflict.version')
  async updateSecurity(@CurrentActor() actor: Actor, @Body() body: UpdateSecurityBody): Promise<Organization> {
    await this.security.update(actor, body);
    return this.queries.getOrganization(actor);
  }

  /** Deletes the organization with all its resources. An owner can restore it for 30 days. */
  @Delete('organizations/:organizationId')
  @HttpCode(204)
  @RequirePermission('organization.delete')
  @Answers('organization.name_mismatch')
  deleteOrganization(@CurrentActor() actor: Actor, @Query() query: DeleteOrganizationQuery): Promise<void> {
    return this.deleteService.delete(actor, query.confirmName);
  }

  /** Restores a deleted organization. Only for its owners, within 30 days. */
  @Post('organizations/:organizationId/restore')
  @HttpCode(200)
  @SignedIn()
  @Answers('organization.not_restorable', 'not_found', 'auth.second_factor_required')
  async restoreOrganization(
    @CurrentIdentity() identity: Identity,
    @Param('organizationId', ParseUUIDPipe) organizationId: string,
  ): Promise<Organization> {
    await this.deleteService.restore(identity, organizationId);
    return this.queries.getOrganization({ ...identity, organizationId, role: 'owner', isVisit: false });
  }

  /** Lists deleted organizations that the caller owns and can restore. */
  @Get('me/deleted-organizations')
  @SignedIn()
  listDeletedOrganizations(@CurrentIdentity() identity: Identity): Promise<DeletedOrganizationList> {
    return this.queries.listDeleted(identity);
  }
}
