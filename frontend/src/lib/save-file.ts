/** Saves fetched content as a browser download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the content after the click. Revoking the URL immediately cancels their download.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
