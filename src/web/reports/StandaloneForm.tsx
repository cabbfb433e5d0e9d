import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { ReportForm } from './ReportForm.tsx';
import type { Variant } from './variants.ts';

/** A page with only one report form. */
export const StandaloneForm = ({ variant }: { variant: Variant }) => (
  <>
    <PageHeading title={variant.title} />
    <ReportForm key={variant.id} variant={variant} />
  </>
);
