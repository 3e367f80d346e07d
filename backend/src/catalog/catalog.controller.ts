import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../access/index.js';
import type { CatalogEntry } from '../connectors/catalog.js';
import { needOf } from '../connectors/kit/rows/excluded-columns.js';
import { canHash } from '../connectors/kit/rows/hashed-columns.js';
import { Catalog, type CatalogConnector } from './catalog.dto.js';
import { Connectors } from './connectors.service.js';

@ApiTags('Catalog')
@Controller('api/v1/catalog')
export class CatalogController {
  constructor(private readonly connectors: Connectors) {}

  /** Lists everything the product can connect to, with the schemas of its forms. */
  @Get()
  @SignedIn({ acceptsKeys: true })
  getCatalog(): Catalog {
    return { connectors: this.connectors.entries.map(toConnector) };
  }
}

const toConnector = ({ streams, ...entry }: CatalogEntry): CatalogConnector => ({
  ...entry,
  streams: streams.map((stream) => {
    const { name, title, description, table, key, level, breakdowns, verification, lookbackReason } = stream;
    const columns = stream.columns.map((column) => ({
      ...column,
      need: needOf(stream, column.name),
      canHash: canHash(stream, column.name),
    }));
    return { name, title, description, table, key, level, breakdowns, verification, lookbackReason, columns };
  }),
});
