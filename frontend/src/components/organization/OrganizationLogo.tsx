import { useState } from 'react';

interface OrganizationLogoProps {
  name: string;
  logo: string | null;
  size?: number;
}

/** Background colors with a contrast of at least 4.5:1 to white initials, in both color schemes. */
const BACKGROUNDS = ['#3F5B45', '#4B4A73', '#7A4A2B', '#2F5D6B', '#6B3F55', '#54602B'];

export const initialsOf = (name: string): string =>
  name
    .split(/[\s&.@_-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');

const backgroundOf = (name: string): string => {
  const sum = [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return BACKGROUNDS[sum % BACKGROUNDS.length] ?? '#3F5B45';
};

export function OrganizationLogo({ name, logo, size = 24 }: OrganizationLogoProps) {
  const box = { width: size, height: size, borderRadius: 4, flex: 'none' } as const;
  if (logo) return <img src={logo} alt="" style={{ ...box, objectFit: 'cover' }} />;
  return (
    <span
      aria-hidden
      style={{
        ...box,
        display: 'inline-grid',
        placeItems: 'center',
        background: backgroundOf(name),
        color: '#FFFFFF',
        fontSize: size * 0.46,
        fontWeight: 600,
        lineHeight: 1,
      }}
    >
      {initialsOf(name)}
    </span>
  );
}

interface PersonMarkProps {
  name: string;
  photo: string | null;
  size?: number;
}

/** Shows the initials when the picture cannot be loaded, for example because the CSP blocks its host. */
export function PersonMark({ name, photo, size = 24 }: PersonMarkProps) {
  const [failed, setFailed] = useState<string | null>(null);
  if (photo !== null && photo !== failed)
    return (
      <img
        src={photo}
        alt=""
        referrerPolicy="no-referrer"
        width={size}
        height={size}
        style={{ borderRadius: '50%', flex: 'none' }}
        onError={() => setFailed(photo)}
      />
    );
  return (
    <span
      aria-hidden
      style={{
        display: 'inline-grid',
        placeItems: 'center',
        width: size,
        height: size,
        borderRadius: '50%',
        flex: 'none',
        background: 'var(--t-press)',
        color: 'var(--t-ink-2)',
        fontSize: 10,
        fontWeight: 600,
      }}
    >
      {initialsOf(name)}
    </span>
  );
}
