// What to set up before the product is used, for Admins of all parks: each step with what it is for and what is missing.
import { Button, Group, Text, Title } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck, CircleMinus, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import type { Body } from '#shared/contract.ts';
import {
  type FirstStep,
  findNextStep,
  type StepAction,
  type StepName,
  startFolders,
} from '#shared/system/first-steps.ts';
import { mutationFor, queryFor } from '../client/api.ts';
import { describeError } from '../client/errors.ts';
import { QueryState } from '../client/QueryState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { fromFirstSteps } from '../ui/navigation/useFirstStepsLink.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './FirstStepsPage.module.css';

const ChangePasswordDialog = lazyComponent(() => import('../auth/ChangePasswordDialog.tsx'), 'ChangePasswordDialog');

const states = {
  done: { label: 'Done', Icon: CircleCheck },
  notNeeded: { label: 'Not needed', Icon: CircleMinus },
  open: { label: 'Open', Icon: Circle },
};

type StepTexts = {
  title: string;
  reason: string;
  to?: string;
  link?: string;
  /** A second screen of the step. */
  also?: { to: string; link: string };
};

/** Opens the table over its screen. */
const fillInParks = { to: '/admin/parks?table=open', link: 'Fill In All Parks' };

const openChecklists = { to: '/admin?tab=checklists', link: 'Open Checklists' };

const texts: Record<StepName, StepTexts> = {
  account: {
    title: 'Make your account safe',
    reason: 'Whoever has your password can read and change everything.',
    to: `/second-factors?${fromFirstSteps}`,
    link: 'Open Two-Factor Sign-In',
  },
  operator: { title: 'Name the operator', reason: 'Its name stands on every screen and PDF.' },
  parks: {
    title: 'Check the parks',
    reason:
      'Reports and audits go to the people of a park, and advice depends on who enforces health and safety there.',
    ...fillInParks,
  },
  users: {
    title: 'Add users',
    reason:
      'Each person signs in with a name of their own. A second Admin helps when the first one is away. Then choose who does the audits of each park.',
    to: '/admin?tab=users',
    link: 'Open User Management',
    also: fillInParks,
  },
  checklist: {
    title: 'Create a checklist',
    reason: 'Staff fill in checklists, such as one for opening a pool.',
    ...openChecklists,
  },
  schedule: {
    title: 'Schedule a check that opens a place',
    reason:
      'A place stays closed until its check has passed on the day. Add the places under Places first, and print their labels there: staff scan a label to do the checks of its place. Then press Schedule beside the checklist.',
    to: '/admin/places',
    link: 'Open Places',
    also: openChecklists,
  },
  folders: {
    title: 'Create audit folders',
    reason: `Work to be done at a park is kept in its folders. The four are ${startFolders.join(', ')}.`,
    to: `/audits?${fromFirstSteps}`,
    link: 'Open Audits',
  },
  email: {
    title: 'Test email',
    reason: 'Users get urgent messages by email, also when the app is closed.',
    to: '/admin/system',
    link: 'Open System',
  },
  backup: {
    title: 'Verify a backup',
    reason: 'Records must be kept for years. Only a backup that can be restored keeps them.',
    to: '/admin/system',
    link: 'Open System',
  },
};

type Change = Body<typeof api.saveFirstSteps, 'input'>;

/** What a press sends; a password is changed in its dialog. */
const presses: Record<Exclude<StepAction, 'change password'>, { label: string; body: Change }> = {
  'our parks': { label: 'These Are Our Parks', body: { mark: 'our parks' } },
  'all users': { label: 'That Is All', body: { mark: 'all users' } },
  folders: { label: 'Create These Four Folders at Every Park', body: { folders: true } },
};

const useChange = () => useMutation(mutationFor(api.saveFirstSteps));

export function FirstStepsPage() {
  const query = useQuery({ ...queryFor(api.getFirstSteps), refetchOnMount: 'always' });
  const change = useChange();
  const { mutate } = change;
  // The link in the test email.
  useEffect(() => {
    const token = window.location.hash.slice(1);
    if (!token) return;
    window.history.replaceState(window.history.state, '', window.location.pathname);
    mutate({ body: { token } });
  }, [mutate]);
  const { steps = [], isEnded = false } = query.data ?? {};
  const next = findNextStep(steps);
  const finished = steps.filter(({ state }) => state !== 'open').length;
  return (
    <>
      <PageHeading
        title="First Steps"
        text="What to set up before people use this. Settings are changed where the server runs."
        back={<BackButton to="/admin?tab=users">Back to User Management</BackButton>}
      />
      <QueryState query={query} failed="The first steps could not be loaded." />
      <ErrorBox message={describeError(change.error)} />
      {query.data && (
        <>
          <Text fw={600} role="status" mb="sm">
            {finished} of {steps.length} done.{isEnded && ' The first steps are ended for everybody.'}
          </Text>
          <ol className={rows.list}>
            {steps.map((step, index) => (
              <Step key={step.name} step={step} number={index + 1} isNext={step === next} />
            ))}
          </ol>
          <Group mt="lg">
            <Button
              variant="default"
              loading={change.isPending}
              onClick={() => mutate({ body: { mark: 'ended', isOn: !isEnded } })}
            >
              {isEnded ? 'Show Again to Admins' : 'End for Everybody'}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}

function Step({
  step: { name, state, text, actions, lines, isSetting },
  number,
  isNext,
}: {
  step: FirstStep;
  number: number;
  isNext: boolean;
}) {
  const change = useChange();
  const [isChangingPassword, setChangingPassword] = useState(false);
  const { title, reason, to, link, also } = texts[name];
  const { label, Icon } = states[state];
  const isOpen = state === 'open';
  const mustChangePassword = isOpen && actions.includes('change password');
  const set = (body: Change) => change.mutate({ body });
  return (
    <li className={`${rows.row} ${styles.step}`}>
      <div className={rows.text}>
        <Title order={2} size="h5">
          {number}. {title}
        </Title>
        <Text className="line tight strong" my={2}>
          <Icon aria-hidden size={18} /> {label}
        </Text>
        <Text>{reason}</Text>
        {text && <Text mt="xs">{text}</Text>}
        {isOpen && lines.length > 0 && <Lines lines={lines} isSetting={isSetting} name={title} />}
        <ErrorBox message={describeError(change.error)} />
      </div>
      <div className={rows.actions}>
        {mustChangePassword && (
          <Button variant={isNext ? 'filled' : 'default'} onClick={() => setChangingPassword(true)}>
            Change Password
          </Button>
        )}
        {to && (
          <Button component={Link} to={to} variant={isNext && !mustChangePassword ? 'filled' : 'default'}>
            {link}
          </Button>
        )}
        {also && (
          <Button component={Link} to={also.to} variant="default" aria-label={`${also.link}: ${title}`}>
            {also.link}
          </Button>
        )}
        {isOpen &&
          actions.map(
            (action) =>
              action !== 'change password' && (
                <Button
                  key={action}
                  variant="default"
                  loading={change.isPending}
                  onClick={() => set(presses[action].body)}
                >
                  {presses[action].label}
                </Button>
              ),
          )}
        {state !== 'done' && (
          <Button
            variant="default"
            aria-label={`${isOpen ? 'Not Needed' : 'Undo'}: ${title}`}
            loading={change.isPending}
            onClick={() => set({ mark: `${name} not needed`, isOn: isOpen })}
          >
            {isOpen ? 'Not Needed' : 'Undo'}
          </Button>
        )}
      </div>
      {isChangingPassword && (
        <ChangePasswordDialog onClose={() => setChangingPassword(false)} onChanged={() => setChangingPassword(false)} />
      )}
    </li>
  );
}

/** Lines to copy. Without HTTPS a page may not copy, and the lines are selected by hand. */
function Lines({ lines, isSetting, name }: { lines: string[]; isSetting: boolean; name: string }) {
  const clipboard = useClipboard();
  return (
    <>
      <Text mt="xs">
        {isSetting
          ? 'Add to the settings of the server (with Docker: the file reports.env), then restart the server:'
          : 'Run in the folder of the server. Nothing must be restarted:'}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard. */}
      <pre className={styles.lines} tabIndex={0} translate="no">
        {lines.join('\n')}
      </pre>
      {'clipboard' in navigator && (
        <Button
          variant="default"
          leftSection={<Copy aria-hidden size={18} />}
          aria-label={`Copy: ${name}`}
          onClick={() => clipboard.copy(lines.join('\n'))}
        >
          {clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
      )}
      {clipboard.error && <ErrorBox message="The lines could not be copied. Select them instead." />}
    </>
  );
}
