// Measures the cost of a PDF once the code is compiled: a two-page report with 4 photos and 2
// signatures. Run: node bench/pdf.ts
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { createPhotoGrid, type PdfDocument } from '../src/server/pdf/document.ts';
import { createTypstRenderer } from '../src/server/pdf/typst-renderer.ts';
import { median } from './median.ts';

const rounds = 100;
process.env.FONTCONFIG_FILE = fileURLToPath(new URL('../src/server/pdf/assets/nofonts.conf', import.meta.url));

const originalPhotos = ['orientation-landscape-1', 'orientation-portrait-6', 'orientation-landscape-6', 'phone-jolla'];
const photos = await Promise.all(
  originalPhotos.map((name) =>
    sharp(readFileSync(new URL(`../fixtures/photos/${name}.jpg`, import.meta.url)))
      .rotate()
      .resize(1280, 1280, { fit: 'inside' })
      .jpeg({ quality: 80 })
      .toBuffer(),
  ),
);
const signatureImage = await sharp(
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="300"><path d="M40 220Q180-150 280 200T760 100" fill="none" stroke="#000" stroke-width="5"/></svg>',
  ),
)
  .png()
  .toBuffer();

const labels =
  'Park,Name,Age,Contact number,Reporter,Date,Time,Type,Location,Employment status,Emergency service,Filed';
const report: PdfDocument = {
  title: 'Accident report',
  number: 'ACC-2026-0001',
  subtitle: 'Robin Hood, 21/11/2026 at 14:30',
  madeAt: new Date('2026-11-21T15:04:00Z'),
  parts: [
    {
      kind: 'fields',
      rows: [
        ...labels.split(',').map((label) => ({ label, value: `The ${label.toLowerCase()}, Ynys Môn` })),
        { label: 'Details', value: 'The guest slipped on wet tiles beside the shallow end. '.repeat(6) },
      ],
    },
    { kind: 'heading', text: 'Photos' },
    createPhotoGrid(
      ['0', '1', '2', '3'].map((path) => ({ path })),
      'accident report ACC-2026-0001',
    ),
    { kind: 'heading', text: 'Signatures' },
    {
      kind: 'signatures',
      signatures: [
        { image: 'ink', name: 'Tom Baker', role: 'Person completing the form' },
        { image: 'ink', name: 'Siân Ŵyn', role: 'Affected party' },
      ],
    },
  ],
};

/** Returns the photos with another comment in each, so that no cache helps. */
function createPhotos(round: number) {
  const comment = Buffer.from([0xff, 0xfe, 0, 6, ...Buffer.from(String(round).padStart(4, '0'))]);
  const photosWithComment = photos.map((jpeg) => Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]));
  return { ...Object.fromEntries(photosWithComment.map((jpeg, index) => [String(index), jpeg])), ink: signatureImage };
}

/** Reads the CPU time of all threads of this process, in milliseconds. */
function readCpuMs() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return (userCPUTime + systemCPUTime) / 1000;
}

const formatMs = (value: number) => `${value.toFixed(1)} ms`;
const formatMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** Renders in this process, to measure CPU time and memory. */
async function measureRenders(createPhotos: (round: number) => Record<string, Buffer>) {
  const render = createTypstRenderer();
  const cpuTimes: number[] = [];
  let memory = 0;
  for (let round = 0; round < rounds + 10; round++) {
    const job = {
      document: report,
      photos: createPhotos(round),
      operatorName: 'Holiday Parks',
      standard: 'a-2a',
    } as const;
    const before = readCpuMs();
    render(job);
    await setImmediate();
    cpuTimes.push(readCpuMs() - before);
    if (round === 9) memory = process.memoryUsage.rss();
  }
  return { cpu: formatMs(median(cpuTimes.slice(10))), grown: formatMb(process.memoryUsage.rss() - memory) };
}

const newPhotoFigures = await measureRenders(createPhotos);
const samePhotoFigures = await measureRenders(() => createPhotos(0));
console.table({
  'CPU for one PDF, photos never seen before': newPhotoFigures.cpu,
  'CPU for the same document once more': samePhotoFigures.cpu,
  [`memory gained over ${rounds} PDFs`]: newPhotoFigures.grown,
});
