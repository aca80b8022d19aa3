/** Dialog that answers or dismisses a reported mistake in a question. */
import { answerCorrection, showCorrection } from '#server/questions/corrections.contract.ts';
import { correctionFault, replyLimit } from '#server/questions/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { correctionAnswer, correctionDetail } from '../screens.ts';

const dialog = formDialog({
  call: answerCorrection,
  at: correctionAnswer,
  params: correctionDetail.at,
  title: '处理纠错',
  submit: '确定',
  width: 520,
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params, url }) => {
  const correction = await client.send(showCorrection, { params });
  const { outcome } = correctionAnswer.at(url);
  const verb = outcome === 2 ? '回复' : '驳回';
  return {
    correction,
    outcome,
    title: `${verb}纠错`,
    submit: `确定${verb}`,
    tone: outcome === 2 ? ('primary' as const) : ('danger' as const),
    draft: `correction reply ${correction.id}`,
    refusal: correctionFault({ outcome: correction.outcome, decided: correction.decided_by || '他人' }),
  };
});

export const action = dialogAction(dialog, {
  body: (_, { url }) => ({ outcome: correctionAnswer.at(url).outcome }),
});

export default dialog.page<typeof loader>(({ AreaField }, { correction, outcome }) => (
  <>
    <p data-written>
      {correction.reporter}：{correction.error_msg}
    </p>
    <AreaField
      name="reply"
      label={outcome === 2 ? '回复内容' : '驳回说明（可不填）'}
      withAsterisk={outcome === 2}
      limit={replyLimit}
      rows={5}
      maxLength={replyLimit}
    />
  </>
));
