import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from '../testing/factories.ts';
import { createPhotoGrid, type PdfDocument, type PdfPart } from './document.ts';
import { createPdfRenderer } from './render.ts';

const photoGrid = (paths: string[], record: string) =>
  createPhotoGrid(
    paths.map((path) => ({ path })),
    record,
  );

const photo = fixture('photos/gps-DSCN0010.jpg');
const rotatedPhoto = fixture('photos/orientation-portrait-6.jpg');
const drawnSignature =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><path d="M20 90Q90-60 140 80T380 40" fill="none" stroke="#000" stroke-width="4"/></svg>';
const signature = await sharp(Buffer.from(drawnSignature)).png().toBuffer();

const pdfRenderer = createPdfRenderer({ operatorName: 'R&D <Fun> Parks' });
const accessibleRenderer = createPdfRenderer({ operatorName: 'R&D <Fun> Parks', standard: 'ua-1' });
afterAll(() => Promise.all([pdfRenderer.close(), accessibleRenderer.close()]));

function record(...parts: PdfPart[]): PdfDocument {
  return { title: 'Accident report', number: 'ACC-2026-0001', madeAt: new Date('2026-07-01T12:00:00Z'), parts };
}
const details = (value: string) => record({ kind: 'fields', rows: [{ label: 'Details', value }] });

/** Prints in both standards; a document that is not accessible to screen readers fails here. */
async function print(document: PdfDocument, photos: Record<string, Buffer> = {}) {
  const [{ pdf, level }, forReaders] = await Promise.all([
    pdfRenderer.render(document, photos),
    accessibleRenderer.render(document, photos),
  ]);
  expect([level, forReaders.level]).toEqual(['a-2a', 'ua-1']);
  return pdf;
}

// Poppler's tools read the PDFs back, as another program would.
const poppler = (tool: string, pdf: Buffer, ...options: string[]) =>
  execFileSync(tool, [...options, '-', ...(tool === 'pdftotext' ? ['-'] : [])], {
    input: pdf,
    maxBuffer: 1e8,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
const readText = (pdf: Buffer) => poppler('pdftotext', pdf);
const countPages = (pdf: Buffer) => Number(/Pages:\s+(\d+)/.exec(poppler('pdfinfo', pdf))?.[1]);
const listImages = (pdf: Buffer) =>
  poppler('pdfimages', pdf, '-list')
    .split('\n')
    .filter((line) => / (image|smask) /.test(line));

describe('a printed record', () => {
  it('a printed record is a tagged A4 document with title, number and page count on each page', async () => {
    const pdf = await print(
      record(
        { kind: 'heading', text: 'What happened' },
        { kind: 'text', text: `First.\n\n${'Second paragraph. '.repeat(150)}` },
        { kind: 'notice', text: 'URGENT', urgent: true },
        {
          kind: 'fields',
          rows: [
            { label: 'Park', value: 'Robin Hood' },
            { label: 'Location', value: '' },
          ],
        },
        {
          kind: 'answers',
          rows: [
            { question: 'Gate locked?', answer: 'Yes' },
            { question: 'Sign', answer: '', image: 'ink' },
          ],
        },
        photoGrid(['a', 'b', 'c'], 'accident report ACC-2026-0001'),
        {
          kind: 'signatures',
          signatures: [
            { image: 'ink', name: 'Tom', role: 'Reporter' },
            { name: 'Ann', role: 'Affected party' },
          ],
        },
      ),
      { a: photo, b: rotatedPhoto, c: photo, ink: signature },
    );
    const info = poppler('pdfinfo', pdf);
    expect(info).toMatch(/Title: +Accident report ACC-2026-0001/);
    expect(info).toMatch(/Tagged: +yes/);
    expect(info).toMatch(/A4/);
    const text = readText(pdf);
    for (const words of [
      'R&D <Fun> Parks',
      'Made 01/07/2026, 13:00',
      'Page 1 of 2',
      'Page 2 of 2',
      'Photo 2 of 3',
      'Not provided',
    ])
      expect(text).toContain(words);
    const structure = poppler('pdfinfo', pdf, '-struct-text');
    expect(structure).toMatch(/H1.*\n *"Accident report"/);
    expect(structure).toMatch(/TH [^"]*"Item"/);
    expect(pdf.includes('/Alt (Photo 2 of 3, accident report ACC-2026-0001)')).toBe(true);
  });

  it('a printed record contains each JPEG byte for byte', async () => {
    const pdf = await print(record(photoGrid(['a'], 'report')), { a: photo });
    expect(pdf.includes(photo)).toBe(true);
  });

  it('a printed record shows photos upright', async () => {
    const stored = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'blue' } })
      .composite([{ input: { create: { width: 200, height: 300, channels: 3, background: 'red' } }, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const pdf = await print(record(photoGrid(['a'], 'report')), { a: stored });
    const page = execFileSync('pdftoppm', ['-png', '-r', '20', '-'], { input: pdf });
    const { data, info } = await sharp(page).raw().toBuffer({ resolveWithObject: true });
    const rows = { red: [] as number[], blue: [] as number[] };
    for (let at = 0; at < data.length; at += 3) {
      const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
      const row = Math.floor(at / 3 / info.width);
      if (r > 200 && g < 60 && b < 60) rows.red.push(row);
      if (b > 200 && r < 60 && g < 60) rows.blue.push(row);
    }
    expect(rows.red.length).toBeGreaterThan(100);
    expect(Math.max(...rows.red)).toBeLessThan(Math.min(...rows.blue) + 2);
  });

  it('a printed record has the same bytes when created again', async () => {
    const document = details('Slipped.');
    expect((await pdfRenderer.render(document, {})).pdf.equals((await pdfRenderer.render(document, {})).pdf)).toBe(
      true,
    );
  });

  it('a printed record contains twenty photos, two in a row', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    const photos = Object.fromEntries(names.map((name, n) => [name, n % 2 ? photo : rotatedPhoto]));
    const pdf = await print(record(photoGrid(names, 'accident report ACC-2026-0001')), photos);
    const text = readText(pdf);
    for (let n = 1; n <= 20; n++) expect(text).toContain(`Photo ${n} of 20`);
    expect(listImages(pdf)).toHaveLength(20);
    expect(countPages(pdf)).toBe(3);
  });

  it('a printed record continues long text on further pages and breaks words too long for a line', async () => {
    const longText = 'The guest slipped on the wet tiles. '.repeat(278);
    const printedText = readText(await print(details(longText))).replace(/\s+/g, ' ');
    expect(printedText.match(/guest/g)?.length).toBe(278);

    const pdf = await print(details('W'.repeat(10_000)));
    expect(countPages(pdf)).toBeGreaterThan(2);
    const inside = poppler('pdftotext', pdf, '-x', '0', '-y', '0', '-W', '540', '-H', '842');
    expect(inside.match(/W/g)?.length).toBe(10_000);
  });
});

describe('printing any script', () => {
  it('a record prints Welsh, Japanese, Chinese, Korean, Thai, Hebrew and emoji', async () => {
    const words = ['Tŷ Ŵyn ŵŷ', '事故報告', 'ひらがな', '简体中文', '한국어', 'ภาษาไทย', 'שלום', '🧑', '🔥'];
    const text = readText(await print(details(words.join('\n')))).normalize('NFC');
    for (const word of words) expect(text).toContain(word);
  });

  it('a record prints names of guests and staff in other scripts', async () => {
    const names = ['গীতা দাস', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ', 'પ્રિયા પટેલ', 'தமிழ்ச்செல்வி', 'ნინო', 'Արմեն', 'አበበ', 'अनिता', 'Олена'];
    const pdf = await print(details(names.join('\n')));
    const text = readText(pdf);
    expect(text).not.toContain('[U+');
    // Poppler does not put the parts of a letter that stand in another order back.
    for (const name of ['ნინო', 'Արմեն', 'አበበ', 'Олена']) expect(text).toContain(name);
    const fonts = poppler('pdffonts', pdf);
    for (const script of ['Bengali', 'Gurmukhi', 'Gujarati', 'Tamil'])
      expect(fonts).toContain(`NotoSans${script}-Regular`);
  });

  it('a record prints Arabic from right to left', async () => {
    const pdf = await print(details('سلام ABC'));
    expect(readText(pdf).replace(/[\u202a-\u202e]/g, '')).toContain('سلام');
    const getLeftEdge = (word: RegExp) => Number(word.exec(poppler('pdftotext', pdf, '-bbox'))?.[1]);
    expect(getLeftEdge(/xMin="([\d.]+)"[^>]*>ABC/)).toBeLessThan(
      getLeftEdge(/xMin="([\d.]+)"[^>]*>\p{Script=Arabic}/u),
    );
  });

  it('a printed record uses only the shipped fonts', async () => {
    const pdf = await print(details('ಕನ್ನಡ தமிழ் 𓂀 日本 ☕'));
    const fonts = poppler('pdffonts', pdf).split('\n').slice(2).filter(Boolean);
    for (const font of fonts)
      expect(font).toMatch(/^[A-Z]{6}\+NotoSans(SC|JP|Thai|Arabic|Hebrew|KR|Tamil)?-(Regular|Bold) |^\[none\] +Type 3/);
    expect(readText(pdf)).toContain('[U+13080]');
  });

  it('a record prints every naughty string as PDF/A', async () => {
    const strings = JSON.parse(fixture('naughty-strings.json').toString()) as string[];
    for (const text of strings) {
      const rows = [{ label: text, value: text }];
      const document = { ...record({ kind: 'fields', rows }, { kind: 'text', text }), subtitle: text };
      const { level } = await pdfRenderer.render(document, {});
      expect(level, JSON.stringify(text)).toBe('a-2a');
    }
  });

  it('a record prints markup as typed', async () => {
    const typed = '#image("/etc/passwd") $x^2$ *bold* = <script>alert(1)</script> \\u{41} @preview';
    expect(readText(await print(details(typed))).replace(/\s+/g, ' ')).toContain(typed);
  });
});

describe('printing a record with missing or broken parts', () => {
  const countGaps = (pdf: Buffer) => readText(pdf).match(/Image unavailable/g)?.length ?? 0;

  it('a missing photo or signature leaves a marked gap in a printed record', async () => {
    const pdf = await print(
      record(photoGrid(['a', 'gone'], 'report'), {
        kind: 'signatures',
        signatures: [{ image: 'lost', name: 'Tom', role: 'Reporter' }],
      }),
      { a: photo },
    );
    expect(countGaps(pdf)).toBe(2);
    expect(listImages(pdf)).toHaveLength(1);
  });

  it('an unreadable photo leaves a marked gap in a printed record, and the other photos stay', async () => {
    const cmykPhoto = await sharp(photo).toColourspace('cmyk').jpeg().toBuffer();
    const brokenPhoto = Buffer.concat([photo.subarray(0, 20), Buffer.alloc(2000, 7)]);
    const pdf = await print(record(photoGrid(['a', 'b', 'c', 'd', 'e'], 'report')), {
      a: photo,
      b: Buffer.from('not a picture'),
      c: brokenPhoto,
      d: cmykPhoto,
      e: Buffer.alloc(0),
    });
    expect(countGaps(pdf)).toBe(4);
    expect(pdf.includes(photo)).toBe(true);
  });

  it('a record with a mixture of scripts that no font has prints code points and stays PDF/A', async () => {
    const mixedScripts = '\u1193\ufb2b\u{1f9cb}\u1abd\u{1f96d}\u065c';
    const { pdf, level } = await pdfRenderer.render(details(`Tŷ ${mixedScripts}`), {});
    expect(level).toBe('a-2a escaped');
    expect(readText(pdf)).toMatch(/Tŷ \[U\+1193\]/);
  });

  it('a record that cannot become PDF/A is printed without it, and the fallback is reported', async () => {
    const photos: PdfPart = { kind: 'photos', photos: [{ image: 'a', caption: 'Photo', alt: '' }] };
    const { pdf, level } = await pdfRenderer.render(record(photos), { a: photo });
    expect(level).toBe('1.7');
    expect(pdf.includes(photo)).toBe(true);
  });

  it("a printed record shows the operator's logo unless the image is broken", async () => {
    for (const [logo, count] of [
      [photo, 1],
      [Buffer.from('junk'), 0],
    ] as const) {
      const renderer = createPdfRenderer({ operatorName: 'Lakeside', logo });
      const { pdf, level } = await renderer.render(details('x'), {});
      await renderer.close();
      expect(level).toBe('a-2a');
      expect(listImages(pdf)).toHaveLength(count);
    }
  });

  it('a PDF is rejected while twenty others wait', async () => {
    const pendingRenders = Array.from({ length: 22 }, () => pdfRenderer.render(details('x'), {}));
    const outcomes = await Promise.allSettled(pendingRenders);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(21);
    await expect(pendingRenders.at(-1)).rejects.toMatchObject({ status: 503 });
  });
});
