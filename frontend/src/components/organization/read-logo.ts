/** The server takes no more, and no other formats: an SVG can carry scripts. */
const MOST_BYTES = 200_000;
const FORMATS = ['image/png', 'image/jpeg', 'image/webp'];

/** Why a file cannot be the logo; null when it can. */
export function whyNotLogo({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!FORMATS.includes(type)) return 'Only PNG, JPEG and WebP pictures.';
  if (size > MOST_BYTES) return `This picture has ${Math.ceil(size / 1000)} kB; at most 200 kB.`;
  return null;
}

function readAsDataUrl(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : null);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}

export async function readLogo(file: File): Promise<{ logo: string | null; failure: string | null }> {
  const failure = whyNotLogo(file);
  if (failure !== null) return { logo: null, failure };
  const logo = await readAsDataUrl(file);
  return { logo, failure: logo === null ? 'The file could not be read.' : null };
}
