import type { Browser } from '@playwright/test';

const QUALITY = 0.9;

/** Converts a screenshot to WebP, which takes a third of the space of PNG. */
export async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const encoded = await page.evaluate(
    async ({ data, quality }) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${data}`;
      await picture.decode();
      const canvas = Object.assign(document.createElement('canvas'), {
        width: picture.naturalWidth,
        height: picture.naturalHeight,
      });
      canvas.getContext('2d')!.drawImage(picture, 0, 0);
      return canvas.toDataURL('image/webp', quality).split(',')[1]!;
    },
    { data: png.toString('base64'), quality: QUALITY },
  );
  await context.close();
  return Buffer.from(encoded, 'base64');
}
