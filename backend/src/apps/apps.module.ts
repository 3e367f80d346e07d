import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { AppAccess } from './app-access.service.js';
import { AppCredentials } from './app-credentials.js';
import { AppHistory } from './app-history.service.js';
import { AppUseController } from './app-use.controller.js';
import { AppUseQueries } from './app-use.queries.js';
import { AppsController } from './apps.controller.js';
import { AppsQueries } from './apps.queries.js';
import { AppsService } from './apps.service.js';
import { AuthorizeApp } from './authorize-app.js';
import { CatalogController } from './catalog.controller.js';
import { CompiledSchemas } from './compiled-schemas.js';
import { Connectors } from './connectors.service.js';
import { DisconnectApp } from './disconnect-app.js';
import { ForgetOldAuthorizations } from './forget-old.js';
import { OauthCallbackController } from './oauth-callback.controller.js';
import { OauthStateSigner } from './oauth-state.js';
import { OauthStates } from './oauth-states.js';
import { OauthController } from './oauth.controller.js';
import { MoveSubmission } from './move-submission.js';
import { ProviderBudget } from './provider-budget.service.js';
import { ProbeApp } from './probe-app.js';
import { PushController } from './push.controller.js';
import { PushEndpointController } from './push-endpoint.controller.js';
import { PushEndpointQueries } from './push-endpoint.queries.js';
import { PushEndpointService } from './push-endpoint.service.js';
import { ReceiveEvents } from './receive-events.js';
import { ReconnectByLink } from './reconnect-by-link.js';
import { ReconnectController } from './reconnect.controller.js';
import { Reconnections } from './reconnections.service.js';
import { RefreshToken } from './refresh-token.js';
import { ReviewGrant } from './review-grant.js';
import { RevokeLinks } from './revoke-links.js';
import { ShareApp } from './share-app.js';
import { ShareLinksQueries } from './share-links.queries.js';
import { SourceDefaultsService } from './source-defaults.js';
import { StartAuthorization } from './start-authorization.js';
import { WatchApiVersions } from './watch-api-versions.js';
import { SubmissionDeskController } from './submission-desk.controller.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmissionsQueries } from './submissions.queries.js';
import { SubmissionsService } from './submissions.service.js';

@Module({
  imports: [BillingModule, UsersModule],
  controllers: [
    AppsController,
    OauthController,
    AppUseController,
    OauthCallbackController,
    ReconnectController,
    CatalogController,
    ...[SubmissionsController, SubmissionDeskController, PushEndpointController, PushController],
  ],
  providers: [
    ...[AppsService, AppsQueries, AppUseQueries, AppAccess, AppCredentials, AppHistory, Connectors],
    ...[SourceDefaultsService, ProviderBudget],
    ...[RefreshToken, ProbeApp, DisconnectApp, ForgetOldAuthorizations],
    ...[StartAuthorization, AuthorizeApp, OauthStates, OauthStateSigner, ReviewGrant, Reconnections],
    WatchApiVersions,
    ...[SubmissionsService, SubmissionsQueries, MoveSubmission],
    ...[PushEndpointService, PushEndpointQueries, CompiledSchemas, ReceiveEvents],
    ...[ShareApp, ShareLinksQueries, ReconnectByLink, RevokeLinks],
  ],
  exports: [AppAccess, AppHistory, AppsService, Connectors, ProviderBudget, Reconnections],
})
export class AppsModule {}
