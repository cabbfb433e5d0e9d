import { StandaloneForm } from './StandaloneForm.tsx';
import { variants } from './variants.ts';

export const AccidentReportingPage = () => <StandaloneForm variant={variants.standaloneAccident} />;
