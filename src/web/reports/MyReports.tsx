import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { formatDay, formatInstant } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import type { MyReport } from '#shared/reports/reports.ts';
import { queryFor } from '../client/api.ts';
import styles from './ReportForm.module.css';

const initialCount = 3;
const kinds = { accident: 'Accident', incident: 'Incident' } as const;
/** The user's own submitted reports, from any device, so that staff know that they arrived. */
export function MyReports() {
  const { data = [] } = useQuery(queryFor(api.listMyReports));
  const [isExpanded, setExpanded] = useState(false);
  if (data.length === 0) return null;
  const shownReports = isExpanded ? data : data.slice(0, initialCount);
  return (
    <section className={styles.myReports} aria-labelledby="my-reports">
      <Title order={2} size="h4" id="my-reports">
        Your reports
      </Title>
      <ul className={styles.myReportsList}>
        {shownReports.map((report) => (
          <ReportEntry key={report.number} report={report} />
        ))}
      </ul>
      {shownReports.length < data.length && (
        <Button variant="default" onClick={() => setExpanded(true)}>
          Show All {data.length}
        </Button>
      )}
    </section>
  );
}

function ReportEntry({ report }: { report: MyReport }) {
  const { number, reportType, selectedPlace, date, created_at, photos, signatures } = report;
  return (
    <li>
      <Text fw={600}>
        {number}, {kinds[reportType]}, {selectedPlace}, {formatDay(date)}
      </Text>
      <Text size="sm" c="dimmed">
        Received {formatInstant(created_at)} with {pluralise(photos, 'photo')} and {pluralise(signatures, 'signature')}
      </Text>
    </li>
  );
}
