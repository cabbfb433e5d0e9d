// In Report Details: the audits created from a report, their state, and a button for a new one.
import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { describeAuditState } from '#shared/audits.ts';
import type { Report } from '#shared/reports/reports.ts';
import { queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { FormButton } from '../forms/FormButton.tsx';
import { DeliveryList } from '../notifications/DeliveryList.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { getAuditFormName, NewAuditForm } from './NewAuditForm.tsx';
import styles from './ReportAudits.module.css';
import { suggestAuditLocation } from './suggestAuditLocation.ts';

export function ReportAudits({ report }: { report: Report }) {
  const params = { id: report.id };
  const audits = useQuery(queryFor(api.listReportAudits, { params }));
  const { data: deliveries = [] } = useQuery(queryFor(api.listReportDeliveries, { params }));
  const showName = useNames();
  const location = suggestAuditLocation(report);
  return (
    <>
      <Box mb="1rem">
        <RecordList
          query={audits}
          failed="The audits could not be loaded."
          empty="No audit was created from this report."
          className={styles.list}
          row={(audit) => (
            <li>
              {audit.deleted_by ? (
                <b>{audit.title}</b>
              ) : (
                <Link to={`/audit/${audit.id}`} className={styles.link}>
                  {audit.title}
                </Link>
              )}
              <Text c="dimmed">{describeAuditState(audit, showName)}</Text>
            </li>
          )}
        />
      </Box>
      <FormButton form={getAuditFormName(report.id)} button="Create Audit" leftSection={<Plus aria-hidden size={18} />}>
        {(close) => (
          <NewAuditForm
            source={{ thing: 'report', id: report.id }}
            park={report.selectedPlace}
            location={location}
            start={{
              // Neither the person nor the injury: everyone at the park can read an audit.
              title: `Check ${location || 'the location'}`,
              description: 'Check the location and make it safe.',
            }}
            hint="Leave out who was hurt and how."
            photos={report.mediaFiles}
            onDone={close}
          />
        )}
      </FormButton>
      {deliveries.length > 0 && (
        <Box component="section" mt="1.5rem">
          <h3 className={styles.heading}>Who Was Notified</h3>
          <DeliveryList deliveries={deliveries} />
        </Box>
      )}
    </>
  );
}
