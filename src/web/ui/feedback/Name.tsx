import { Fragment, type ReactNode } from 'react';

/** A name of a person, a park or a place, or a record's number, which the browser must not translate. */
export const Name = ({ children }: { children: ReactNode }) => <span translate="no">{children}</span>;

/** The parts that are not empty, with `between` between them. */
export const Joined = ({ parts, between = ', ' }: { parts: ReactNode[]; between?: string }) =>
  parts.filter(Boolean).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line keep their order
    <Fragment key={index}>
      {index > 0 && between}
      {part}
    </Fragment>
  ));
