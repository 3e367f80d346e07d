import type { CatalogStream, NewConnection } from '~/api/types';

/** Columns that are not written, by stream. */
export type ExcludedColumns = Record<string, string[]>;

type Column = CatalogStream['columns'][number];

const reasons: Record<NonNullable<Column['need']>, string> = {
  key: 'always, it tells rows apart',
  proof: 'always, it proves that all rows arrived',
  money: 'always, it says what the money is counted in',
};

/** Why a column is always written; null when it can be left out. */
export const neededBecause = ({ need }: Column): string | null => (need === null ? null : reasons[need]);

/** `14 of 17` */
export const countFields = ({ columns }: CatalogStream, leftOut: string[]): string =>
  `${columns.filter(({ name }) => !leftOut.includes(name)).length} of ${columns.length}`;

export const toggleColumn = (leftOut: string[], name: string): string[] =>
  leftOut.includes(name) ? leftOut.filter((one) => one !== name) : [...leftOut, name].sort();

/** Everything that can be left out. */
export const spareColumns = ({ columns }: CatalogStream): string[] =>
  columns.flatMap(({ name, need }) => (need === null ? [name] : [])).sort();

/** As the server takes it: of the streams that are offered, those of which something is left out. */
export const toLeftOutBody = (leftOut: ExcludedColumns, streams: string[]): NonNullable<NewConnection['leftOut']> =>
  Object.entries(leftOut).flatMap(([stream, columns]) =>
    streams.includes(stream) && columns.length > 0 ? [{ stream, columns }] : [],
  );
