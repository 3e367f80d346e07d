import { Button, Textarea } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { KEY_FILE_LIMIT, readKeyFile } from '~/domain/destinations/key-file';
import { icon } from '~/ui/icon';
import { FileChoice } from '~/ui/inputs/FileChoice';
import styles from './KeyFileField.module.css';

interface KeyFileFieldProps {
  name: string;
  label: string;
  description: string | null;
  value: string;
  error: string | null;
  hasSavedSecret?: boolean;
  isLocked?: boolean;
  onChange: (text: string) => void;
}

/** The account and project of a valid key file. */
function KeySummary({ text }: { text: string }) {
  const file = readKeyFile(text);
  if ('problem' in file) return null;
  return (
    <span className={`label ${styles.found}`} role="status">
      Key of <strong className="strong">{file.clientEmail}</strong>
      {file.projectId && `, project ${file.projectId}`}
    </span>
  );
}

/** A field for the JSON key file of a service account: paste, drop or choose the file. */
export function KeyFileField({ name, label, description, value, error, hasSavedSecret, isLocked, onChange }: KeyFileFieldProps) {
  const [isOver, setOver] = useState(false);
  const load = async (file: File | null | undefined) => {
    // Reads one byte more than the limit, so that validation can reject a larger file.
    if (file) onChange(await file.slice(0, KEY_FILE_LIMIT + 1).text());
  };
  return (
    <div className={styles.field} data-field={name}>
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void load(event.dataTransfer.files.item(0));
        }}
      >
        <Textarea
          name={name}
          label={label}
          description={description}
          error={error}
          value={value}
          disabled={isLocked}
          rows={4}
          autoComplete="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
          placeholder={hasSavedSecret ? 'Saved. Leave empty to keep it' : 'Paste the file, or drop it here'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <div className={styles.below}>
        <FileChoice accept="application/json,.json" disabled={isLocked} onChoose={(file) => void load(file)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              disabled={isLocked}
              size="xs"
              leftSection={<IconFileImport {...icon} size={14} />}
            >
              Choose a file
            </Button>
          )}
        </FileChoice>
        {value.trim() !== '' && <KeySummary text={value} />}
      </div>
    </div>
  );
}
