import type { RecordSample } from '~/api/types';
import table from '~/ui/layout/Table.module.css';
import styles from './CreateConversion.module.css';

const textOf = (value: unknown): string =>
  value === null || value === undefined || value === '' ? '—' : String(value as string);

/** The newest records of the source. Personal data is masked by the server. */
export const SampleTable = ({ sample: { records, fields } }: { sample: RecordSample }) => (
  <div className={`${table.scroll} ${styles.sample}`} tabIndex={0} role="region" aria-label="Newest records, as a table">
    <table className={table.table}>
      <thead>
        <tr>
          {fields.map((field) => (
            <th key={field} scope="col">
              {field}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record, index) => (
          <tr key={index}>
            {fields.map((field) => (
              <td key={field}>{textOf(record[field])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
