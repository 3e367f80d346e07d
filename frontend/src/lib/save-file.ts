/** Hands a file that was fetched over to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes the content up right after the click; freed at once, some lose it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
