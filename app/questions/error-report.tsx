/** Dialog that reports a mistake in a public question. */
import { correctQuestion } from '#server/questions/contract.ts';
import { errorTextLimit, errorTypes } from '#server/questions/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { errorReportForm, questionDetail } from './screens.ts';
import { errorTypeNames } from './terms.ts';

const dialog = formDialog({
  call: correctQuestion,
  at: errorReportForm,
  title: '题目纠错',
  submit: '提交',
  width: 520,
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, ({ url }) => ({ draft: `question error ${questionDetail.at(url).id}` }));

export const action = dialogAction(dialog, { body: (_, { url }) => ({ ques_id: questionDetail.at(url).id }) });

export default dialog.page(({ AreaField, RadioField }) => (
  <>
    <RadioField
      name="type"
      label="纠错类型"
      withAsterisk
      choices={errorTypes.map((type) => [type, errorTypeNames[type]] as const)}
    />
    <AreaField
      name="error_msg"
      label="纠错内容"
      withAsterisk
      limit={errorTextLimit}
      rows={6}
      maxLength={errorTextLimit}
    />
  </>
));
