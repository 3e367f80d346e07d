import { Module } from '@nestjs/common';
import { UsersModule } from '../users/index.js';
import { BillingModule } from '../billing/index.js';
import { CatalogModule } from '../catalog/index.js';
import { CustomAppsModule } from '../custom-apps/index.js';
import { AuthorizedApps } from './credentials/authorized-apps.service.js';
import { AppCredentials } from './credentials/app-credentials.js';
import { EnterKey } from './credentials/enter-key.js';
import { AppUseController } from './app-use.controller.js';
import { AppUseQueries } from './app-use.queries.js';
import { AppsController } from './apps.controller.js';
import { AppsQueries } from './apps.queries.js';
import { AppsService } from './apps.service.js';
import { AuthorizeApp } from './oauth/authorize-app.js';
import { DisconnectApp } from './disconnect-app.js';
import { DeleteOldAppData } from './delete-old-app-data.js';
import { OauthCallbackController } from './oauth/oauth-callback.controller.js';
import { OauthStateSigner } from './oauth/oauth-state.js';
import { OauthStates } from './oauth/oauth-states.js';
import { OauthController } from './oauth/oauth.controller.js';
import { ProviderBudget } from './provider-budget.service.js';
import { QuotaMetrics } from './quota-metrics.js';
import { ProbeApp } from './probe-app.js';
import { ReconnectByLink } from './share-links/reconnect-by-link.js';
import { ReconnectPage } from './share-links/reconnect-page.js';
import { ReconnectController } from './share-links/reconnect.controller.js';
import { RefreshToken } from './credentials/refresh-token.js';
import { ReviewGrant } from './oauth/review-grant.js';
import { RestoreAppUser } from './restore-app-user.js';
import { RevokeLinks } from './share-links/revoke-links.js';
import { ShareApp } from './share-links/share-app.js';
import { ShareLinksQueries } from './share-links/share-links.queries.js';
import { SourceDefaultsService } from './source-defaults.js';
import { StartAuthorization } from './oauth/start-authorization.js';

@Module({
  imports: [BillingModule, CatalogModule, CustomAppsModule, UsersModule],
  controllers: [AppsController, OauthController, AppUseController, OauthCallbackController, ReconnectController],
  providers: [
    ...[AppsService, AppsQueries, AppUseQueries, AuthorizedApps, AppCredentials, EnterKey],
    ...[SourceDefaultsService, ProviderBudget, QuotaMetrics, RestoreAppUser],
    ...[RefreshToken, ProbeApp, DisconnectApp, DeleteOldAppData],
    ...[StartAuthorization, AuthorizeApp, OauthStates, OauthStateSigner, ReviewGrant],
    ...[ShareApp, ShareLinksQueries, ReconnectByLink, ReconnectPage, RevokeLinks],
  ],
  exports: [AuthorizedApps, AppsService, ProviderBudget, RestoreAppUser],
})
export class AppsModule {}
