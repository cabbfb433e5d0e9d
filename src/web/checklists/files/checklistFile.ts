// A checklist as a file: saved in one place, and a new checklist in another.
import type * as z from 'zod/mini';
import { type Checklist, NewChecklist } from '#shared/checklists.ts';

/** Read by this version and all later ones. */
const version = 1;
/** Of a request that creates a checklist. */
const maxBytes = 256 * 1024;
const maxErrors = 20;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Leaves out who should complete audits: the file may go to those who must not see usernames, and do not have them. */
export function writeChecklistFile(checklist: Checklist): { name: string; bytes: Uint8Array } {
  const { title, sections, ...rest } = NewChecklist.parse(checklist);
  const withoutPeople = sections.map((section) =>
    section.onFail?.audit
      ? { ...section, onFail: { ...section.onFail, audit: { ...section.onFail.audit, assignees: {} } } }
      : section,
  );
  const text = JSON.stringify({ version, title, ...rest, sections: withoutPeople }, null, 2);
  // Signs that some file systems do not take are left out.
  const name = title.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ').trim();
  return { name: `${[...name].slice(0, 100).join('')}.json`, bytes: new TextEncoder().encode(text) };
}

/** Returns the checklist of a file, or what is wrong with it, by question. */
export function readChecklistFile(text: string): { checklist: NewChecklist } | { errors: string[] } {
  if (new TextEncoder().encode(text).length > maxBytes) return { errors: ['This file is too large for a checklist.'] };
  let content: unknown;
  try {
    // Some editors write a byte order mark.
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { errors: ['This file is not a checklist: it is not JSON.'] };
  }
  if (!isObject(content) || !('sections' in content))
    return { errors: ['This file is not a checklist that was saved as a file.'] };
  if (content.version !== version)
    return {
      errors: [
        typeof content.version === 'number' && content.version > version
          ? 'This file was saved by a later version of this application. It can be read after the next update.'
          : `This file has no version. Add "version": ${version} if it is a checklist.`,
      ],
    };
  const { data, error } = NewChecklist.safeParse(content);
  if (data) return { checklist: data };
  const messages = error.issues.map(({ path, message }) => describeIssue(path, message, content.sections));
  return { errors: [...new Set(messages)].slice(0, maxErrors) };
}

/** `Question 3, “Gate shut?”: Choose a type`. */
function describeIssue(path: z.core.$ZodIssue['path'], message: string, sections: unknown): string {
  const [field, index, name] = path;
  if (field !== 'sections' || typeof index !== 'number')
    return field === undefined || field === 'title' || field === 'sections' ? message : `${String(field)}: ${message}`;
  const section = Array.isArray(sections) ? sections[index] : undefined;
  const title = isObject(section) && typeof section.title === 'string' ? section.title.trim() : '';
  const quoted = title ? `, “${[...title].slice(0, 60).join('')}”` : '';
  // The message says what to do, but not where, if the field has one of the standard messages.
  const where = /^(?:Invalid|Expected)/.test(message) && name !== undefined ? `${String(name)}: ` : '';
  return `Question ${index + 1}${quoted}: ${where}${message}`;
}
