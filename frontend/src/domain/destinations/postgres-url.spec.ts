import { expect, test } from 'vitest';
import { parsePostgresUrl } from './postgres-url';

test.each(['', 'db.example.com', 'mysql://a:b@c/d', 'postgresql://', 'https://db.example.com'])('rejects %j', (text) =>
  expect(parsePostgresUrl(text)).toBeNull(),
);

test('reads every field, trims spaces and decodes escapes', () => {
  expect(
    parsePostgresUrl('  postgresql://loader:p%40ss%2Fword@db.example.com:6543/ware%20house?sslmode=require&schema=ads '),
  ).toEqual({
    host: 'db.example.com',
    port: '6543',
    database: 'ware house',
    user: 'loader',
    password: 'p@ss/word',
    sslMode: 'require',
    schema: 'ads',
  });
});

test('returns only the given fields and the default port', () => {
  expect(parsePostgresUrl('postgres://db.example.com/warehouse')).toEqual({
    host: 'db.example.com',
    port: '5432',
    database: 'warehouse',
  });
});
