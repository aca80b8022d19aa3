import { CompleteMeeting, type createMeeting } from '#server/meetings/contract.ts';
import { meetingMessages, meetingNameLimit } from '#server/meetings/rules.ts';
import { momentFieldOf } from '../ui/client/date-field.tsx';
import { ValidatedFields } from '../ui/client/validation.tsx';
import { fieldsOf, type NamesOf } from '../ui/fields-of.ts';
import type { RefusedForm, Values } from '../ui/form-state.ts';
import styles from './meeting.posts.module.css';
import { readMeeting } from './read-meeting.ts';

interface MeetingFieldsProps {
  refused: RefusedForm | undefined;
  values: Values<NamesOf<typeof createMeeting>>;
  hasStarted: boolean;
}

const { TextField } = fieldsOf<typeof createMeeting>();
const MomentField = momentFieldOf<typeof createMeeting>();

/** Makes the values of two fields comparable. The server applies the school's time zone. */
const comparableTime = (text: string) => Date.parse(`${text}Z`) || undefined;

export function MeetingFields({ refused, values, hasStarted }: MeetingFieldsProps) {
  return (
    <ValidatedFields
      schema={CompleteMeeting}
      read={(form) => readMeeting(form, comparableTime)}
      refused={refused}
      values={values}
    >
      <TextField name="meeting_name" label="班会名称" withAsterisk limit={meetingNameLimit} />
      <div className={styles.times}>
        <MomentField
          name="start_time"
          label="开始时间"
          withAsterisk
          readOnly={hasStarted}
          description={hasStarted && meetingMessages.started}
        />
        <MomentField name="end_time" label="结束时间" withAsterisk />
      </div>
    </ValidatedFields>
  );
}
