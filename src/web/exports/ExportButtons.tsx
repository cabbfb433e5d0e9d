// Exports a list with its current filters. Uses fetch instead of a link, so that search words are
// not in a URL.
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { useId } from 'react';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { type ExportFormat, exportFormats } from '#shared/exports.ts';
import { callApi } from '../client/api.ts';
import styles from './ExportButtons.module.css';
import { saveFile } from './saveFile.ts';

type ExportEndpoint = Extract<keyof typeof api, `export${string}`>;
type ListOf<Name> = Name extends `export${infer List}` ? Uncapitalize<List> : never;
type List = ListOf<ExportEndpoint>;
/** `checks` has the endpoint `exportChecks`. All differ in their filters alone. */
const getEndpoint = (list: List) =>
  api[`export${list[0]?.toUpperCase()}${list.slice(1)}` as ExportEndpoint] as typeof api.exportReports;

const formatLabels: Record<ExportFormat, string> = { csv: 'CSV', xlsx: 'Excel' };

type ExportButtonsProps = {
  list: List;
  /** The name of the list: for screen readers, and the file. */
  name: string;
  /** The filters of the screen; empty ones are left out. */
  filters?: Record<string, string | undefined>;
  label?: string;
};

export function ExportButtons({ list, name, filters = {}, label = 'Export' }: ExportButtonsProps) {
  const download = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const query = { ...filters, format };
      const bytes = await callApi(getEndpoint(list), { query: query as { format: ExportFormat } });
      saveFile(bytes, `${name} ${getToday()}.${format}`);
    },
    meta: { refreshes: false },
  });

  const hintId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, not a set of fields
    <div role="group" aria-label={`Export ${name.toLowerCase()}`} className={styles.export}>
      <Text span size="sm" c="dimmed" className={styles.label}>
        <FileSpreadsheet aria-hidden size={16} /> {label}
      </Text>
      {exportFormats.map((format) => (
        <Button
          key={format}
          aria-describedby={format === 'csv' ? hintId : undefined}
          variant="subtle"
          size="compact-sm"
          loading={download.isPending && download.variables === format}
          onClick={() => download.mutate(format)}
        >
          {formatLabels[format]}
        </Button>
      ))}
      <Text span size="xs" c="dimmed" id={hintId}>
        for other programs: Excel changes telephone numbers
      </Text>
      {download.isError && (
        <Text span size="sm" c="red" role="alert">
          The list could not be exported. {download.error.message || 'Check your connection and try again.'}
        </Text>
      )}
    </div>
  );
}
