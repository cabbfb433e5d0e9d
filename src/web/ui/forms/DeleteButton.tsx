import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';

/** Looks the same wherever something is deleted; what it deletes is in `label`, where the button stands in a list. */
export function DeleteButton({ label, onClick }: { label?: string; onClick: () => void }) {
  return (
    <Button
      variant="default"
      c="var(--mantine-color-error)"
      leftSection={<Trash2 aria-hidden size={18} />}
      aria-label={label}
      onClick={onClick}
    >
      Delete
    </Button>
  );
}
