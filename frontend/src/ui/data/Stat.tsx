/** A label and its value, several on one line: `Rows written 691,100 of 973,400`. */
export const Stat = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <span style={{ whiteSpace: 'nowrap', color: 'var(--t-ink-3)' }}>
    {label} <span className="strong">{children}</span>
  </span>
);
