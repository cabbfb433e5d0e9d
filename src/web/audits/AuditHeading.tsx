import { Anchor, Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { type Audit, isOverdue } from '#shared/audits.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatCapturedAt } from '#shared/dates.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PdfButton } from '../ui/navigation/PdfButton.tsx';
import { AuditTag } from './AuditTag.tsx';

/** Back link, title, badges and actions of an audit. */
export function AuditHeading({ audit, children }: { audit: Audit; children?: ReactNode }) {
  const { data, place } = audit;
  const filledInAt = formatCapturedAt(data.captured_at, data.completed_at ?? audit.created_at);
  return (
    <>
      <Box className="wrap between" mb="lg">
        {audit.folder_id ? (
          <BackButton to={`/audit-folders/${audit.folder_id}`}>Go to Folder</BackButton>
        ) : (
          <BackButton to="/audits">Back to Folders</BackButton>
        )}
        <div className="wrap tight">
          {data.is_urgent && <AuditTag state="urgent" />}
          {isOverdue(data) && <AuditTag state="overdue" />}
          {audit.parse_error && <AuditTag state="damaged" />}
        </div>
      </Box>
      <PageHeading
        title={audit.title || 'Untitled Audit'}
        park={
          <span>
            {audit.park}, {audit.folder_name}
            {place && (
              <>
                ,{' '}
                <Anchor component={Link} to={`/places/${place.id}`}>
                  {place.name}
                </Anchor>
              </>
            )}
          </span>
        }
      >
        <PdfButton href={endpointUrl(api.getAuditPdf, { params: { id: audit.id } })} />
        {children}
      </PageHeading>
      {filledInAt && (
        <Text c="dimmed" mb="md">
          Filled in {filledInAt}
        </Text>
      )}
      {audit.parkWasClosed && (
        <Text c="dimmed" mb="md">
          The park was closed
        </Text>
      )}
    </>
  );
}
