import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { formatCapturedAt, formatInstant } from '#shared/dates.ts';
import type { PlaceOfRecord } from '#shared/places/places.ts';
import { formatReportField, reportFieldNames, reportFields } from '#shared/reports/report-fields.ts';
import { getSigner, type Report } from '#shared/reports/reports.ts';
import { useNames } from '../client/names.ts';
import { PhotoPreviews } from '../photos/viewer/PhotoPreviews.tsx';
import { toViewerPhoto } from '../photos/viewer/toViewerPhoto.ts';
import { Name } from '../ui/feedback/Name.tsx';
import styles from './ReportDetails.module.css';

type ReportFactsProps = {
  report: Report & { place?: PlaceOfRecord; parkWasClosed?: true | undefined };
  /** Called when the photo viewer is opened or closed. */
  onViewing: (isViewing: boolean) => void;
};

const kinds = { accident: 'Accident report', incident: 'Incident report' } as const;

/** All fields of a report. */
export function ReportFacts({ report, onViewing }: ReportFactsProps) {
  const showName = useNames();
  const filledInAt = formatCapturedAt(report.captured_at, report.created_at);
  const { place } = report;
  const photos = report.mediaFiles.map((photo) => ({
    ...toViewerPhoto(photo),
    alt: `${report.number}, ${photo.name}`,
  }));

  return (
    <div className={styles.facts}>
      <div>
        <Text fw={600} size="lg">
          {report.number}
        </Text>
        <Text c="dimmed">
          {kinds[report.reportType]}, submitted {formatInstant(report.created_at)} by{' '}
          <Name>{showName(report.created_by)}</Name>
        </Text>
        {filledInAt && <Text c="dimmed">Filled in {filledInAt}</Text>}
        {report.parkWasClosed && <Text c="dimmed">The park was closed</Text>}
      </div>

      <dl className={styles.list}>
        {reportFieldNames.map((name) => (
          <div key={name} className={reportFields[name].kind === 'lines' ? styles.details : undefined}>
            <dt>{reportFields[name].label}</dt>
            <dd>
              {formatReportField(name, report[name]) || 'Not provided'}
              {name === 'location' && place && (
                <>
                  {' '}
                  <Anchor component={Link} to={`/places/${place.id}`}>
                    Place: {place.name}
                  </Anchor>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>

      <section>
        <Title order={3} size="h5" mb="xs">
          Photos
        </Title>
        {photos.length > 0 ? <PhotoPreviews photos={photos} onViewing={onViewing} /> : <Text>Not provided</Text>}
      </section>

      <section>
        <Title order={3} size="h5" mb="xs">
          Signatures
        </Title>
        <div className={styles.signatures}>
          <SignatureImage label="Person completing the form" path={report.signature?.path} />
          <SignatureImage
            label="Affected party"
            signedBy={getSigner(report).signedBy}
            path={report.affectedUserSignature?.path}
          />
        </div>
      </section>
    </div>
  );
}

type SignatureImageProps = { label: string; signedBy?: string | null; path: string | undefined };

const SignatureImage = ({ label, signedBy, path }: SignatureImageProps) => (
  <figure className={styles.signature}>
    {path ? <img src={path} alt={`Signature: ${label}`} className={styles.drawing} /> : <Text>Not provided</Text>}
    <figcaption>
      {label}
      {signedBy && <span className={styles.signedBy}>{signedBy}</span>}
    </figcaption>
  </figure>
);
