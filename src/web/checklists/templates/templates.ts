// Checklists to start from: one file each in shared/checklist-templates, read by TemplatesDialog.
import { NewChecklist } from '#shared/checklists.ts';

/** A checklist, and what someone needs to know to choose it: what it is for, why it is asked, how often. */
export type Template = NewChecklist & {
  for: string;
  /** The law or guidance behind it. */
  guidance: string;
  often: string;
  /** What to change in it. */
  adapt: string;
};

const files = import.meta.glob<Template>('#shared/checklist-templates/*.json', {
  eager: true,
  import: 'default',
});

export const templates: Template[] = Object.values(files).toSorted((a, b) => a.title.localeCompare(b.title, 'en-GB'));

/** Returns the checklist without what is said about it, with all that the schema adds. */
export const toNewChecklist = (template: Template): NewChecklist => NewChecklist.parse(template);
