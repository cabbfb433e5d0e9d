// When one checklist is due, and the form to schedule it.
import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, Pencil } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import type { Checklist } from '#shared/checklists.ts';
import { allParks } from '#shared/choices.ts';
import { listOpenParks } from '#shared/park-list.ts';
import type { Schedule } from '#shared/schedules/schedules.ts';
import { queryFor } from '../client/api.ts';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { useFormState } from '../forms/useForm.ts';
import { usePlaces } from '../parks/usePlaces.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import rows from '../ui/theme/rows.module.css';
import { ScheduleForm } from './ScheduleForm.tsx';
import { getScheduleFormName, isNewScheduleUnfinished } from './scheduleValues.ts';
import { describePlaces, describeSchedule } from './text.ts';

type ScheduleDialogProps = { checklist: Pick<Checklist, 'id' | 'title'>; onClose: () => void };

export function ScheduleDialog({ checklist, onClose }: ScheduleDialogProps) {
  const query = useQuery(queryFor(api.listSchedules));
  const { data: places = [] } = usePlaces();
  const [edited, setEdited] = useState<Schedule | 'new' | undefined>(
    isNewScheduleUnfinished(checklist.id) ? 'new' : undefined,
  );
  const form = useFormState(getScheduleFormName(checklist.id, edited === 'new' ? undefined : edited));
  const end = useConfirmed<Schedule>({
    ...dangerous(api.endSchedule),
    title: 'End this schedule?',
    text: 'No more checks will be due. Checks that were due stay on record.',
    confirm: 'End Schedule',
    failed: 'The schedule could not be ended',
  });
  const schedules = query.data?.filter(({ checklist_id }) => checklist_id === checklist.id);
  const isFirst = schedules?.length === 0;
  const isEditing = edited !== undefined || isFirst;
  const discard = useConfirmDiscard(isEditing && form.isUnsaved, () => {
    form.discard();
    onClose();
  });
  const stopEditing = () => setEdited(undefined);
  const cancelEditing = () => {
    form.discard();
    stopEditing();
  };
  return (
    <Dialog opened discard={discard} title="Schedule" size="lg" closeOnEscape={!end.asked && !form.hasConflict}>
      <Stack>
        <Title order={3} size="h4">
          {checklist.title}
        </Title>
        <RecordList
          query={{ ...query, data: isEditing ? schedules && [] : schedules }}
          failed="The schedules could not be loaded."
          below={
            <IconButton icon={CalendarPlus} onClick={() => setEdited('new')}>
              Add Schedule
            </IconButton>
          }
          row={(schedule) => (
            <li className={rows.row}>
              <div className={rows.text}>
                <Text>{describeSchedule(schedule)}</Text>
                <Text size="sm" c="dimmed">
                  {[formatParks(schedule.parks), describePlaces(schedule, places)].filter(Boolean).join(': ')}
                </Text>
              </div>
              <IconButton
                icon={Pencil}
                aria-label={`Edit ${describeSchedule(schedule)}`}
                onClick={() => setEdited(schedule)}
              >
                Edit
              </IconButton>
              <Button
                variant="default"
                aria-label={`End ${describeSchedule(schedule)}`}
                onClick={() => end.ask(schedule)}
              >
                End
              </Button>
            </li>
          )}
        />
        {isEditing && (
          <ScheduleForm
            key={edited === undefined || edited === 'new' ? 'new' : edited.id}
            checklistId={checklist.id}
            schedule={edited === 'new' ? undefined : edited}
            onDone={stopEditing}
            onCancel={isFirst ? discard.close : () => discard.leave(cancelEditing)}
          />
        )}
      </Stack>
      {end.dialog}
    </Dialog>
  );
}

const formatParks = (names: string[]) =>
  listOpenParks().every((park) => names.includes(park)) ? allParks : names.join(', ');
