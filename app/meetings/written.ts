import type { WrittenMeeting } from '#server/meetings/contract.ts';

/** What the form of a meeting says, its times by `moment`. */
export function readMeeting(form: FormData, moment: (text: string) => number | undefined): WrittenMeeting {
  const text = (name: string) => String(form.get(name) ?? '');
  return {
    meeting_name: text('meeting_name'),
    start_time: moment(text('start_time')),
    end_time: moment(text('end_time')),
  };
}
