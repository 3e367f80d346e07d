import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { PageHeader } from '~/ui/layout/Page';
import styles from './FlowHeader.module.css';
import { MoreMenu } from './MoreMenu';

/** The switch of a page's header, with its state in words. */
export const LabeledSwitch = ({ isActive, children }: { isActive: boolean; children: React.ReactNode }) => (
  <span className={styles.switch}>
    {isActive ? 'Enabled' : 'Paused'}
    {children}
  </span>
);

interface FlowHeaderProps {
  title: string;
  /** `payment` */
  kind: string;
  /** The list, which is also opened after a deletion. */
  parent: { label: string; to: string };
  status: React.ReactNode;
  subtitle: React.ReactNode;
  isActive: boolean;
  activeSwitch: React.ReactNode;
  runButton: React.ReactNode;
  lockedReason: string | null;
  /** Items of the menu before the one that deletes. */
  menuItems?: React.ReactNode;
  deleteDialog: (close: () => void, onDeleted: () => void) => React.ReactNode;
}

/** The header of a conversion or a payment. */
export function FlowHeader({
  kind,
  isActive,
  activeSwitch,
  runButton,
  lockedReason,
  menuItems,
  deleteDialog,
  ...page
}: FlowHeaderProps) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <PageHeader
        {...page}
        actions={
          <>
            <LabeledSwitch isActive={isActive}>{activeSwitch}</LabeledSwitch>
            {runButton}
            <MoreMenu deleteLabel={`Delete ${kind}`} lockedReason={lockedReason} onDelete={() => setDeleting(true)}>
              {menuItems}
            </MoreMenu>
          </>
        }
      />
      {isDeleting &&
        deleteDialog(
          () => setDeleting(false),
          () => void navigate(page.parent.to),
        )}
    </>
  );
}
