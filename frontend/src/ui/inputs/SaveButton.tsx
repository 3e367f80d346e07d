import { Button } from '@mantine/core';
import { focusField } from '~/lib/focus-field';
import type { FieldProblem } from '~/lib/focus-field';
import { FieldProblems } from '~/ui/feedback/FieldProblems';
import { GatedButton } from './GatedButton';
import type { GatedButtonProps } from './GatedButton';
import styles from './GatedButton.module.css';

interface SaveButtonProps extends GatedButtonProps {
  problems: FieldProblem[];
}

/** The button of a form. While fields need attention, it names them and moves the focus to the first one. */
export function SaveButton({ problems, ...button }: SaveButtonProps) {
  const [first] = problems;
  if (first === undefined || button.disabledReason !== null) return <GatedButton {...button} />;
  return (
    <span className={styles.gated}>
      <Button type="button" data-disabled aria-disabled onClick={() => focusField(first)}>
        {button.children}
      </Button>
      <FieldProblems problems={problems} />
    </span>
  );
}
