// A new lesson, which becomes an audit at each of its parks.
import { Checkbox, Text, Textarea, TextInput } from '@mantine/core';
import { useLocation, useSearch } from 'wouter';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { textLimits } from '#shared/choices.ts';
import type { EndpointInput } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';
import { type LessonTextName, lessonTextLimit, NewLesson } from '#shared/lessons.ts';
import { listOpenParks } from '#shared/park-list.ts';
import { callApiWithRetry } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { InlineForm } from '../forms/InlineForm.tsx';
import { useForm } from '../forms/useForm.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import { useIsPreparing } from '../photos/preparing.ts';
import { uploadForSave } from '../photos/uploadForSave.ts';
import { DateField } from '../ui/forms/DateField.tsx';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSection } from '../ui/navigation/PageSection.tsx';
import { checkReview, IdentifierReview, type Review, readReview, toDecisions } from './IdentifierReview.tsx';
import styles from './investigations.module.css';

type Body = EndpointInput<typeof api.createLesson>['body'];
type Values = Required<Pick<Body, 'title' | LessonTextName | 'parks' | 'answer_by' | 'isPhotoChecked'>> & {
  photos: PreparedPhoto[];
  /** What could show who someone is, or which event it is about. */
  review: Review | null;
};

const daysToAnswer = 14;

export function NewLessonPage() {
  const [, navigate] = useLocation();
  const investigation_id = new URLSearchParams(useSearch()).get('investigation') ?? undefined;
  const formName = formNames.lesson(investigation_id ?? '');
  const form = useForm<Values, { id: string }>(formName, {
    start: {
      title: '',
      happened: '',
      look_at: '',
      photos: [],
      isPhotoChecked: false,
      parks: [...listOpenParks()],
      answer_by: addDays(getToday(), daysToAnswer),
      review: null,
    },
    check: ({ photos, review, ...values }) => ({
      ...getFieldErrors(NewLesson, values),
      ...checkReview(review),
      ...(photos.length > 0 && !values.isPhotoChecked && { isPhotoChecked: 'Look at the photo again' }),
    }),
    // After a change, the server checks the texts again.
    toChanges: (_, changes) => ({ review: null, ...changes }),
    async send({ photos, review, ...values }, key) {
      const paths = await uploadForSave(photos);
      const media = photos.map(({ id, name }) => ({ path: paths[id] ?? '', name }));
      const decisions = toDecisions(review);
      const source = { ...(investigation_id && { investigation_id }), ...(decisions && { decisions }) };
      const body = { ...values, ...source, photos: media };
      return callApiWithRetry(api.createLesson, { body, key });
    },
    onFailed(error): void {
      form.set({ review: readReview(error) });
    },
    onSaved: ({ id }, _, isFromBefore) => !isFromBefore && navigate(`/lessons/${id}`),
  });
  const isPreparing = useIsPreparing([formName.name]);
  const { field, checkbox, values } = form;
  const togglePark = (park: Values['parks'][number], isChosen: boolean) =>
    form.set({ parks: listOpenParks().filter((other) => (other === park ? isChosen : values.parks.includes(other))) });
  const back = investigation_id ? `/investigations/${investigation_id}` : '/investigations';

  return (
    <>
      <PageHeading
        title="New Lesson"
        text="Each park gets an audit in its folder Lessons, and answers by completing it."
        back={<BackButton to={back}>Back</BackButton>}
      />
      <PageSection isCard>
        <InlineForm
          form={form}
          submit="Create Lesson"
          isDisabled={isPreparing}
          failed={
            form.error?.code === 'IDENTIFIABLE'
              ? 'This may show which event it was.'
              : 'The lesson could not be created. What you entered is still here.'
          }
        >
          <Text size="sm" c="dimmed">
            Everyone at these parks can read the lesson. Leave out who was hurt, and where: names, numbers and plots
            cause a warning, but people at a small park may still recognise what happened.
          </Text>
          <TextInput {...field('title')} label="Title" required maxLength={textLimits.name} />
          <Textarea {...field('happened')} label="What happened" required rows={5} maxLength={lessonTextLimit} />
          <Textarea {...field('look_at')} label="What to look at" required rows={5} maxLength={lessonTextLimit} />
          <PhotoField {...field('photos')} label="Photo" max={1} form={formName.name} />
          {values.photos.length > 0 && (
            <Checkbox
              {...checkbox('isPhotoChecked')}
              label="I looked at the photo again: it shows nobody, and not where it was"
            />
          )}
          <FieldGroup label="Parks" error={form.errors.parks}>
            <div className={styles.pair}>
              {listOpenParks().map((park) => (
                <Checkbox
                  key={park}
                  label={park}
                  checked={values.parks.includes(park)}
                  onChange={({ currentTarget }) => togglePark(park, currentTarget.checked)}
                />
              ))}
            </div>
          </FieldGroup>
          <DateField {...field('answer_by')} label="Answer by" required />
          {values.review && (
            <IdentifierReview
              review={values.review}
              error={form.errors.review}
              onChange={(review) => form.set({ review })}
            />
          )}
        </InlineForm>
      </PageSection>
    </>
  );
}
