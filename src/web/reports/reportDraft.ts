// A report that is being filled in, as it is on the screen and as it survives a reload.
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
  /** The Idempotency-Key: made when the form is opened, another one after the report is filed. */
  key: string;
  values: ReportValues;
  /** What was sent and may or may not have arrived: until that is known, it is sent again as it was. */
  sent?: ReportPayload | undefined;
};

export type SignatureFile = Signature & { png: File };

/** Uploads begun and done, by the photo's id or the signature's file name; each has a key, and so is stored once. */
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

/** A signature as the file it is uploaded as, named with the time of signing. */
export const createSignatureFile = (whose: string, signature: Signature | null): SignatureFile | null =>
  signature && { ...signature, png: new File([signature.png], `${whose}-${Date.now()}.png`, { type: 'image/png' }) };
