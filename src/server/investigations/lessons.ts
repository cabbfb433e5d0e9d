// Lessons: one audit at each park, whose completion is the park's answer. A lesson is kept as long as one of them.
import { extname } from 'node:path';
import { canSeePark, type ParkViewer } from '#shared/access.ts';
import { formatDay, formatInstantDay } from '#shared/dates.ts';
import { type Lesson, lessonTextNames, lessonTexts } from '#shared/lessons.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import { createAuditByRule } from '../audits/create-by-rule.ts';
import { parseData } from '../db/audit-data.ts';
import type { Database } from '../db/schema.ts';
import { required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { createPhotoGrid } from '../pdf/document.ts';
import { createPdfFileName } from '../pdf/file-name.ts';
import { withCopies } from '../uploads/copy.ts';
import { readImages } from '../uploads/read.ts';
import { attachUploads, listUnattached, toMediaFile, type UploadRow } from '../uploads/store.ts';
import { releaseTexts } from './names.ts';
import { findInvestigation } from './store.ts';

export const lessonHandlers = {
  listLessons: ({ db, user }) => readLessons(db, user),

  async createLesson(context) {
    const { db, body, user, now, writeTransaction } = context;
    const { photos, answer_by, investigation_id } = body;
    const parks = [...new Set(body.parks)];
    const investigation = investigation_id
      ? required(await findInvestigation(db, user, investigation_id, now), 'Investigation not found')
      : undefined;
    const { title, happened, look_at } = await releaseTexts(db, {
      texts: { title: body.title, happened: body.happened, look_at: body.look_at },
      decisions: body.decisions,
      linked: investigation,
      userParks: investigation ? [investigation.park] : parks,
      isPlaceHidden: true,
    });
    const paths = photos.map(({ path }) => path);
    const uploads = nameNeutrally(await listUnattached(db, paths, user.id));
    const id = newId();
    return withCopies(
      context,
      parks.flatMap(() => uploads),
      (insertCopies) =>
        writeTransaction(async (db, logActivity) => {
          const copies = await insertCopies(db, paths);
          const attached = nameNeutrally(
            await attachUploads(db, photos, user.id, { attached_to: 'lesson', attached_id: id }),
          );
          for (const { path, label } of attached)
            await db.updateTable('uploads').set({ label }).where('path', '=', path).execute();
          await db
            .insertInto('lessons')
            .values({
              ...{ id, title, happened, look_at, answer_by, investigation_id: investigation_id ?? null },
              media_files: JSON.stringify(attached.map((upload) => toMediaFile(upload, ''))),
              ...{ created_at: now.toISOString(), created_by: user.id, created_by_name: user.username },
            })
            .execute();
          logActivity({ action: 'created', thing: 'lesson', thing_id: id, label: title });
          for (const [index, park] of parks.entries())
            await createAuditByRule(db, logActivity, {
              ...{ park, title, now, by: user, setting: 'assignee_id', location: '', is_urgent: false },
              folder: 'lessons',
              description: `${happened}\n\nWhat to look at:\n${look_at}`,
              date: answer_by,
              captured_at: null,
              media: copies.slice(index, index + 1),
              source: { thing: 'lesson', id, label: '' },
            });
          return { success: true, id } as const;
        }),
    );
  },

  getLesson: ({ db, user, params }) => requireLesson(db, user, params.id),

  async getLessonPdf({ db, user, params, files, pdf, now, logActivity }) {
    const lesson = await requireLesson(db, user, params.id);
    const { id, title, photos, answer_by, created_at } = lesson;
    await logActivity({ action: 'opened as PDF', thing: 'lesson', thing_id: id, label: title });
    const images = photos.map(({ path }) => path);
    const document = {
      title,
      number: `Lesson of ${formatInstantDay(created_at)}`,
      subtitle: `Look at this by ${formatDay(answer_by)}`,
      madeAt: now,
      parts: [
        ...lessonTextNames.flatMap((name) => [
          { kind: 'heading', text: lessonTexts[name] } as const,
          { kind: 'text', text: lesson[name] } as const,
        ]),
        ...(photos.length > 0 ? [createPhotoGrid(photos, `lesson ${title}`)] : []),
      ],
    };
    const file = await pdf.render(document, await readImages(files, images), user.id);
    return { pdf: file.pdf, fileName: createPdfFileName(title) };
  },
} satisfies Partial<Handlers>;

/** Gives photos other names: those of their files may name someone, and all parks see them. */
const nameNeutrally = (uploads: UploadRow[]): UploadRow[] =>
  uploads.map((upload, at) => ({ ...upload, label: `photo-${at + 1}${extname(upload.path)}` }));

/** Whether an audit of the lesson is left that is not deleted. */
export const lessonExists = async (db: Database, id: string) => (await readLessons(db, { parks: null }, id)).length > 0;

async function requireLesson(db: Database, viewer: ParkViewer, id: string): Promise<Lesson> {
  const [lesson] = await readLessons(db, viewer, id);
  return required(lesson, 'Lesson not found');
}

/** Returns all lessons with what became of their audits, newest first, or one; without those whose audits were all deleted. */
async function readLessons(db: Database, viewer: ParkViewer, id?: string): Promise<Lesson[]> {
  const rows = await db
    .selectFrom('lessons')
    .leftJoin('investigations', (join) =>
      join.onRef('investigations.id', '=', 'lessons.investigation_id').on('investigations.deletion_id', 'is', null),
    )
    .selectAll('lessons')
    .select('investigations.number')
    .$if(id !== undefined, (qb) => qb.where('lessons.id', '=', id ?? ''))
    .orderBy('lessons.created_at', 'desc')
    .orderBy('lessons.id')
    .execute();
  const audits = await db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .leftJoin('audit_notes as answers', (join) =>
      join.onRef('answers.audit_id', '=', 'audits.id').on('answers.answer', 'is not', null),
    )
    .leftJoin('audits as follow_ups', (join) =>
      join
        .onRef('follow_ups.follow_up_of', '=', 'audits.id')
        .on('answers.answer', '=', 'needsWork')
        .on('follow_ups.deletion_id', 'is', null),
    )
    .select(['audits.id', 'audits.source_id', 'audits.data', 'audits.completed', 'folders.park'])
    .select(['answers.answer', 'answers.words as note'])
    .select(['follow_ups.id as follow_up_id', 'follow_ups.completed as is_followed_up'])
    .where('audits.source_thing', '=', 'lesson')
    .where('audits.deletion_id', 'is', null)
    .$if(id !== undefined, (qb) => qb.where('audits.source_id', '=', id ?? ''))
    .orderBy('folders.park')
    .orderBy('audits.id')
    .execute();
  const byLesson = Map.groupBy(audits, ({ source_id }) => source_id);
  return rows.flatMap(({ media_files, investigation_id, number, created_by, created_by_name, ...lesson }) => {
    const answers = (byLesson.get(lesson.id) ?? []).map((audit): Lesson['answers'][number] => ({
      park: audit.park,
      answer: audit.answer,
      completed: audit.completed === 1,
      audit: canSeePark(viewer, audit.park)
        ? {
            id: audit.id,
            assignee: parseData(audit.data).data.assignee,
            note: audit.note ?? '',
            follow_up: audit.follow_up_id ? { id: audit.follow_up_id, completed: audit.is_followed_up === 1 } : null,
          }
        : null,
    }));
    if (answers.length === 0) return [];
    const missing = answers.filter(({ answer }) => !answer).map(({ park }) => park);
    return {
      ...lesson,
      created_by: created_by_name,
      photos: JSON.parse(media_files) as StoredMediaFile[],
      investigation: investigation_id && number ? { id: investigation_id, number } : null,
      ...{ parks: answers.length, answered: answers.length - missing.length, missing, answers },
    };
  });
}
