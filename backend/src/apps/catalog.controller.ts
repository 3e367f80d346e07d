import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../access/access.decorator.js';
import { catalog } from '../connectors/catalog.js';
import { Catalog } from './catalog.dto.js';

@ApiTags('Catalog')
@Controller('api/v1/catalog')
export class CatalogController {
  /** Everything the product can connect to, with the schemas its forms are drawn from. */
  @Get()
  @SignedIn()
  getCatalog(): Catalog {
    return {
      connectors: catalog.map((connector) => ({
        provider: connector.provider,
        name: connector.name,
        roles: connector.roles,
        category: connector.category,
        description: connector.description,
        authMode: connector.authMode,
        scopes: connector.scopes,
        settingsSchema: connector.settingsSchema,
        credentialsSchema: connector.credentialsSchema,
        streams: connector.streams.map(({ name, title, description, table, key, lookbackReason, columns }) => ({
          name,
          title,
          description,
          table,
          key,
          lookbackReason,
          columns,
        })),
      })),
    };
  }
}
