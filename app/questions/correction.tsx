/** Dialog that reports a mistake in a public question. */
import { correctQuestion } from '#server/questions/contract.ts';
import { correctionLimit, correctionTypes } from '#server/questions/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { questionDetail, reportMistake } from './screens.ts';
import { correctionTypeNames } from './terms.ts';

const dialog = formDialog({
  call: correctQuestion,
  at: reportMistake,
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
      choices={correctionTypes.map((type) => [type, correctionTypeNames[type]] as const)}
    />
    <AreaField
      name="error_msg"
      label="纠错内容"
      withAsterisk
      limit={correctionLimit}
      rows={6}
      maxLength={correctionLimit}
    />
  </>
));
