import { Button } from '@mantine/core';
import { FileDown } from 'lucide-react';

/** Opens the PDF in a new tab. */
export function PdfButton({ href, variant = 'default' }: { href: string; variant?: 'default' | 'filled' }) {
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      variant={variant}
      leftSection={<FileDown aria-hidden size={18} />}
    >
      Download PDF
    </Button>
  );
}
