/** Dialog that moves a period to another time, alone or with all periods after it. */
import { movePeriod, showPeriod } from '#server/courses/periods.contract.ts';
import { localValue } from '../lib/dates.ts';
import { textOf } from '../lib/form-data.ts';
import { readMoment } from '../lib/zoned.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { periodMove } from './screens.ts';
import { formatSpan } from './terms.ts';

const dialog = formDialog({
  call: movePeriod,
  at: periodMove,
  params: (url) => ({ id: periodMove.at(url).period }),
  title: '改时间',
  submit: '保存',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const period = await client.send(showPeriod, { params });
  const { timezone } = signedInPerson(context).settings;
  return {
    period: period.title,
    span: formatSpan(period, timezone),
    later: period.later,
    values: { start_play: localValue(period.start_play, timezone), seen: period.seen },
  };
});

export const action = dialogAction(dialog, {
  body: (form, { context }) => ({
    start_play: readMoment(textOf(form, 'start_play'), signedInPerson(context).settings.timezone),
    later: textOf(form, 'later') === '1' ? 1 : undefined,
  }),
});

export default dialog.page<typeof loader>(({ CheckField, DateTimeField }, { period, span, later }) => (
  <>
    <p>
      课时：<strong data-written>{period}</strong>
      <br />
      现在：{span}
    </p>
    <DateTimeField name="start_play" label="新的开始时间" withAsterisk />
    {later > 0 && <CheckField name="later" label={`之后的${later}节课时移动同样的时间`} />}
  </>
));
