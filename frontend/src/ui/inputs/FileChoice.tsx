import { FileButton } from '@mantine/core';
import type { FileButtonProps } from '@mantine/core';
import { useRef } from 'react';

interface FileChoiceProps extends Pick<FileButtonProps, 'accept' | 'disabled' | 'inputProps' | 'children'> {
  onChoose: (file: File) => void;
}

/** A button that chooses a file. The same file can be chosen again, for example after it was corrected on the disk. */
export function FileChoice({ onChoose, ...button }: FileChoiceProps) {
  const clear = useRef<() => void>(null);
  return (
    <FileButton
      {...button}
      resetRef={clear}
      onChange={(file) => {
        // The browser reports no change while the field still holds a file of the same path.
        clear.current?.();
        if (file) onChoose(file);
      }}
    />
  );
}
