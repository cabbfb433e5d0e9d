// The values of an item, to show outside its form.
import { type Answers, formatAnswer } from '#shared/answers.ts';
import { auditLabels } from '#shared/audit-fields.ts';
import { cutOffText } from '#shared/cut-off.ts';
import { nearlyHurtLabel } from '#shared/places/hazards.ts';
import { pluralise } from '#shared/pluralise.ts';
import { mapReportFields } from '#shared/reports/report-fields.ts';
import { isSignatureUrl } from '#shared/reports/signature-url.ts';
import { isRecorded } from '#shared/shown-questions.ts';
import { isCutOff } from '../photos/useIsCutOff.ts';
import { type FileSlot, type OutboxFile, type OutboxItem, readFile } from './items.ts';
import { formatValue } from './listDifferences.ts';

const auditFieldLabels = {
  ...auditLabels,
  completed: 'Completed?',
  done: 'What was done',
  kind: 'What is it?',
  wasNearlyHurt: nearlyHurtLabel,
};
const reportFieldLabels = mapReportFields(({ label }) => label);

/** Returns the fields with their values as text; empty ones only of a checklist. */
export function listContent({ kind, body, sections = [] }: OutboxItem): { label: string; value: string }[] {
  const { data, hazard, notes, ...fields } = body as {
    data?: { done?: { text: string } };
    hazard?: object;
    /** Of a checklist. */
    notes?: Record<string, { mediaFiles: unknown[] }>;
  };
  if (kind === 'checklist') {
    const answers = Object(data) as Answers;
    return sections.flatMap((section, index) => {
      if (!isRecorded(sections, answers, index)) return [];
      const answer = answers[index];
      const photos = notes?.[index]?.mediaFiles.length ?? 0;
      const given = section.type === 'photo' && photos > 0 ? pluralise(photos, 'photo') : formatAnswer(section, answer);
      const value = isSignatureUrl(answer) ? '(signature)' : given || 'Not provided';
      return { label: section.title, value };
    });
  }
  const entered = { ...fields, ...data, ...hazard, done: data?.done?.text } as Record<string, unknown>;
  const labels = kind === 'accident' || kind === 'incident' ? reportFieldLabels : auditFieldLabels;
  return Object.entries(labels).flatMap(([name, label]) => {
    const value = formatValue(name, entered[name]);
    return value ? [{ label, value }] : [];
  });
}

const slotLabels: Record<FileSlot, string> = {
  photo: 'Photo',
  signature: 'Signature of the person completing the form',
  affectedUserSignature: 'Affected party signature',
};

/**
 * A photo or signature with its label; `file` is undefined if this device no longer has its bytes.
 */
export type LabelledFile = { id: string; label: string; file: File | undefined; note: string | undefined };

export const readLabelledFiles = (item: OutboxItem): Promise<LabelledFile[]> =>
  Promise.all(
    item.files.map(async (info, index) => {
      const file = await readFile(item.id, info);
      const note = file && info.slot === 'photo' && (await isCutOff(file)) ? cutOffText : undefined;
      return { id: info.id, label: getLabel(info, index), file, note };
    }),
  );

const getLabel = ({ slot, name }: OutboxFile, index: number) =>
  slot === 'photo' ? `Photo ${index + 1}, ${name}` : slotLabels[slot];
