/** The limits of the server. SVG is not accepted, because it can contain scripts. */
const MAX_BYTES = 200_000;
const FORMATS = ['image/png', 'image/jpeg', 'image/webp'];

/** Why a file cannot be the logo; null when it can. */
export function whyNotLogo({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!FORMATS.includes(type)) return 'Choose a PNG, JPEG or WebP image.';
  if (size > MAX_BYTES) return `This image has ${Math.ceil(size / 1000)} kB. Choose one with at most 200 kB.`;
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
  return { logo, failure: logo === null ? 'Couldn’t read the file. Choose another one.' : null };
}
