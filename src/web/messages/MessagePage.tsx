// A message of a guest, and what becomes of it: an audit, a report, or a closing sentence.
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FileText, Image, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { getHazardTitle, isUrgentKind } from '#shared/places/hazards.ts';
import type { Message } from '#shared/places/messages.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import { callApi, mutationFor, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { QueryState } from '../client/QueryState.tsx';
import { useUser } from '../client/session.ts';
import { useConfirmed } from '../client/useConfirmed.tsx';
import { FormButton } from '../forms/FormButton.tsx';
import { StartInvestigation } from '../investigations/StartInvestigation.tsx';
import { PhotoPreviews } from '../photos/viewer/PhotoPreviews.tsx';
import { getAuditFormName, NewAuditForm } from '../reports/NewAuditForm.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSection, PageSections } from '../ui/navigation/PageSection.tsx';
import rows from '../ui/theme/rows.module.css';
import { CloseMessageDialog } from './CloseMessageDialog.tsx';
import { MessageTags } from './MessageTags.tsx';
import styles from './messages.module.css';

export function MessagePage() {
  const { id = '' } = useParams();
  // Opening it is logged, so refocusing the window must not open it again.
  const query = useQuery({ ...queryFor(api.getMessage, { params: { id } }), refetchOnWindowFocus: false });
  const back = <BackButton to="/messages">Messages from Guests</BackButton>;
  const message = query.data;
  if (!message)
    return (
      <QueryState query={query} failed="The message could not be loaded." notFound="Message not found" back={back} />
    );
  const { kind, place, park, words, name, contact, created_at, language } = message;
  return (
    <>
      <PageHeading
        title={getHazardTitle(kind, place.name)}
        park={park}
        text={`Received ${formatInstant(created_at)}${language === 'cy' ? ', on the page in Welsh' : ''}`}
        back={back}
      />
      <PageSections>
        <MessageTags message={message} />
        <p className={styles.words}>{words || 'The guest wrote no text.'}</p>
        {(name || contact) && (
          <Text className={styles.words}>Sent by {[name, contact].filter(Boolean).join(', ')}</Text>
        )}
        <Link to={`/places/${place.id}`} className={rows.link}>
          Open {place.name}
        </Link>
        <Outcome key={id} message={message} />
        <StartInvestigation thing="message" id={id} />
      </PageSections>
    </>
  );
}

/** The photos, hidden until someone wants to see them, and the ways to deal with the message. */
function Outcome({ message }: { message: Message }) {
  const { id, kind, place, park, words, photos, isOpen } = message;
  const [, navigate] = useLocation();
  const [arePhotosShown, setPhotosShown] = useState(false);
  const title = getHazardTitle(kind, place.name);
  const [isClosing, setClosing] = useState(false);
  const leave = () => navigate('/messages');
  return (
    <>
      {photos.length > 0 && !arePhotosShown && (
        <Group>
          <Button variant="default" leftSection={<Image aria-hidden size={18} />} onClick={() => setPhotosShown(true)}>
            {`Show Photos (${photos.length})`}
          </Button>
        </Group>
      )}
      {arePhotosShown && (
        <PhotoPreviews photos={photos.map(({ path, cutOff }) => ({ src: path, alt: 'sent by a guest', cutOff }))} />
      )}
      {photos.map(({ path }, index) => (
        <RemovePhoto key={path} id={id} path={path} number={index + 1} />
      ))}
      {!isOpen && <Closing message={message} />}
      {isOpen && (
        <Group gap="xs">
          <FormButton
            form={getAuditFormName(id)}
            button="Create Audit"
            variant="filled"
            leftSection={<Plus aria-hidden size={18} />}
          >
            {(close) => (
              <NewAuditForm
                source={{ thing: 'message', id }}
                park={park}
                location={place.name}
                placeId={place.id}
                start={{ title, description: words, is_urgent: isUrgentKind(kind) }}
                wasHurt={message.hurt === 'hurt'}
                hint="Leave out who was hurt and how, and who sent the message."
                photos={arePhotosShown ? photos : []}
                onCreated={leave}
                onDone={close}
              />
            )}
          </FormButton>
          <Button
            component={Link}
            to={buildUrl('/reporting', { message: id })}
            variant="default"
            leftSection={<FileText aria-hidden size={18} />}
          >
            Report an Accident
          </Button>
          <Button variant="default" onClick={() => setClosing(true)}>
            Close Message
          </Button>
        </Group>
      )}
      {isClosing && (
        <CloseMessageDialog
          id={id}
          wasHurt={message.hurt === 'hurt'}
          onClose={() => setClosing(false)}
          onClosed={leave}
        />
      )}
    </>
  );
}

function Closing({ message }: { message: Message }) {
  const { id, closed_at, closed_by, reason, answer, audit, report, junk_until } = message;
  const showName = useNames();
  return (
    <PageSection title={`Closed by ${showName(closed_by ?? '')}, ${formatInstant(closed_at ?? '')}`}>
      {audit && (
        <Link to={`/audit/${audit.id}`} className={rows.link}>
          Audit: {audit.title}
        </Link>
      )}
      {report && (
        <Link to={recordUrls.report(report.id)} className={rows.link}>
          Reported as {report.number}
        </Link>
      )}
      {reason && <p className={styles.words}>Reason: {reason}</p>}
      {answer && <p className={styles.words}>The sender reads: {answer}</p>}
      {junk_until && <UndoJunk id={id} />}
    </PageSection>
  );
}

/** Opens a message again that was closed as junk. */
function UndoJunk({ id }: { id: string }) {
  const { mutate, error, isPending } = useMutation(mutationFor(api.undoJunk));
  return (
    <>
      <Text>It was closed as junk.</Text>
      <ErrorBox message={error ? 'The message could not be opened again.' : ''} reason={error?.message} />
      <Group>
        <Button variant="default" loading={isPending} onClick={() => mutate({ body: { ids: [id] } })}>
          Open Again
        </Button>
      </Group>
    </>
  );
}

function RemovePhoto({ id, path, number }: { id: string; path: string; number: number }) {
  const user = useUser();
  const { ask, dialog } = useConfirmed<string>({
    title: `Remove photo ${number}?`,
    text: 'It is deleted at once and cannot be restored. Copies in audits stay.',
    confirm: 'Remove',
    isDangerous: true,
    send: (path) => callApi(api.removeMessagePhoto, { params: { id }, body: { path } }),
    failed: 'The photo could not be removed.',
  });
  if (!isAllowed('admin', user)) return null;
  return (
    <Group>
      <Button variant="default" onClick={() => ask(path)}>{`Remove Photo ${number}`}</Button>
      {dialog}
    </Group>
  );
}
