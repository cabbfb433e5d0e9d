import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { ReportForm } from './ReportForm.tsx';
import { type Variant, variants } from './variants.ts';

const standalone = (variant: Variant) => (
  <>
    <PageHeading title={variant.title} />
    <ReportForm key={variant.id} variant={variant} />
  </>
);

export const AccidentReportingPage = () => standalone(variants.standaloneAccident);
export const IncidentReportingPage = () => standalone(variants.standaloneIncident);
