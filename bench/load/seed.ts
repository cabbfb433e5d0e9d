// Inserts the records and files of several years directly into the database and the data folder.
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CompiledQuery } from 'kysely';
import sharp from 'sharp';
import { defaultParks as parks } from '#shared/choices.ts';
import { insertChecklist, listChecklists } from '../../src/server/checklists/store.ts';
import { insertSubmission } from '../../src/server/checklists/submissions.ts';
import { appendActivity, createActivitySearchText, hashEntry, lockActivity } from '../../src/server/db/activity-log.ts';
import { getAuditSearchText, serializeData } from '../../src/server/db/audit-data.ts';
import type { Database, Tables } from '../../src/server/db/schema.ts';
import { readDemoChecklists } from '../../src/server/demo/checks.ts';
import { drawSignature } from '../../src/server/demo/signatures.ts';
import { newFilePath } from '../../src/server/files/store.ts';
import { newId } from '../../src/server/ids.ts';
import { hashPassword } from '../../src/server/sign-in/session/passwords.ts';
import { toMediaFile } from '../../src/server/uploads/store.ts';
import { insertUser } from '../../src/server/users/store.ts';
import { createSeedReport } from '../seed.ts';
import type { Person } from './people.ts';

type Amounts = {
  reports: number;
  files: number;
  audits: number;
  users: number;
  submissions: number;
  log: number;
};

type Author = { id: string; username: string };
/** `preview` is the server's small version of the photo. */
type Image = { bytes: Buffer; ext: 'jpg' | 'png'; preview?: Buffer };
type Upload = Tables['uploads'];

const fixtures = join(import.meta.dirname, '../../fixtures/photos');
const originalPhotos = [
  'phone-jolla',
  'phone-iphone-hdr',
  'orientation-landscape-1',
  'orientation-portrait-6',
  'gps-DSCN0010',
];
const seedDate = new Date('2026-01-15T12:00:00Z');
const tenPhotosInterval = 250;

/** Creates photos as the server would store them, and a signature. */
async function createSeedImages() {
  const photos: Image[] = await Promise.all(
    originalPhotos.map(async (name) => {
      const resizedPhoto = sharp(join(fixtures, `${name}.jpg`))
        .autoOrient()
        .resize(1280, 1280, { fit: 'inside' });
      const bytes = await resizedPhoto.jpeg({ quality: 80 }).toBuffer();
      const preview = await sharp(bytes).resize(320, 320, { fit: 'inside' }).webp({ quality: 70 }).toBuffer();
      return { bytes, ext: 'jpg', preview };
    }),
  );
  return { photos, signature: { bytes: await drawSignature(), ext: 'png' } satisfies Image };
}

/**
 * Fills an empty database and data folder. Returns the users, who all have the same password, and
 * the ids of the reports with ten photos.
 */
export async function seed(db: Database, dataDir: string, amounts: Amounts, author: Author, password: string) {
  const images = await createSeedImages();
  const addUpload = createUploadWriter(dataDir, author.id);
  const people = await seedPeople(db, amounts.users, password);
  const reportsWithTenPhotos = await db.transaction().execute(async (db) => {
    const tenPhotoReportIds = await seedReports(db, amounts, author, addUpload, images);
    await seedAudits(db, amounts, author, addUpload, images.photos);
    return tenPhotoReportIds;
  });
  await db.transaction().execute((db) => seedSubmissions(db, amounts.submissions, author, images.signature.bytes));
  await db.transaction().execute((db) => seedLog(db, amounts.log, author));
  return { people, reportsWithTenPhotos };
}

async function seedPeople(db: Database, count: number, password: string): Promise<Person[]> {
  const passwordHash = await hashPassword(password);
  const people = Array.from({ length: count }, (_, index) => ({
    username: `person.${index + 1}`,
    isReviewer: index % 3 === 0,
    // Ten reviewers see all parks; each park has four or five of its own.
    park: index % 30 === 0 ? '' : (parks[index % parks.length] ?? ''),
  }));
  await db.transaction().execute(async (db) => {
    for (const { username, isReviewer, park } of people) {
      const role = isReviewer ? 'Health & Safety Manager' : 'None';
      await insertUser(db, { username, passwordHash, role, park, mustChangePassword: false }, new Date());
    }
  });
  return people;
}

type AddUpload = (image: Image, isUnique: boolean, owner: Pick<Upload, 'attached_to' | 'attached_id'>) => Upload;

/** Writes images and their previews. Equal files are hard links. */
function createUploadWriter(dataDir: string, userId: string): AddUpload {
  const fileByBytes = new Map<Buffer, string>();
  const [folder, previews] = ['uploads', 'previews'].map((name) => join(dataDir, name)) as [string, string];
  for (const root of [folder, previews])
    mkdirSync(dirname(join(root, newFilePath('jpg', seedDate))), { recursive: true });
  const write = (file: string, bytes: Buffer) => {
    const existingFile = fileByBytes.get(bytes);
    if (existingFile) return linkSync(existingFile, file);
    writeFileSync(file, bytes);
    fileByBytes.set(bytes, file);
  };
  let count = 0;
  return (image, isUnique, owner) => {
    const path = newFilePath(image.ext, seedDate);
    const file = join(folder, path);
    if (isUnique) writeFileSync(file, addComment(image.bytes, count));
    else write(file, image.bytes);
    if (image.preview) write(join(previews, path), image.preview);
    count += 1;
    return {
      path: `/uploads/${path}`,
      label: `photo-${count}.${image.ext}`,
      type: image.ext === 'jpg' ? 'image/jpeg' : 'image/png',
      size: image.bytes.length + (isUnique ? 12 : 0),
      blank: 0,
      cut_off: 0,
      sha256_received: '',
      sha256_stored: '',
      uploaded_by: userId,
      created_at: seedDate.toISOString(),
      ...owner,
    };
  };
}

/** Returns the JPEG with another comment in it, so that no cache helps a PDF. */
function addComment(jpeg: Buffer, number: number) {
  const comment = Buffer.from([0xff, 0xfe, 0, 10, ...Buffer.from(String(number).padStart(8, '0'))]);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}

type Images = Awaited<ReturnType<typeof createSeedImages>>;

/**
 * Every 250th report has ten photos and two signatures, every fifth one photo and two signatures;
 * the others have neither.
 */
async function seedReports(
  db: Database,
  { reports, files }: Amounts,
  author: Author,
  addUpload: AddUpload,
  images: Images,
) {
  const { photos, signature } = images;
  const tenPhotoReportIds: string[] = [];
  const uploads: Upload[] = [];
  const rows = Array.from({ length: reports }, (_, index) => {
    const row = createSeedReport(index, author);
    const hasTenPhotos = index % tenPhotosInterval === 0;
    if ((!hasTenPhotos && index % 5 !== 0) || uploads.length + 12 > files) return row;
    if (hasTenPhotos) tenPhotoReportIds.push(row.id);
    const owner = { attached_to: 'report', attached_id: row.id } as const;
    const reportPhotos = Array.from({ length: hasTenPhotos ? 10 : 1 }, (_, at) =>
      addUpload(photos[(index + at) % photos.length] as Image, hasTenPhotos, owner),
    );
    const signatures = [addUpload(signature, false, owner), addUpload(signature, false, owner)];
    uploads.push(...reportPhotos, ...signatures);
    return {
      ...row,
      mediaFiles: JSON.stringify(reportPhotos.map((upload) => toMediaFile(upload, upload.label))),
      signature: signatures[0]?.path ?? null,
      affectedUserSignature: signatures[1]?.path ?? null,
    };
  });
  await insertAll(db, 'uploads', uploads);
  await insertAll(db, 'reports', rows);
  await db.insertInto('counters').values({ name: 'reports', value: reports }).execute();
  return tenPhotoReportIds;
}

const foldersPerPark = 10;

/** Inserts ten folders per park. Files that no report uses become photos of audits, one each. */
async function seedAudits(
  db: Database,
  { audits, files }: Amounts,
  author: Author,
  addUpload: AddUpload,
  photos: Image[],
) {
  const { count } = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const folders = parks.flatMap((park) =>
    Array.from({ length: foldersPerPark }, (_, at) => ({
      id: newId(),
      name: `Round ${at + 1}`,
      description: 'Monthly rounds',
      thumbnail: null,
      park,
      version: 1,
      created_at: seedDate.toISOString(),
      created_by: author.id,
      deletion_id: null,
    })),
  );
  const uploads: Upload[] = [];
  const rows = Array.from({ length: audits }, (_, index): Tables['audits'] => {
    const id = newId();
    const owner = { attached_to: 'audit', attached_id: id } as const;
    const upload = index < files - count ? addUpload(photos[index % photos.length] as Image, false, owner) : undefined;
    if (upload) uploads.push(upload);
    const isCompleted = index % 3 !== 0;
    const texts = {
      title: `Check the extinguishers, round ${index}`,
      data: serializeData({
        location: 'Clubhouse',
        assignee: 'Siân',
        description: 'All floors. Note the dates on the tags. '.repeat(5),
        media_files: upload ? [toMediaFile(upload, upload.label)] : [],
      }),
    };
    return {
      ...texts,
      search_text: getAuditSearchText(texts, []),
      // Below those of the server.
      position: index - audits,
      id,
      folder_id: folders[index % folders.length]?.id ?? '',
      date: '2026-02-01',
      time: null,
      is_urgent: index % 17 === 0 ? 1 : 0,
      completed: isCompleted ? 1 : 0,
      completed_by: isCompleted ? author.username : null,
      completed_at: isCompleted ? seedDate.toISOString() : null,
      version: 1,
      created_at: new Date(seedDate.getTime() + index * 60_000).toISOString(),
      created_by: author.id,
      captured_at: null,
      deletion_id: null,
      assignee_id: null,
      source_thing: null,
      source_id: null,
      source_label: null,
      source_section: null,
      due: '2026-02-01 24:00',
      completed_by_id: isCompleted ? author.id : null,
      completed_beside: null,
      ...{ verify_days: null, verifier_id: null, verify_by: null, verified: null, investigation_id: null },
      follow_up_of: null,
    };
  });
  await insertAll(db, 'folders', folders);
  await insertAll(db, 'uploads', uploads);
  await insertAll(db, 'audits', rows);
}

async function seedSubmissions(db: Database, count: number, by: Author, signature: Buffer) {
  for (const checklist of await readDemoChecklists()) await insertChecklist(db, checklist, by.id, seedDate);
  const checklists = await listChecklists(db);
  const url = `data:image/png;base64,${signature.toString('base64')}`;
  for (let index = 0; index < count; index++) {
    const checklist = checklists[index % checklists.length];
    if (!checklist) return;
    const signed = checklist.sections.findIndex(({ type }) => type === 'signature');
    const answers = Object.fromEntries(checklist.sections.map((_, at) => [at, 'Checked, all as expected']));
    delete answers[signed];
    const now = new Date(seedDate.getTime() + index * 60_000);
    await insertSubmission(db, {
      park: parks[index % parks.length] ?? '',
      checklist,
      answers,
      passed: true,
      signatures: new Map([[signed, url]]),
      by,
      now,
    });
  }
}

/** Inserts log entries with the hash chain that the server checks. */
async function seedLog(db: Database, count: number, by: Author) {
  let { seq, hash } = await lockActivity(db);
  const batchSize = 50_000;
  for (let from = 0; from < count; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - from) }, (_, at) => {
      seq += 1;
      const row = {
        seq,
        at: new Date(seedDate.getTime() + (from + at) * 10).toISOString(),
        actor_id: by.id,
        actor: by.username,
        ip: '127.0.0.1',
        action: 'opened',
        thing: 'report',
        thing_id: null,
        label: `ACC-2015-${seq % 50_000}`,
        changes: null,
        request_id: '',
        previous_hash: hash,
      };
      hash = hashEntry(row);
      return { ...row, hash, search_text: createActivitySearchText(row) };
    });
    await insertAll(db, 'activity', rows);
  }
  await appendActivity(db, { seq, hash }, [
    {
      actor: { ...by, name: by.username, ip: '', requestId: '' },
      now: seedDate,
      entry: { action: 'signed in', thing: 'session', thing_id: by.id },
    },
  ]);
}

/** Inserts the rows in batches of the same size, so that they share a prepared statement. */
async function insertAll<Table extends keyof Tables>(db: Database, table: Table, rows: Tables[Table][]) {
  const rowsPerBatch = 500;
  const rowCountInFullBatches = rows.length - (rows.length % rowsPerBatch);
  const columns = Object.keys(rows[0] ?? {}) as (keyof Tables[Table])[];
  const compileInsert = (batch: Tables[Table][]) =>
    db
      .insertInto(table)
      .values(batch as never)
      .compile();
  const sql = rowCountInFullBatches > 0 ? compileInsert(rows.slice(0, rowsPerBatch)).sql : '';
  for (let from = 0; from < rowCountInFullBatches; from += rowsPerBatch) {
    const values = rows.slice(from, from + rowsPerBatch).flatMap((row) => columns.map((column) => row[column]));
    await db.executeQuery(CompiledQuery.raw(sql, values));
  }
  if (rowCountInFullBatches < rows.length) await db.executeQuery(compileInsert(rows.slice(rowCountInFullBatches)));
}
