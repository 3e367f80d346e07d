import { Button, Checkbox, Popover } from '@mantine/core';
import type { CatalogStream } from '~/api/types';
import { countFields, requiredReason, optionalColumns, toggleColumn } from './excluded-columns';
import { HashCheckbox } from './HashCheckbox';
import styles from './StreamTable.module.css';

/** The list shrinks to the available space, because scrolling the page to hidden fields would close the popover. */
const FIT_WINDOW = { size: { padding: 8 } };

export interface Hashing {
  /** Fields that are written as hashes. */
  hashed: string[];
  onToggle: (field: string) => void;
  /** What is written instead of the text. */
  note: string;
}

interface StreamFieldsProps {
  stream: CatalogStream;
  leftOut: string[];
  onChange: (leftOut: string[]) => void;
  /** What happens to an excluded column. */
  note: string;
  hashing: Hashing | undefined;
  isLocked: boolean;
}

function FieldLine({
  stream,
  column,
  leftOut,
  onChange,
  hashing,
  isLocked,
}: StreamFieldsProps & { column: CatalogStream['columns'][number] }) {
  const because = requiredReason(column);
  const isExcluded = leftOut.includes(column.name);
  return (
    <div className={styles.fieldLine}>
      <Checkbox
        className={styles.fieldChoice}
        checked={because !== null || !isExcluded}
        disabled={isLocked || because !== null}
        onChange={() => onChange(toggleColumn(leftOut, column.name))}
        aria-label={`${column.name} of ${stream.name}`}
        label={
          <>
            <code>{column.name}</code> <span className="label">{because ?? column.type}</span>
          </>
        }
        description={column.description}
      />
      {hashing && column.canHash && (
        <HashCheckbox
          field={column.name}
          stream={stream.name}
          isHashed={hashing.hashed.includes(column.name)}
          isLocked={isLocked || isExcluded}
          onToggle={() => hashing.onToggle(column.name)}
        />
      )}
    </div>
  );
}

/** All columns of a stream with their descriptions, and a checkbox to exclude each. */
export function StreamFields(props: StreamFieldsProps) {
  const { stream, leftOut, onChange, note, hashing, isLocked } = props;
  const count = countFields(stream, leftOut);
  return (
    <Popover width="min(360px, calc(100vw - 32px))" position="bottom-start" middlewares={FIT_WINDOW} trapFocus>
      <Popover.Target>
        <button type="button" className={styles.fields} aria-label={`${count} fields of ${stream.name}`}>
          {count}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.fieldsDropdown}>
        <p className={styles.note}>
          {note}
          {hashing && ` ${hashing.note}`}
        </p>
        <div className={styles.buttons}>
          <Button size="compact-sm" variant="default" disabled={isLocked || leftOut.length === 0} onClick={() => onChange([])}>
            All fields
          </Button>
          <Button size="compact-sm" variant="default" disabled={isLocked} onClick={() => onChange(optionalColumns(stream))}>
            Required only
          </Button>
        </div>
        <div className={styles.fieldList} tabIndex={0} role="group" aria-label={`Fields of ${stream.title}`}>
          {stream.columns.map((column) => (
            <FieldLine key={column.name} {...props} column={column} />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
