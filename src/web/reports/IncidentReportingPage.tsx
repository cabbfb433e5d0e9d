import { StandaloneForm } from './StandaloneForm.tsx';
import { variants } from './variants.ts';

export const IncidentReportingPage = () => <StandaloneForm variant={variants.standaloneIncident} />;
