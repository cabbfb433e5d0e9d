/** Offers the bytes as a download. */
export function saveFile(bytes: Uint8Array, fileName: string): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName });
  link.click();
  // After a minute the browser has read the blob.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
