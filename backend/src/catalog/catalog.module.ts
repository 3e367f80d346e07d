import { Module } from '@nestjs/common';
import { CatalogController } from './catalog.controller.js';
import { Connectors } from './connectors.service.js';
import { WatchApiVersions } from './watch-api-versions.js';

@Module({
  controllers: [CatalogController],
  providers: [Connectors, WatchApiVersions],
  exports: [Connectors],
})
export class CatalogModule {}
