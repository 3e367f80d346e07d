import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { icon } from '~/ui/icon';
import { FileChoice } from '~/ui/inputs/FileChoice';
import styles from './LogoField.module.css';
import { OrganizationLogo } from './OrganizationLogo';
import { readLogo } from './read-logo';

interface LogoFieldProps {
  name: string;
  logo: string | null;
  isLocked?: boolean;
  onChange: (logo: string | null) => void;
}

/** Uploads a logo, or removes it. The chosen logo is a data URL until it is saved. */
export function LogoField({ name, logo, isLocked = false, onChange }: LogoFieldProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const choose = async (file: File) => {
    const read = await readLogo(file);
    setFailure(read.failure);
    if (read.logo !== null) onChange(read.logo);
  };
  return (
    <>
      <div className={styles.logo}>
        <OrganizationLogo name={name} logo={logo} size={40} />
        <FileChoice accept="image/png,image/jpeg,image/webp" disabled={isLocked} onChoose={(file) => void choose(file)}>
          {(button) => (
            <Button {...button} variant="default" disabled={isLocked} leftSection={<IconUpload {...icon} />}>
              {logo === null ? 'Upload a logo' : 'Replace the logo'}
            </Button>
          )}
        </FileChoice>
        {logo !== null && (
          <Button
            variant="subtle"
            disabled={isLocked}
            onClick={() => {
              setFailure(null);
              onChange(null);
            }}
          >
            Remove the logo
          </Button>
        )}
      </div>
      {failure && (
        <p role="alert" className={styles.error}>
          {failure}
        </p>
      )}
    </>
  );
}
