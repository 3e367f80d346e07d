import { Button, FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { icon } from '../../../ui/icon';
import { OrganizationLogo } from '../../../ui/OrganizationLogo';
import styles from './GeneralForm.module.css';
import { readLogo } from './read-logo';

interface LogoFieldProps {
  name: string;
  logo: string | null;
  isLocked: boolean;
  onChange: (logo: string | null) => void;
}

export function LogoField({ name, logo, isLocked, onChange }: LogoFieldProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const choose = async (file: File | null) => {
    if (!file) return;
    const read = await readLogo(file);
    setFailure(read.failure);
    if (read.logo !== null) onChange(read.logo);
  };
  return (
    <>
      <div className={styles.logo}>
        <OrganizationLogo name={name} logo={logo} size={40} />
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)} disabled={isLocked}>
          {(button) => (
            <Button {...button} variant="default" disabled={isLocked} leftSection={<IconUpload {...icon} />}>
              {logo === null ? 'Upload a logo' : 'Replace the logo'}
            </Button>
          )}
        </FileButton>
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
