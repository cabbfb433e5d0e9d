import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import rows from '../theme/rows.module.css';

type FoldProps = { title: ReactNode; children: ReactNode };

/** A title, with content that opens below it. */
export const Fold = ({ title, children }: FoldProps) => (
  <details className={rows.fold}>
    <summary>
      {title}
      <ChevronDown aria-hidden />
    </summary>
    {children}
  </details>
);
