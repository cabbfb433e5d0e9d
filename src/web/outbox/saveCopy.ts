// A copy of a waiting item as a zip on the device, in case it can never be sent.
import { downloadZip } from 'client-zip';
import { formatInstant } from '#shared/dates.ts';
import { type OutboxItem, readFile } from './items.ts';
import { kindLabels } from './receiptText.ts';

const pngUrl = /^data:image\/png;base64,/;

/** Downloads the item as a zip: values as JSON, photos and signatures as files. */
export async function saveCopy(item: OutboxItem): Promise<void> {
  const { kind, park, place, title, username, createdAt, capturedAt, body, sections, files } = item;
  const content = { kind: kindLabels[kind], park, place, title, username, submittedAt: capturedAt, ...body, sections };
  const images = await Promise.all(files.map((file) => readFile(item.id, file)));
  // A checklist's signatures are among its answers.
  const signatures = Object.entries(Object(body.data) as Record<string, unknown>).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && pngUrl.test(entry[1]),
  );
  const zip = await downloadZip([
    { name: 'submission.json', input: JSON.stringify(content, null, 2) },
    ...images.flatMap((image, index) => (image ? [{ name: `${index + 1} ${image.name}`, input: image }] : [])),
    ...signatures.map(([section, url]) => ({ name: `signature ${Number(section) + 1}.png`, input: decodePng(url) })),
  ]).blob();
  const submittedTime = formatInstant(new Date(createdAt).toISOString()).replace(/[/:]/g, '-').replace(',', '');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(zip);
  link.download = `${[kindLabels[kind], park, submittedTime].filter(Boolean).join(' ')}.zip`;
  link.click();
  // The browser reads the URL some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const decodePng = (url: string) => Uint8Array.from(atob(url.replace(pngUrl, '')), (letter) => letter.charCodeAt(0));
