// Collects the content of a pack in a folder: a PDF of each report with its photos, history and
// audits, the checks of its park, and an index.
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Viewer } from '#shared/access.ts';
import { formatDay } from '#shared/dates.ts';
import { packLimits } from '#shared/packs.ts';
import { pluralise } from '#shared/pluralise.ts';
import type { Report } from '#shared/reports/reports.ts';
import { readActivityPages } from '../activity/store.ts';
import { listNotes } from '../audits/notes.ts';
import { createAuditPdf, nameUsersOfAudit } from '../audits/pdf.ts';
import { type FoundAudit, findAudit, listAuditsCreatedFrom } from '../audits/store.ts';
import { mayHaveOtherNotes, readAnswerPages } from '../checklists/submissions.ts';
import { HttpError } from '../errors/http-error.ts';
import { writeCsv } from '../exports/csv.ts';
import { activityColumns, answerRowColumns, checkColumns, readingColumns, toAnswerRows } from '../exports/lists.ts';
import { mapPages, replaceNames, withNames, withPlaces } from '../exports/pages.ts';
import type { Column } from '../exports/table.ts';
import { toFileName } from '../files/file-name.ts';
import type { Services } from '../http/handler-context.ts';
import { createInvestigationPdf } from '../investigations/pdf.ts';
import { findInvestigation, findInvestigationOf } from '../investigations/store.ts';
import { getAssessmentForPdf } from '../law/pdf.ts';
import { createNameFinder, type NameFinder } from '../names/user-names.ts';
import { toReadings } from '../overview/readings.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { createPdfWithoutNames, createReportPdf, personalFieldNames, reportTitles } from '../reports/pdf.ts';
import { findReport } from '../reports/store.ts';
import { readCheckPages } from '../schedules/store.ts';
import { readImages } from '../uploads/read.ts';
import { createFileWriter } from '../zip/zipper.ts';
import { type CheckPeriod, getCheckPeriods } from './check-periods.ts';
import { addItems, listReportIds, type PackRow } from './store.ts';
import {
  auditColumnsWithoutNames,
  createCheckColumnsWithoutNames,
  historyColumnsWithoutNames,
} from './without-names.ts';

export type PackContentServices = Pick<Services, 'db' | 'files' | 'pdf' | 'space'>;

/**
 * Called after each step with the number of completed steps and of all steps. Throws to stop the
 * build.
 */
type OnBuildStep = (done: number, total: number) => Promise<void>;

type PackBuild = {
  services: PackContentServices;
  pack: PackRow;
  viewer: Viewer;
  now: Date;
  getName: NameFinder;
  add(path: string, content: Uint8Array | AsyncIterable<string>): Promise<void>;
};

/**
 * Writes the pack's files into the folder. Leaves out records that the requesting user may not see.
 */
export async function buildPack(
  services: PackContentServices,
  pack: PackRow,
  viewer: Viewer,
  folder: string,
  now: Date,
  onStep: OnBuildStep,
): Promise<void> {
  const getName = await createNameFinder(services.db, viewer);
  const write = createFileWriter(services.space, folder);
  const add: PackBuild['add'] = async (path, content) => {
    if ((await write(path, content)) > packLimits.bytes)
      throw new HttpError(413, 'The pack is larger than 2 GB. Choose fewer reports.');
  };
  const build: PackBuild = { services, pack, viewer, now, getName, add };
  const ids = await listReportIds(services.db, pack.id);
  const foundReports = await Promise.all(ids.map((id) => findReport(services.db, id)));
  // Newest first, as on the screen.
  const reports = foundReports
    .filter((report) => report !== undefined)
    .sort((a, b) => (getSortKey(a) < getSortKey(b) ? 1 : -1));
  if (reports.length === 0) throw new HttpError(404, 'All reports of this pack have been permanently deleted.');
  const periods = getCheckPeriods(reports);
  // One step for each report, for the checks of each park, for the index and for the zip.
  const total = reports.length + periods.length + 2;
  let done = 0;
  const step = async () => {
    done += 1;
    await onStep(done, total);
  };
  await onStep(0, total);
  const lines: IndexLine[] = [];
  for (const report of reports) {
    lines.push(await addReport(build, report));
    await step();
  }
  for (const period of periods) {
    await addChecks(build, period);
    await step();
  }
  await addPdf(build, 'index.pdf', createIndex(build, lines, periods, ids.length - reports.length), {});
  await step();
}

const getSortKey = ({ date, time, created_at }: Report) => `${date} ${time} ${created_at}`;

async function addPdf(build: PackBuild, name: string, document: PdfDocument, images: Record<string, Buffer>) {
  const { pdf } = await build.services.pdf.render(document, images, build.pack.created_by);
  await build.add(name, pdf);
}

const addTable = <Row>(build: PackBuild, name: string, columns: Column<Row>[], pages: AsyncIterable<Row[]>) =>
  build.add(name, writeCsv({ title: name, columns, pages }));

/** What the index says about a report: itself, and how many of its audits and photos the pack has. */
type IndexLine = { report: Report; audits: number; photos: number };

async function addReport(build: PackBuild, report: Report): Promise<IndexLine> {
  const { services, pack, viewer, now, getName } = build;
  const { db, files } = services;
  const folder = `reports/${report.number}`;
  const auditsFromReport = await listAuditsCreatedFrom(db, viewer, 'report', report.id);
  await addItems(
    db,
    pack.id,
    auditsFromReport.map(({ id }) => ({ thing: 'audit', thing_id: id })),
  );
  const audits = (await Promise.all(auditsFromReport.map(({ id }) => findAudit(db, viewer, id)))).filter(
    (audit) => audit !== undefined,
  );
  const { riddor, riddorWithoutNames, parts } = await getAssessmentForPdf(db, report.id, now, getName);
  const history = readActivityPages(db, viewer, { thing: 'report', thing_id: report.id });
  if (pack.without_names) {
    await addPdf(build, `${folder}/report.pdf`, createPdfWithoutNames(report, now, riddorWithoutNames.words), {});
    await addTable(build, `${folder}/history.csv`, historyColumnsWithoutNames, history);
    if (audits.length > 0)
      await addTable(build, `${folder}/audits.csv`, auditColumnsWithoutNames, Readable.from([audits]) as never);
    return { report, audits: audits.length, photos: 0 };
  }
  const { document, images } = createReportPdf(replaceNames(report, getName, 'created_by'), now, {
    riddor,
    parts,
  });
  const bytes = await readImages(files, images);
  await addPdf(build, `${folder}/report.pdf`, document, bytes);
  const photos = report.mediaFiles.map(({ path }) => path);
  await addPhotos(build, `${folder}/photo`, photos, bytes);
  await addTable(build, `${folder}/history.csv`, activityColumns(getName), history);
  for (const [index, audit] of audits.entries())
    await addAudit(build, `${folder}/audits/${index + 1}-${toFileName(audit.title)}`, audit);
  if (pack.with_investigations) await addInvestigation(build, folder, report.id);
  return { report, audits: audits.length, photos: photos.length };
}

/** Adds the investigation that covers a report, if there is one. */
async function addInvestigation(build: PackBuild, folder: string, reportId: string): Promise<void> {
  const { services, pack, viewer, now, getName } = build;
  const covering = await findInvestigationOf(services.db, reportId);
  if (!covering) return;
  await addItems(services.db, pack.id, [{ thing: 'investigation', thing_id: covering.id }]);
  const investigation = await findInvestigation(services.db, { ...viewer, id: pack.created_by }, covering.id, now);
  if (!investigation) return;
  const { document, images } = createInvestigationPdf(investigation, now, getName);
  await addPdf(build, `${folder}/${investigation.number}.pdf`, document, await readImages(services.files, images));
}

async function addAudit(build: PackBuild, name: string, found: FoundAudit): Promise<void> {
  const { services, getName, now } = build;
  const { audit, notes } = nameUsersOfAudit(found, await listNotes(services.db, found.id), getName);
  const { document, images } = createAuditPdf(audit, notes, now);
  const bytes = await readImages(services.files, images);
  await addPdf(build, `${name}.pdf`, document, bytes);
  await addPhotos(build, `${name}-photo`, images, bytes);
}

async function addPhotos(
  build: PackBuild,
  name: string,
  paths: string[],
  bytes: Record<string, Buffer>,
): Promise<void> {
  for (const [index, path] of paths.entries()) {
    const photo = bytes[path];
    if (photo) await build.add(`${name}-${index + 1}${extname(path)}`, photo);
  }
}

async function addChecks(build: PackBuild, { park, from, to }: CheckPeriod): Promise<void> {
  const { services, pack, viewer, now, getName } = build;
  const name = `checks/${toFileName(park)}`;
  const days = { from, to };
  await addItems(services.db, pack.id, [{ thing: 'checks', thing_id: park }]);
  const pages = readCheckPages(services.db, { ...days, park: [park] }, now);
  const checks = withNames(pages, getName, 'filled_in_by', 'reason_by');
  await addTable(build, `${name}.csv`, pack.without_names ? createCheckColumnsWithoutNames() : checkColumns, checks);
  if (pack.without_names) return;
  const readSubmissions = () => withPlaces(services.db, viewer, readAnswerPages(services.db, { ...days, park }));
  const answers = withNames(readSubmissions(), getName, 'submitted_by');
  const columns = answerRowColumns(await mayHaveOtherNotes(services.db));
  await addTable(build, `${name}-answers.csv`, columns, mapPages(answers, toAnswerRows));
  await addTable(build, `${name}-readings.csv`, readingColumns, mapPages(readSubmissions(), toReadings));
}

function createIndex(
  { pack, now, getName }: PackBuild,
  lines: IndexLine[],
  periods: CheckPeriod[],
  missing: number,
): PdfDocument {
  const isWithoutNames = pack.without_names === 1;
  return {
    title: isWithoutNames ? 'Pack without names' : 'Pack',
    number: `Pack ${pack.id.slice(0, 8)}`,
    subtitle: pluralise(lines.length, 'report'),
    madeAt: now,
    parts: [
      {
        kind: 'fields',
        rows: [
          { label: 'For', value: pack.recipient },
          { label: 'Why', value: pack.purpose },
          ...(isWithoutNames ? [] : [{ label: 'Asked for by', value: getName(pack.created_by_name) }]),
        ],
      },
      { kind: 'heading', text: 'Reports' },
      {
        kind: 'fields',
        rows: lines.map(({ report, audits, photos }) => ({
          label: report.number,
          value: [
            `${reportTitles[report.reportType]}, ${report.selectedPlace}, ${formatDay(report.date)}`,
            ...(isWithoutNames ? [] : [pluralise(photos, 'photo')]),
            pluralise(audits, 'audit'),
          ].join(', '),
        })),
      },
      {
        kind: 'text',
        text: `Each report has a folder with the report as PDF, ${isWithoutNames ? '' : 'its photos, '}its history, ${pack.with_investigations ? 'the audits that came from it, and the investigation that covers it, if there is one' : 'and the audits that came from it'}.`,
      },
      { kind: 'heading', text: 'Checks' },
      {
        kind: 'fields',
        rows: periods.map(({ park, from, to }) => ({
          label: park,
          value: `${isWithoutNames ? 'Scheduled checks' : 'Checks, submitted checklists and readings'}, ${formatDay(from)} to ${formatDay(to)}`,
        })),
      },
      { kind: 'heading', text: 'Left out' },
      {
        kind: 'text',
        text: [
          isWithoutNames
            ? `${personalFieldNames}, signatures, photos, and the answers to checklists.`
            : 'Audits of parks that the person who asked for this pack may not see.',
          ...(missing > 0 ? [`${pluralise(missing, 'report')} deleted since this pack was asked for.`] : []),
        ].join(' '),
      },
      { kind: 'heading', text: 'How to check the files' },
      { kind: 'text', text: 'manifest.json lists every file with its size and its SHA-256.' },
      { kind: 'heading', text: 'Times' },
      {
        kind: 'text',
        text: 'Times are local time in the UK. In CSV files and the manifest they have their offset from UTC.',
      },
    ],
  };
}
