/** Dialog that answers or dismisses a reported mistake in a question. */
import { answerErrorReport, showErrorReport } from '#server/questions/error-reports.contract.ts';
import { errorReportFault, replyLimit } from '#server/questions/error-reports.rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { errorReportAnswer, errorReportDetail } from '../screens.ts';

const dialog = formDialog({
  call: answerErrorReport,
  at: errorReportAnswer,
  params: errorReportDetail.at,
  title: '处理纠错',
  submit: '确定',
  width: 520,
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params, url }) => {
  const errorReport = await client.send(showErrorReport, { params });
  const { outcome } = errorReportAnswer.at(url);
  const verb = outcome === 2 ? '回复' : '驳回';
  return {
    errorReport,
    outcome,
    title: `${verb}纠错`,
    submit: `确定${verb}`,
    tone: outcome === 2 ? ('primary' as const) : ('danger' as const),
    draft: `correction reply ${errorReport.id}`,
    refusal: errorReportFault({ outcome: errorReport.outcome, decided: errorReport.decided_by || '他人' }),
  };
});

export const action = dialogAction(dialog, {
  body: (_, { url }) => ({ outcome: errorReportAnswer.at(url).outcome }),
});

export default dialog.page<typeof loader>(({ AreaField }, { errorReport, outcome }) => (
  <>
    <p data-written>
      {errorReport.reporter}：{errorReport.error_msg}
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
