// The draft of a report.
import type { EndpointInput } from '#shared/client.ts';
import type { Upload } from '#shared/uploads.ts';
import { newUuid } from '../newUuid.ts';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import type { Signature } from '../signature/png.ts';
import type { Variant } from './variants.ts';

const emptyValues = {
  selectedPlace: '',
  name: '',
  age: '',
  contactNumber: '',
  reporter: '',
  date: '',
  time: '',
  type: '',
  location: '',
  employmentStatus: '',
  emergencyService: '',
  details: '',
};
export type ReportValues = typeof emptyValues;
export type FieldName = keyof ReportValues;

export type ReportPayload = EndpointInput<Variant['endpoint']>['body'];

export type DraftFields = {
  /** The Idempotency-Key: created with the form, replaced after submitting. */
  key: string;
  values: ReportValues;
  /** What was sent without a confirmed result; until it is known, exactly this is sent again. */
  sent?: ReportPayload | undefined;
};

export type SignatureFile = Signature & { png: File };

/**
 * Started and finished uploads, by photo id or signature file name; the key prevents duplicates.
 */
export type Uploads = Record<string, { key: string; reply?: Upload }>;

export type DraftMedia = {
  photos: PreparedPhoto[];
  signature: SignatureFile | null;
  affectedUserSignature: SignatureFile | null;
  uploads: Uploads;
};

export type ReportDraft = DraftFields & DraftMedia;

export const createDraftFields = (): DraftFields => ({ key: newUuid(), values: emptyValues });
export const emptyDraftMedia: DraftMedia = { photos: [], signature: null, affectedUserSignature: null, uploads: {} };

/** Returns a signature as a file named with the time of signing. */
export const createSignatureFile = (whose: string, signature: Signature | null): SignatureFile | null =>
  signature && { ...signature, png: new File([signature.png], `${whose}-${Date.now()}.png`, { type: 'image/png' }) };
