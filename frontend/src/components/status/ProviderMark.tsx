import { IconArrowRight } from '@tabler/icons-react';
import { initialsOf, providerWords } from '~/domain/accounts/providers';
import styles from './ProviderMark.module.css';

/** The logos of Google Ads and Google are from simple-icons (CC0). The others are simplified to be readable at 13 px. */
const GOOGLE_ADS =
  'M3.9998 22.9291C1.7908 22.9291 0 21.1383 0 18.9293s1.7908-3.9998 3.9998-3.9998 3.9998 1.7908 3.9998 3.9998-1.7908 3.9998-3.9998 3.9998zm19.4643-6.0004L15.4632 3.072C14.3586 1.1587 11.9121.5028 9.9988 1.6074S7.4295 5.1585 8.5341 7.0718l8.0009 13.8567c1.1046 1.9133 3.5511 2.5679 5.4644 1.4646 1.9134-1.1046 2.568-3.5511 1.4647-5.4644zM7.5137 4.8438L1.5645 15.1484A4.5 4.5 0 0 1 4 14.4297c2.5597-.0075 4.6248 2.1585 4.4941 4.7148l3.2168-5.5723-3.6094-6.25c-.4499-.7793-.6322-1.6394-.5878-2.4784z';
const GOOGLE =
  'M12.48 10.92v3.28h7.84c-.24 1.84-.853 3.187-1.787 4.133-1.147 1.147-2.933 2.4-6.053 2.4-4.827 0-8.6-3.893-8.6-8.72s3.773-8.72 8.6-8.72c2.6 0 4.507 1.027 5.907 2.347l2.307-2.307C18.747 1.44 16.133 0 12.48 0 5.867 0 .307 5.387.307 12s5.56 12 12.173 12c3.573 0 6.267-1.173 8.373-3.36 2.16-2.16 2.84-5.213 2.84-7.667 0-.76-.053-1.467-.173-2.053H12.48z';

const drawings: Record<string, React.ReactNode> = {
  google_ads: <path fill="#4285F4" d={GOOGLE_ADS} />,
  meta_ads: (
    <path
      fill="none"
      stroke="var(--provider-meta)"
      strokeWidth="2.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      d="M12 12.2C9.8 8.2 8.3 6.4 6.2 6.4 3.6 6.4 2 9.1 2 12.3c0 3 1.3 5.3 3.7 5.3 2.5 0 4-2.2 6.3-5.9 2.3-3.7 3.6-5.3 6-5.3 2.5 0 4 2.7 4 5.9 0 3.2-1.3 5.3-3.7 5.3-2.3 0-3.9-1.5-6.3-5.4"
    />
  ),
  microsoft_ads: (
    <g fill="var(--provider-microsoft)">
      <rect x="2" y="2" width="9" height="9" rx="2" />
      <rect x="13" y="2" width="9" height="9" rx="2" opacity=".6" />
      <rect x="2" y="13" width="9" height="9" rx="2" opacity=".6" />
      <rect x="13" y="13" width="9" height="9" rx="2" />
    </g>
  ),
  bigquery: (
    <g fill="none" stroke="#4285F4" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="10.5" cy="10.5" r="8" />
      <path d="m16.5 16.5 5 5M7 11v2.6M10.5 7.4v6.2M14 9.6v4" />
    </g>
  ),
  mixpanel: (
    <g fill="none" stroke="var(--provider-mixpanel)" strokeWidth="3" strokeLinecap="round">
      <path d="m3.5 4.5 4.5 4.5M20.5 4.5 16 9M3.5 19.5 8 15M20.5 19.5 16 15" />
      <circle cx="12" cy="12" r="1.8" fill="var(--provider-mixpanel)" stroke="none" />
    </g>
  ),
  stripe: (
    <path
      fill="none"
      stroke="var(--provider-stripe)"
      strokeWidth="3"
      strokeLinecap="round"
      d="M17.5 6.2C16 4.9 14 4.3 12 4.3c-2.9 0-4.9 1.4-4.9 3.6 0 5 10.4 2.6 10.4 7.9 0 2.4-2.2 3.9-5.3 3.9-2.3 0-4.6-.8-6.2-2.2"
    />
  ),
  custom: (
    <g fill="none" stroke="var(--t-ink-2)" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
      <path d="M8 3.5H7A2.5 2.5 0 0 0 4.5 6v3.5L2.5 12l2 2.5V18A2.5 2.5 0 0 0 7 20.5h1" />
      <path d="M16 3.5h1A2.5 2.5 0 0 1 19.5 6v3.5l2 2.5-2 2.5V18a2.5 2.5 0 0 1-2.5 2.5h-1" />
      <path d="M12 8.5v7M8.8 12.5l3.2 3 3.2-3" />
    </g>
  ),
  postgresql: (
    <g fill="none" stroke="var(--provider-postgresql)" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
      <path d="M6.5 17.5C4 14 2.5 9.5 3.5 6.5 4.5 3.5 8 2.5 11 3.2c3-1.2 7.5-.9 9 2.3 1.5 3.5-.5 8.5-3.5 11.5" />
      <path d="M11 3.2c-1.8 2-2.2 5-1.6 8.3.3 1.6 0 2.8-1.4 4" />
      <path d="M16.5 9.5c.8 2.5.3 4.5.2 7-.1 3-1 5-3.2 5-2.5 0-2.8-2.5-2.8-5.5" />
    </g>
  ),
};

export function GoogleMark({ size = 14 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <path fill="currentColor" d={GOOGLE} />
    </svg>
  );
}

interface ProviderMarkProps {
  provider: string;
  size?: 'sm' | 'lg';
}

export function ProviderMark({ provider, size = 'sm' }: ProviderMarkProps) {
  const drawing = size === 'lg' ? 20 : 13;
  return (
    <span className={styles.box} data-size={size} aria-hidden>
      <svg width={drawing} height={drawing} viewBox="0 0 24 24">
        {drawings[provider] ?? (
          <text x="12" y="17" textAnchor="middle" fontSize="13" fontWeight="600" fill="var(--t-ink-2)">
            {initialsOf(provider)}
          </text>
        )}
      </svg>
    </span>
  );
}

/** The logos of source and destination with an arrow. The names are shown as text next to it. */
export function RouteMarks({ from, to }: { from: string; to: string }) {
  return (
    <span className={styles.route} aria-hidden>
      <ProviderMark provider={from} />
      <IconArrowRight size={12} stroke={1.75} />
      <ProviderMark provider={to} />
    </span>
  );
}

/** `Google Ads → PostgreSQL`. The arrow is an icon, because the font has none. */
export const RouteText = ({ from, to }: { from: React.ReactNode; to: React.ReactNode }) => (
  <span className={styles.words}>
    {from} <IconArrowRight size={12} stroke={1.75} aria-label="to" /> {to}
  </span>
);

export const providerName = (provider: string): string => providerWords(provider).name;
