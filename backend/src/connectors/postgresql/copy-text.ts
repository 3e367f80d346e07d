import type { ColumnType, Row, Stream, Value } from '../kit/contract.js';

/** Turns rows into the text format of COPY. */
export type RowEncoder = (rows: Row[]) => string;

const special = /[\\\n\r\t\0]/;
const everySpecial = /[\\\n\r\t\0]/g;
/** A null byte cannot be stored in PostgreSQL text. It carries no meaning in a name, and must not keep a day from loading. */
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '' };

export function createRowEncoder(stream: Stream): RowEncoder {
  const columns = stream.columns.map((column) => ({ name: column.name, encode: encoders[column.type] }));
  return (rows) => {
    let text = '';
    for (const row of rows) {
      let separator = '';
      for (const { name, encode } of columns) {
        const value = row[name];
        text += separator + (value === null || value === undefined ? '\\N' : encode(value));
        separator = '\t';
      }
      text += '\n';
    }
    return text;
  };
}

/** Infinity and NaN are written as PostgreSQL reads them. */
const plain = (value: Value): string => String(value);

const encoders: Record<ColumnType, (value: Value) => string> = {
  text: encodeText,
  bigint: plain,
  double: plain,
  date: plain,
  boolean: (value) => (value === true ? 't' : 'f'),
};

function encodeText(value: Value): string {
  const text = typeof value === 'string' ? value : String(value);
  return special.test(text) ? text.replace(everySpecial, (character) => escapes[character] ?? '') : text;
}
