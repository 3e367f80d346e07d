import { describe, expect, it } from 'vitest';
import { dictionary, readViews } from './dictionary.ts';

const SCHEMA = new Map([
  [
    'shops.prisma',
    `enum Size {
  small

  @@map("shop_size")
}

/// Places that
/// sell.
model Shop {
  /// Id of the shop | not of its owner.
  id    String @id @db.Uuid
  /// Its size, e.g. {"small"}.
  size  Size?
  items Item[]

  @@map("shops")
}

/// Things.
model Item {
  /// Id.
  id     String   @id
  /// When.
  soldAt DateTime @map("sold_at")
  shop   Shop     @relation(fields: [shopId], references: [id])

  @@map("items")
}
`,
  ],
]);

describe('the data dictionary', () => {
  const text = dictionary(SCHEMA, '');

  it('lists tables and columns by their names in the database, with types and comments', () => {
    expect(text).toContain('### `shops`\n\nPlaces that sell.');
    expect(text).toContain('| `id` | uuid |  | Id of the shop \\| not of its owner. |');
    expect(text).toContain('| `size` | shop_size | yes | Its size, e.g. {"small"}. |');
    expect(text).toContain('| `sold_at` | timestamptz |  | When. |');
  });

  it('draws a relation between two tables', () => expect(text).toContain('shops ||--o{ items : ""'));

  it('does not list relations as columns', () => expect(text).not.toMatch(/`shop`|`items` \|/));
});

it('lists the comments of reporting views, the newest of each view', () => {
  const migrations = `COMMENT ON VIEW reporting.shops_v1 IS 'Shops, the owner''s too.';
COMMENT ON COLUMN reporting.shops_v1.id IS 'Key.';
COMMENT ON COLUMN reporting.shops_v1.size IS 'Size.';
COMMENT ON COLUMN reporting.shops_v1.id IS 'Id.';
`;
  expect(readViews(migrations)).toEqual([
    {
      name: 'shops_v1',
      comment: "Shops, the owner's too.",
      columns: [
        { name: 'id', comment: 'Id.' },
        { name: 'size', comment: 'Size.' },
      ],
    },
  ]);
});
