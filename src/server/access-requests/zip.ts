// Creates the copy for the person: an index, a PDF of each record, photos, and the data.
import { formatDay } from '#shared/dates.ts';
import type { Choice, Hit, Person } from '#shared/people/access-requests.ts';
import { redactText } from '#shared/people/redact.ts';
import { listNotes } from '../audits/notes.ts';
import { createAuditPdf, nameUsersOfAudit } from '../audits/pdf.ts';
import { findAudit, listAuditsCreatedFrom } from '../audits/store.ts';
import { createSubmissionPdf } from '../checklists/pdf.ts';
import { findSubmission } from '../checklists/submissions.ts';
import { getReader } from '../db/reader.ts';
import type { Tables } from '../db/schema.ts';
import { createBusyError } from '../errors/http-error.ts';
import { toFileName } from '../files/file-name.ts';
import type { HandlerContext } from '../http/handler-context.ts';
import { createInvestigationPdf } from '../investigations/pdf.ts';
import { findInvestigation } from '../investigations/store.ts';
import { getAssessmentForPdf } from '../law/pdf.ts';
import { createNameFinder, everyParkViewer, listUserNames, type NameFinder } from '../names/user-names.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { findKind } from '../records/kinds.ts';
import { createReportPdf } from '../reports/pdf.ts';
import { findReport } from '../reports/store.ts';
import { readImages } from '../uploads/read.ts';
import type { FileWriter } from '../zip/zipper.ts';
import { selectActivity } from './gather.ts';
import { addOtherNames, redactAll } from './redact.ts';

type ZipServices = Pick<
  HandlerContext<never>,
  'db' | 'reader' | 'files' | 'imageProcessor' | 'pdf' | 'signal' | 'restartTimeout'
>;
type PrintedRecord = { document: PdfDocument; images: Record<string, Buffer>; photos: string[]; data: unknown };
type ChosenHit = { hit: Hit; choice: Choice };

/** Returns a record as its own PDF shows it, with the full names of users. */
async function createPrintedRecord(
  { db, reader, files }: ZipServices,
  hit: Hit,
  person: Person,
  getName: NameFinder,
  now: Date,
): Promise<PrintedRecord> {
  const id = hit.id.slice(hit.id.indexOf(':') + 1);
  if (hit.thing === 'report') {
    const foundReport = await findReport(db, id);
    if (foundReport) {
      const report = { ...foundReport, created_by: getName(foundReport.created_by) };
      const { riddor, parts } = await getAssessmentForPdf(db, id, now, getName);
      const { document, images } = createReportPdf(report, now, { riddor, parts });
      const photos = report.mediaFiles.map((file) => file.path);
      return { document, images: await readImages(files, images), photos, data: { report, assessment: parts } };
    }
  }
  if (hit.thing === 'submission') {
    const foundSubmission = await findSubmission(db, id);
    if (foundSubmission) {
      const submission = { ...foundSubmission, submitted_by: getName(foundSubmission.submitted_by) };
      const audits = (await listAuditsCreatedFrom(db, everyParkViewer, 'submission', id)).map((audit) => ({
        ...audit,
        completed_by: getName(audit.completed_by),
        deleted_by: getName(audit.deleted_by),
      }));
      const { document, images, photos } = createSubmissionPdf(submission, audits, now);
      const { data, ...rest } = submission;
      const answers = Object.fromEntries(
        Object.entries(data).filter(([, answer]) => !String(answer).startsWith('data:')),
      );
      const all = { ...images, ...(await readImages(files, photos)) };
      return { document, images: all, photos, data: { ...rest, data: answers } };
    }
  }
  if (hit.thing === 'audit') {
    const foundAudit = await findAudit(db, everyParkViewer, id);
    if (foundAudit) {
      const { audit, notes } = nameUsersOfAudit(foundAudit, await listNotes(db, id), getName);
      const { document, images } = createAuditPdf(audit, notes, now);
      return { document, images: await readImages(files, images), photos: images, data: { audit, notes } };
    }
  }
  if (hit.thing === 'investigation') {
    const investigation = await findInvestigation(db, { ...everyParkViewer, id: '' }, id, now);
    if (investigation) {
      const { document, images } = createInvestigationPdf(investigation, now, getName);
      return { document, images: await readImages(files, images), photos: images, data: investigation };
    }
  }
  // A record that has no PDF of its own, or was deleted: print all its stored fields. Of the activity log, print
  // the person's entries.
  const texts =
    hit.thing === 'activity'
      ? (await selectActivity(getReader({ db, reader }), person).execute()).map((row) => ({
          field: row.at,
          text: `${row.actor} ${row.action} ${row.thing} ${row.label}`,
        }))
      : hit.texts;
  const document: PdfDocument = {
    title: hit.label,
    number: hit.thing,
    madeAt: now,
    parts: [{ kind: 'fields', rows: texts.map(({ field, text }) => ({ label: field, value: text })) }],
  };
  return {
    document,
    images: await readImages(
      files,
      hit.images.filter((path) => path.startsWith('/uploads/')),
    ),
    photos: hit.images,
    data: { label: hit.label, texts },
  };
}

/** Adds the files. Creates the PDFs one at a time to limit memory. Stops when the signal aborts. */
export async function addFiles(
  services: ZipServices,
  add: FileWriter,
  request: Tables['access_requests'],
  person: Person,
  includedRecords: ChosenHit[],
  leftOutHits: ChosenHit[],
  userId: string,
  now: Date,
): Promise<void> {
  const data: unknown[] = [];
  const getName = await createNameFinder(services.db, everyParkViewer);
  const bothNames = await listUserNames(services.db);
  const listWordsToRedact = (choice: Choice) =>
    choice.choice === 'redact' ? addOtherNames(choice.texts ?? [], bothNames, getName) : [];
  for (const [index, { hit, choice }] of includedRecords.entries()) {
    if (services.signal.aborted) throw createBusyError();
    services.restartTimeout();
    const words = listWordsToRedact(choice);
    const printedRecord = await createPrintedRecord(services, hit, person, getName, now);
    const images: Record<string, Buffer> = {};
    for (const [path, bytes] of Object.entries(printedRecord.images)) {
      const redactedImage = choice.choice === 'redact' ? choice.images?.find((one) => one.path === path) : undefined;
      if (redactedImage?.isLeftOut) continue;
      const boxes = redactedImage?.boxes ?? [];
      images[path] = boxes.length > 0 ? await services.imageProcessor.redact(bytes, boxes, userId) : bytes;
    }
    const name = `${String(index + 1).padStart(3, '0')}-${toFileName(redactText(hit.label, words))}`;
    const { pdf } = await services.pdf.render(await redactAll(printedRecord.document, words), images, userId);
    await add(`records/${name}.pdf`, pdf);
    for (const [at, path] of printedRecord.photos.entries()) {
      const bytes = images[path];
      if (bytes) await add(`photos/${name}-${at + 1}${path.slice(path.lastIndexOf('.'))}`, bytes);
    }
    // A PDF has only the current version. What was found may be in an earlier one.
    const found = hit.texts.filter(({ field }) => hit.where.includes(field));
    const texts = await redactAll({ record: printedRecord.data, found }, words);
    data.push({ what: hit.thing, name: redactText(hit.label, words), ...texts });
  }
  const index = createIndex(request, includedRecords, leftOutHits, listWordsToRedact, now);
  await add('index.pdf', (await services.pdf.render(index, {}, userId)).pdf);
  await add('data.json', Buffer.from(`${JSON.stringify(data, null, 1)}\n`));
}

const logPurpose = 'Who did what with which record: evidence of who saw it';
const getPurpose = (thing: string) =>
  findKind(thing)?.purpose ?? (thing === 'activity' ? logPurpose : 'Account that waits to be let in');

function createIndex(
  { name, received_on, id }: Tables['access_requests'],
  includedRecords: ChosenHit[],
  leftOutHits: ChosenHit[],
  listWordsToRedact: (choice: Choice) => string[],
  now: Date,
): PdfDocument {
  const describeChosenHit = ({ hit, choice }: ChosenHit) => ({
    label: redactText(hit.label, listWordsToRedact(choice)),
    value: `${getPurpose(hit.thing)}.${choice.choice === 'redact' ? ' Parts about other people are blacked out.' : ''}`,
  });
  return {
    title: 'What we hold about you',
    number: `Request ${id.slice(0, 8)}`,
    subtitle: `${name}, received on ${formatDay(received_on)}`,
    madeAt: now,
    parts: [
      { kind: 'heading', text: 'What is enclosed' },
      includedRecords.length > 0
        ? { kind: 'fields', rows: includedRecords.map(describeChosenHit) }
        : { kind: 'text', text: 'We hold nothing about you that we can send.' },
      { kind: 'text', text: 'Earlier versions of a record that name you are in data.json, under "found".' },
      { kind: 'heading', text: 'What is left out' },
      leftOutHits.length > 0
        ? {
            kind: 'fields',
            rows: leftOutHits.map(({ hit, choice }) => ({
              label: `A record (${hit.thing})`,
              value: choice.because ?? '',
            })),
          }
        : { kind: 'text', text: 'Nothing.' },
      { kind: 'heading', text: 'Your rights' },
      {
        kind: 'text',
        text: 'You can ask us to correct what is wrong, to restrict or erase what we need not keep, and you can complain to the Information Commissioner (ico.org.uk). Our privacy notice says who receives these records and how long we keep them.',
      },
    ],
  };
}
