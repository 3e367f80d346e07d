import type { CatalogStream, NewConnection } from '~/api/types';

/** Excluded columns by stream. */
export type ExcludedColumns = Record<string, string[]>;

type Column = CatalogStream['columns'][number];

const reasons: Record<NonNullable<Column['need']>, string> = {
  key: 'Required: primary key',
  proof: 'Required: verification',
  money: 'Required: currency',
};

/** Why a column is required; null when it can be excluded. */
export const requiredReason = ({ need }: Column): string | null => (need === null ? null : reasons[need]);

/** `14 of 17` */
export const countFields = ({ columns }: CatalogStream, leftOut: string[]): string =>
  `${columns.filter(({ name }) => !leftOut.includes(name)).length} of ${columns.length}`;

export const toggleColumn = (leftOut: string[], name: string): string[] =>
  leftOut.includes(name) ? leftOut.filter((one) => one !== name) : [...leftOut, name].sort();

/** All columns that can be excluded. */
export const optionalColumns = ({ columns }: CatalogStream): string[] =>
  columns.flatMap(({ name, need }) => (need === null ? [name] : [])).sort();

/** The request body: only offered streams with excluded columns. */
export const toLeftOutBody = (leftOut: ExcludedColumns, streams: string[]): NonNullable<NewConnection['leftOut']> =>
  Object.entries(leftOut).flatMap(([stream, columns]) =>
    streams.includes(stream) && columns.length > 0 ? [{ stream, columns }] : [],
  );
