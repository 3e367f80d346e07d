import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../../access/index.js';
import { Answers } from '../../core/api-docs/answers.decorator.js';
import { PageQuery } from '../../core/http/page.dto.js';
import { CreateRuleBody, NotificationRuleEntry, NotificationRulePage, UpdateRuleBody } from './notification-rules.dto.js';
import { NotificationRulesQueries } from './notification-rules.queries.js';
import { NotificationRulesService } from './notification-rules.service.js';

@ApiTags('Notifications')
@Controller('api/v1/organizations/:organizationId/notification-rules')
export class NotificationRulesController {
  constructor(
    private readonly rules: NotificationRulesService,
    private readonly queries: NotificationRulesQueries,
  ) {}

  /** Lists rules, oldest first. */
  @Get()
  @RequirePermission('notifications.read')
  listNotificationRules(@CurrentActor() actor: Actor, @Query() query: PageQuery): Promise<NotificationRulePage> {
    return this.queries.listRules(actor.organizationId, query);
  }

  /** Creates a rule. */
  @Post()
  @RequirePermission('notifications.write')
  @Answers('notification_rule.limit_reached')
  async createNotificationRule(@CurrentActor() actor: Actor, @Body() body: CreateRuleBody): Promise<NotificationRuleEntry> {
    const id = await this.rules.create(actor, body);
    return this.queries.getRule(actor.organizationId, id);
  }

  /** Changes a rule. */
  @Patch(':ruleId')
  @RequirePermission('notifications.write')
  @Answers('conflict.version')
  async updateNotificationRule(
    @CurrentActor() actor: Actor,
    @Param('ruleId', ParseUUIDPipe) ruleId: string,
    @Body() body: UpdateRuleBody,
  ): Promise<NotificationRuleEntry> {
    await this.rules.update(actor, ruleId, body);
    return this.queries.getRule(actor.organizationId, ruleId);
  }

  /** Deletes a rule. It can be restored for 30 days. */
  @Delete(':ruleId')
  @HttpCode(204)
  @RequirePermission('notifications.write')
  deleteNotificationRule(@CurrentActor() actor: Actor, @Param('ruleId', ParseUUIDPipe) ruleId: string): Promise<void> {
    return this.rules.delete(actor, ruleId);
  }

  /** Restores a rule within 30 days after its deletion. */
  @Post(':ruleId/restore')
  @HttpCode(200)
  @RequirePermission('notifications.write')
  @Answers('notification_rule.webhook_gone', 'notification_rule.limit_reached')
  async restoreNotificationRule(
    @CurrentActor() actor: Actor,
    @Param('ruleId', ParseUUIDPipe) ruleId: string,
  ): Promise<NotificationRuleEntry> {
    await this.rules.restore(actor, ruleId);
    return this.queries.getRule(actor.organizationId, ruleId);
  }
}
