import * as v from 'valibot';
import { paging, SearchIds, SearchText } from '#server/platform/calls/fields.ts';
import { ImportFilter, QuestionFilter } from '#server/questions/contract.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { homeworkManage, publish } from '../homework/screens.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { picks } from '../lib/picker-pages.ts';
import { screen } from '../lib/screen.ts';
import { MaybeId, maybeOneOf, OwnAddress, oneOf, ScreenId } from '../lib/search.ts';

const Filter = v.omit(QuestionFilter, ['with_preview', 'for_picker']);
export const questionList = listScreen(homeworkManage, Filter, { tab: 'ques' });
/** The same with every row of the page ticked, which its other pages are not. */
export const tickedQuestions = listScreen(
  homeworkManage,
  Filter,
  { tab: 'ques' },
  { further: { select: maybeOneOf(['all']) } },
);
export const removeQuestions = dialog(homeworkManage, 'questions/delete', { ids: SearchIds });

const missing = { missing: missingQuestion };
export const questionDetail = screen('HomeworkQuesDetail', '/homework/question', { id: ScreenId }, missing);
export const reportMistake = dialog(questionDetail, 'correction');
export const questionAdd = screen('HomeworkAddQues', '/homework/question/add', {}, { files: true });
export const questionEdit = screen(
  'HomeworkEditQues',
  '/homework/question/edit',
  { id: ScreenId },
  {
    ...missing,
    files: true,
  },
);

export const questionImport = screen(
  'HomeworkQuesImport',
  '/homework/question/import',
  // `publishing`: the form of a homework that the questions are for.
  { id: SearchText, publishing: OwnAddress },
  { files: true },
);
/** What was understood of a file. */
export const importPreview = listScreen(questionImport, ImportFilter);
/** `format`: 1 Word, 2 Excel. */
export const questionTemplate = screen('questions/template', '/homework/question/template/:format', {
  format: v.string(),
});
/** How texts look, for the form with client JS. */
export const questionDisplay = screen('questions/display', '/homework/question/display');

/** Over the screen that takes the questions: those of one's own bank or of the public one. */
export const pickQuestions = listDialog(
  publish,
  'questions',
  v.object({ ...Filter.entries, point_id: MaybeId, ...paging(10) }),
  { bank: oneOf(['mine', 'public'], 'mine'), ...picks },
  { largeForm: true },
);
export type Picker = ReturnType<typeof pickQuestions.at>;
