import type { WrittenMeeting } from '#server/meetings/contract.ts';
import { textOf } from '../lib/form-data.ts';

/** Reads the form of a meeting. `moment` parses the times. */
export function readMeeting(form: FormData, moment: (text: string) => number | undefined): WrittenMeeting {
  return {
    meeting_name: textOf(form, 'meeting_name'),
    start_time: moment(textOf(form, 'start_time')),
    end_time: moment(textOf(form, 'end_time')),
  };
}
