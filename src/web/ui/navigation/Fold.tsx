import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import rows from '../theme/rows.module.css';

type FoldProps = { title: ReactNode; isOpen?: boolean; children: ReactNode };

/** One line that opens. */
export const Fold = ({ title, isOpen = false, children }: FoldProps) => (
  <details className={rows.fold} open={isOpen}>
    <summary>
      {title}
      <ChevronDown aria-hidden />
    </summary>
    {children}
  </details>
);
