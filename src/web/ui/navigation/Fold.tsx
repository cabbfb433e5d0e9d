import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import rows from '../theme/rows.module.css';

type FoldProps = { title: ReactNode; isOpenAtFirst?: boolean; children: ReactNode };

/** A title, with content that opens below it. */
export const Fold = ({ title, isOpenAtFirst = false, children }: FoldProps) => (
  <details className={rows.fold} open={isOpenAtFirst}>
    <summary>
      {title}
      <ChevronDown aria-hidden />
    </summary>
    {children}
  </details>
);
