import { Module } from '@nestjs/common';
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
import { Connectors } from './connectors.service.js';
import { DisconnectApp } from './disconnect-app.js';
import { ForgetOldAuthorizations } from './forget-old.js';
import { OauthCallbackController } from './oauth-callback.controller.js';
import { OauthStateSigner } from './oauth-state.js';
import { OauthStates } from './oauth-states.js';
import { OauthController } from './oauth.controller.js';
import { ProbeApp } from './probe-app.js';
import { ReconnectByLink } from './reconnect-by-link.js';
import { ReconnectController } from './reconnect.controller.js';
import { Reconnections } from './reconnections.service.js';
import { RefreshToken } from './refresh-token.js';
import { ReviewGrant } from './review-grant.js';
import { ShareApp } from './share-app.js';
import { ShareLinksQueries } from './share-links.queries.js';
import { StartAuthorization } from './start-authorization.js';
import { WatchApiVersions } from './watch-api-versions.js';

@Module({
  imports: [BillingModule],
  controllers: [
    AppsController,
    OauthController,
    AppUseController,
    OauthCallbackController,
    ReconnectController,
    CatalogController,
  ],
  providers: [
    ...[AppsService, AppsQueries, AppUseQueries, AppAccess, AppCredentials, AppHistory, Connectors],
    ...[RefreshToken, ProbeApp, DisconnectApp, ForgetOldAuthorizations],
    ...[StartAuthorization, AuthorizeApp, OauthStates, OauthStateSigner, ReviewGrant, Reconnections],
    WatchApiVersions,
    ...[ShareApp, ShareLinksQueries, ReconnectByLink],
  ],
  exports: [AppAccess, AppHistory, AppsService, Connectors, Reconnections],
})
export class AppsModule {}
