// The input of the form of a section: its content, with photos that are not uploaded yet.
import type { api } from '#shared/api.ts';
import type { EndpointInput } from '#shared/client.ts';
import type { Investigation, SectionContents, SectionName, Statement } from '#shared/investigations.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import type { useForm } from '../forms/useForm.ts';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import type { UploadedPaths } from '../photos/uploadPhotos.ts';

/** Photos that are stored, and those added since. */
type Photos = { photos: StoredMediaFile[]; added: PreparedPhoto[] };

export type StatementInput = Statement & Photos;
export type SectionInputs = {
  [Name in Exclude<SectionName, 'facts' | 'statements'>]: SectionContents[Name];
} & {
  facts: SectionContents['facts'] & Photos;
  statements: { list: StatementInput[] };
};

export type SectionValues<Name extends SectionName> = SectionInputs[Name] & { version: number };
/** What is sent, with the photos that were uploaded before. */
export type SectionVariables<Name extends SectionName> = {
  values: SectionValues<Name>;
  version: number;
  uploaded: UploadedPaths;
};
export type SectionForm<Name extends SectionName> = ReturnType<
  typeof useForm<SectionValues<Name>, Investigation, SectionVariables<Name>>
>;

export type SentSection = EndpointInput<typeof api.saveInvestigationSection>['body'];

export const emptyStatement: StatementInput = {
  ...{ person: '', role: '', day: null, isUnder18: false, accompaniedBy: '', text: '' },
  ...{ photos: [], added: [] },
};

/** A number for a cause that no other cause of the investigation has. */
export const newCauseId = () => ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 1) + 1;

const withoutAdded = <Part extends Photos>({ added: _, ...part }: Part) => part;

/** Adds what the form needs to the content of a section. */
export function toInput<Name extends SectionName>(section: Name, content: SectionContents[Name]): SectionInputs[Name] {
  const given = content as SectionContents['facts'] & SectionContents['statements'];
  const input =
    section === 'facts'
      ? { ...given, added: [] }
      : section === 'statements'
        ? { list: given.list.map((item) => ({ ...item, added: [] })) }
        : content;
  return input as SectionInputs[Name];
}

/** Lists the photos to upload. */
export function listAdded(input: object): PreparedPhoto[] {
  const { added = [], list = [] } = input as Partial<Photos & SectionInputs['statements']>;
  return [...added, ...list.flatMap((item) => item.added ?? [])];
}

/** The content that is sent: photos by the paths of their uploads, without what is empty. */
export function toContent(section: SectionName, input: object, paths: Record<string, string>): SentSection['content'] {
  const name = ({ photos, added, ...part }: Photos) => ({
    ...part,
    photos: [
      ...photos.map(({ path, name }) => ({ path, name })),
      ...added.map(({ id, name }) => ({ path: paths[id] ?? '', name })),
    ],
  });
  const {
    list = [],
    files = [],
    ...rest
  } = input as {
    list?: object[];
    files?: SectionContents['facts']['files'];
  };
  if (section === 'facts')
    return { ...name(rest as Photos), files: files.filter(({ what, where }) => what || where) } as never;
  if (section === 'statements') return { list: (list as StatementInput[]).map(name) } as never;
  if (section === 'causes')
    return { list: (list as SectionContents['causes']['list']).filter(({ text }) => text.trim()) } as never;
  return input as never;
}

/** The typed input as content, to read it. */
export const toTyped = <Name extends SectionName>(section: Name, input: SectionInputs[Name]): SectionContents[Name] =>
  (section === 'facts' ? withoutAdded(input as SectionInputs['facts']) : input) as unknown as SectionContents[Name];
