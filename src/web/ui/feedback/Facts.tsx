type FactsProps = { facts: { label: string; value: string }[]; className: string | undefined };

/** What a record says: a label and a value for each fact. */
export const Facts = ({ facts, className }: FactsProps) => (
  <dl className={className}>
    {facts.map(({ label, value }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have the same label
      <div key={index}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
