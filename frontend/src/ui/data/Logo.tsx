interface MarkProps {
  size?: number;
  color?: string;
}

/** The logo: streams that join and form a T. */
export function Logo({ size = 20, color = 'var(--t-accent)' }: MarkProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke={color}
      strokeWidth={2.5}
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M2.75 4h2.75A6.5 6.5 0 0 1 12 10.5V21.25" />
      <path d="M21.25 4H18.5A6.5 6.5 0 0 0 12 10.5" />
      <path d="M2.75 11H6A6 6 0 0 1 12 17" />
    </svg>
  );
}

/** The logo with an interrupted stream, for "Page Not Found". */
export function BrokenLogo({ size = 40 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="var(--t-ink-3)"
      strokeWidth={2.5}
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M2.75 4h2.75A6.5 6.5 0 0 1 12 10.5V21.25" />
      <path d="M21.25 4H18.5A6.5 6.5 0 0 0 12 10.5" />
      <path d="M2.75 11h.01M7 11h.01" />
    </svg>
  );
}

export function Brand({ size = 20 }: { size?: number }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
      <Logo size={size} />
      <span style={{ fontSize: size > 18 ? 18 : 15, fontWeight: 600, letterSpacing: '-0.015em', color: 'var(--t-ink)' }}>
        Tributary
      </span>
    </span>
  );
}
