import { Button } from '@mantine/core';
import { FileDown } from 'lucide-react';

type PdfButtonProps = { href: string; variant?: 'default' | 'filled'; children?: string };

/** Opens the PDF in a new tab. */
export const PdfButton = ({ href, variant = 'default', children = 'Download PDF' }: PdfButtonProps) => (
  <Button
    component="a"
    href={href}
    target="_blank"
    rel="noreferrer"
    variant={variant}
    leftSection={<FileDown aria-hidden size={18} />}
  >
    {children}
  </Button>
);
