import { Module } from '@nestjs/common';
import { AppAccess } from './app-access.service.js';
import { AppsController } from './apps.controller.js';
import { AppsQueries } from './apps.queries.js';
import { AppsService } from './apps.service.js';
import { AuthorizeApp } from './authorize-app.js';
import { CatalogController } from './catalog.controller.js';
import { Connectors } from './connectors.service.js';
import { OauthCallbackController } from './oauth-callback.controller.js';
import { OauthStateSigner } from './oauth-state.js';
import { Reconnections } from './reconnections.service.js';

@Module({
  controllers: [AppsController, OauthCallbackController, CatalogController],
  providers: [AppsService, AppsQueries, AppAccess, AuthorizeApp, Connectors, OauthStateSigner, Reconnections],
  exports: [AppAccess, AppsService, Connectors, Reconnections],
})
export class AppsModule {}
