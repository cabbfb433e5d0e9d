// What the browser keeps of the input of forms.
import type { Page } from '@playwright/test';

/** Returns what the browser's database has under the keys with this part, as text. */
export const readStored = (page: Page, part: string) =>
  page.evaluate(
    (part) =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('drafts');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            const toText = (_: string, value: unknown) =>
              value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : value;
            const found = reading.result.filter(({ key }) => key.includes(part));
            resolve(found.map((row) => JSON.stringify(row, toText)));
          };
        };
      }),
    part,
  );
